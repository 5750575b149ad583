// `refrain coordinate`: the daemon that lets running jobs take turns at I/O.
#include "cli/coordinate.hpp"

#include <memory>

#include "base/environment.hpp"
#include "coordinate/daemon.hpp"
#include "schedule/job_file.hpp"

namespace refrain::cli {

namespace {

struct CoordinateOptions {
  std::string listen = coordinate::default_address;
  std::string policy = "fifo";
  uint32_t io_nodes = 1;
  uint32_t at_once = 1;
  double bandwidth = 1;
  std::string machine;
  double lease = 1;
  double grace = -1;
  std::string keys;
  bool insecure = false;
  std::string journal;
  std::string prometheus;
};

Result<coordinate::Settings> make_settings(const CoordinateOptions& options) {
  coordinate::Settings settings;
  Result<const schedule::Policy*> policy = schedule::find_policy(options.policy);
  if (!policy) return tl::unexpected(policy.error());
  settings.policy = *policy;
  if (options.machine.empty()) {
    settings.io_nodes.assign(options.io_nodes, {options.bandwidth, options.at_once});
  } else {
    Result<schedule::Workload> workload = schedule::read_workload(options.machine);
    if (!workload) return tl::unexpected(workload.error());
    for (const schedule::IoNode& io_node : workload->machine.io_nodes) {
      settings.io_nodes.push_back({io_node.bandwidth, options.at_once});
    }
  }
  settings.lease = schedule::from_seconds(options.lease);
  settings.grace = options.grace < 0 ? settings.lease : schedule::from_seconds(options.grace);
  return settings;
}

Result<int> run_coordinator(const CoordinateOptions& options) {
  Result<coordinate::Settings> settings = make_settings(options);
  if (!settings) return tl::unexpected(settings.error());
  Result<coordinate::Address> address = coordinate::parse_address(options.listen);
  if (!address) return tl::unexpected(address.error());
  coordinate::DaemonOptions daemon{
      .settings = *settings,
      .address = *address,
      .insecure = options.insecure,
      .key_folder = options.keys.empty() ? coordinate::default_key_folder() : options.keys,
      .journal = options.journal,
      .metrics = options.prometheus};
  return coordinate::run_daemon(daemon, say).map([] { return 0; });
}

}  // namespace

void add_connection_options(CLI::App& command, ConnectionOptions& options) {
  command.add_option("--coordinator", options.address, "Where the coordinator listens")
      ->type_name("ADDRESS")
      ->envname(environment::coordinator.name)
      ->capture_default_str();
  command
      .add_option(
          "--key", options.keys,
          "Key file, or a folder with client.key (default: $REFRAIN_KEYS or ~/.config/refrain/coordinate)")
      ->type_name("PATH");
  command.add_flag("--insecure", options.insecure, "Without keys");
}

void add_coordinate(CLI::App& root, Action& action) {
  CLI::App* group = add_command(root, "coordinate", "Let running jobs take turns at I/O: the coordinator",
                                "refrain coordinate keygen\n"
                                "  refrain coordinate --policy stretch --io-nodes 4 --journal io.jsonl\n"
                                "  refrain coordinate --listen ipc:///tmp/io --insecure\n"
                                "  refrain coordinate watch");
  auto options = std::make_shared<CoordinateOptions>();
  group->require_subcommand(0, 1);
  group
      ->add_option("--listen", options->listen,
                   "tcp://ADDRESS:PORT or ipc://PATH; events are told at the next port, or at PATH.events")
      ->type_name("ADDRESS")
      ->capture_default_str();
  group->add_option("--policy", options->policy, "Who is served first; see 'refrain help schedule simulate'")
      ->capture_default_str();
  group->add_option("--io-nodes", options->io_nodes, "I/O nodes, numbered from 0")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  group->add_option("--at-once", options->at_once, "Jobs that may do I/O on an I/O node at the same time")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  group
      ->add_option("--bandwidth", options->bandwidth,
                   "Volume per second of an I/O node, in the unit of the profiles")
      ->check(CLI::Range(1e-9, 1e18))
      ->capture_default_str();
  group->add_option("--machine", options->machine, "Take I/O nodes and bandwidths from a job file instead")
      ->type_name("JOBS");
  group->add_option("--lease", options->lease, "Seconds of silence after which a client is forgotten")
      ->check(CLI::Range(0.01, 86400.0))
      ->capture_default_str();
  group
      ->add_option("--grace", options->grace,
                   "Seconds after the start in which nothing is granted, so that leases of before come first "
                   "(default: as --lease)")
      ->check(CLI::Range(0.0, 86400.0));
  group
      ->add_option("--keys", options->keys,
                   "Folder of keys (default: $REFRAIN_KEYS or ~/.config/refrain/coordinate)")
      ->type_name("FOLDER");
  group->add_flag("--insecure", options->insecure,
                  "Let everybody in; only for ipc:// and addresses of this machine");
  group->add_option("--journal", options->journal, "Append all events to this file, as lines of JSON")
      ->type_name("FILE");
  group
      ->add_option("--prometheus", options->prometheus,
                   "Serve counters over HTTP at this port of this machine, or at ADDRESS:PORT")
      ->type_name("PORT");
  add_coordinate_keygen(*group, action);
  add_coordinate_status(*group, action);
  add_coordinate_watch(*group, action);
  group->callback([&action, group, options] {
    if (!group->get_subcommands().empty()) return;
    action = [options](Output&) { return run_coordinator(*options); };
  });
}

}  // namespace refrain::cli
