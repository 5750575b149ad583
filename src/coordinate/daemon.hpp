// The coordinator on real sockets and a real clock: one thread that receives, decides, answers, tells.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "coordinate/address.hpp"
#include "coordinate/coordinator.hpp"
#include "coordinate/keys.hpp"

namespace refrain::coordinate {

struct DaemonOptions {
  Settings settings{};
  Address address{};
  bool insecure = false;     ///< no keys; the address must be local
  std::string key_folder{};  ///< otherwise
  std::string journal{};     ///< file to append events to; empty: none
  std::string metrics{};     ///< where Prometheus may ask; empty: nowhere
};

/// Says one line to people.
using Say = std::function<void(const std::string&)>;

/// Runs until SIGTERM or SIGINT. `say` tells when it listens, and of trouble that it survives.
Result<void> run_daemon(const DaemonOptions& options, const Say& say);

/// A new pair of keys.
Result<Keys> make_keys();

}  // namespace refrain::coordinate
