// The commands below `refrain coordinate`, each in a file of its own, and what they share.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "coordinate/subscriber.hpp"

namespace refrain::cli {

void add_coordinate_keygen(CLI::App& group, Action& action);
void add_coordinate_status(CLI::App& group, Action& action);
void add_coordinate_watch(CLI::App& group, Action& action);

/// Which coordinator, and what we show to be let in.
struct ConnectionOptions {
  std::string address = coordinate::default_address;
  std::string keys;
  bool insecure = false;
};
void add_connection_options(CLI::App& command, ConnectionOptions& options);
Result<coordinate::Subscriber> subscribe(const ConnectionOptions& options, bool events);

/// Waits for a status; an error says what may be wrong if none comes.
Result<std::string> first_status(coordinate::Subscriber& subscriber, const ConnectionOptions& options);

/// A status as tables. `before` is an earlier one, for the bandwidth between the two.
Result<std::string> status_text(const std::string& json, const std::string& before);

}  // namespace refrain::cli
