// `refrain coordinate status`: what a coordinator knows just now.
#include <memory>

#include "cli/coordinate.hpp"

namespace refrain::cli {

namespace {

struct StatusOptions {
  ConnectionOptions connection;
  bool json = false;
};

Result<int> show_status(const StatusOptions& options, Output& out) {
  Result<coordinate::Subscriber> subscriber = subscribe(options.connection, false);
  if (!subscriber) return tl::unexpected(subscriber.error());
  Result<std::string> status = first_status(*subscriber, options.connection);
  if (status && !options.json) {
    status = status_text(*status, "");
    if (status) out.write(*status);
  } else if (status) {
    out.line(*status);
  }
  return status.map([](const std::string&) { return 0; });
}

}  // namespace

void add_coordinate_status(CLI::App& group, Action& action) {
  CLI::App* command = add_command(group, "status", "Show jobs, leases and queues of a coordinator",
                                  "refrain coordinate status --coordinator tcp://io0:5570\n"
                                  "  refrain coordinate status --json | jq .io_nodes");
  auto options = std::make_shared<StatusOptions>();
  add_connection_options(*command, options->connection);
  command->add_flag("--json", options->json, "As JSON");
  command->callback(
      [&action, options] { action = [options](Output& out) { return show_status(*options, out); }; });
}

}  // namespace refrain::cli
