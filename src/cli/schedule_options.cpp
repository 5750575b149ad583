// See schedule_options.hpp.
#include "cli/schedule_options.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "cli/readable.hpp"
#include "schedule/job_file.hpp"

namespace refrain::cli {

namespace {

Result<schedule::Sharing> find_sharing(const std::string& name) {
  if (name == "exclusive") return schedule::Sharing::exclusive;
  if (name == "shared") return schedule::Sharing::shared;
  if (name == "preemptive") return schedule::Sharing::preemptive;
  if (name == "unlimited") return schedule::Sharing::unlimited;
  return fail(ErrorKind::usage, "no way of sharing is named '" + printable(name) +
                                    "'; there are exclusive, shared, preemptive, unlimited");
}

Result<void> set_sensibility(const std::string& text, schedule::Mapping& mapping) {
  mapping.by_load = text == "alpha";
  if (mapping.by_load) return {};
  char* end = nullptr;
  mapping.sensibility = std::strtod(text.c_str(), &end);
  bool is_number = !text.empty() && *end == '\0';
  if (is_number && mapping.sensibility > 0 && !std::isnan(mapping.sensibility)) return {};
  return fail(ErrorKind::usage,
              "--sensibility: must be a positive number or 'alpha', is '" + printable(text) + "'");
}

}  // namespace

void add_machine_options(CLI::App& command, MachineOptions& options) {
  command.add_option("--io-nodes", options.io_nodes, "I/O nodes, instead of the file's")
      ->type_name("N")
      ->check(CLI::Range(1U, schedule::FileLimits::io_nodes));
  command
      .add_option("--nodes-per-io-node", options.nodes, "Compute nodes behind each, instead of the file's")
      ->type_name("N")
      ->check(CLI::Range(1U, schedule::FileLimits::nodes_per_io_node));
  command
      .add_option("--bandwidth", options.bandwidth, "Volume per second of an I/O node, instead of the file's")
      ->type_name("B")
      ->check(CLI::PositiveNumber);
}

void add_strategy_options(CLI::App& command, StrategyOptions& options) {
  command
      .add_option("--policy", options.policy,
                  "Who does I/O first: lowest-id, longest-io, shortest-io, "
                  "shortest-remaining, longest-remaining, fifo, bandwidth, stretch")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--mapping", options.mapping,
                  "Which jobs run where and with whom: first-fit, make-pack, "
                  "make-pack+backfill, easy, portfolio")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--sensibility", options.sensibility,
                  "S: the I/O load that may come together, a number or 'alpha' for that of the workload")
      ->type_name("S")
      ->capture_default_str();
  command
      .add_option("--sharing", options.sharing,
                  "How an I/O node is shared: exclusive (by policy), shared (equal "
                  "shares), preemptive (shortest I/O first), unlimited")
      ->type_name("HOW")
      ->capture_default_str();
  command
      .add_option("--degradation", options.degradation,
                  "With --sharing shared: part of the bandwidth that is lost while jobs share it")
      ->type_name("D")
      ->check(CLI::Range(0.0, 0.9));
}

Result<schedule::Setup> make_setup(const StrategyOptions& options) {
  schedule::Setup setup;
  Result<const schedule::Policy*> policy = schedule::find_policy(options.policy);
  if (!policy) return within("--policy", policy.error());
  Result<schedule::MappingKind> mapping = schedule::find_mapping(options.mapping);
  if (!mapping) return within("--mapping", mapping.error());
  Result<schedule::Sharing> sharing = find_sharing(options.sharing);
  if (!sharing) return within("--sharing", sharing.error());
  setup.discipline = {*sharing, *policy, options.degradation};
  setup.mapping.kind = *mapping;
  if (Result<void> set = set_sensibility(options.sensibility, setup.mapping); !set)
    return tl::unexpected(set.error());
  return setup;
}

Result<schedule::Workload> load_workload(const std::string& file, const MachineOptions& options) {
  Result<schedule::Workload> workload = schedule::read_workload(file);
  if (!workload) return workload;
  std::vector<schedule::IoNode>& io_nodes = workload->machine.io_nodes;
  if (options.io_nodes) io_nodes.resize(*options.io_nodes, io_nodes.front());
  for (schedule::IoNode& io_node : io_nodes) {
    if (options.nodes) io_node.nodes = *options.nodes;
    if (options.bandwidth) io_node.bandwidth = *options.bandwidth;
  }
  Result<void> checked = schedule::check_workload(*workload);
  if (!checked) return within(file, checked.error());
  return workload;
}

Result<void> write_text(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (out) return {};
  return fail(ErrorKind::io, std::strerror(errno), file);
}

Result<int> write_workload_file(const schedule::Workload& workload, const std::string& file, Output& out) {
  std::string text = schedule::workload_text(workload);
  if (file.empty()) {
    out.write(text);
    return 0;
  }
  return write_text(file, text).map([] { return 0; });
}

std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> words;
  for (size_t from = 0; from <= list.size();) {
    size_t comma = std::min(list.find(',', from), list.size());
    if (comma > from) words.push_back(list.substr(from, comma - from));
    from = comma + 1;
  }
  return words;
}

std::string seconds_text(schedule::Time time) { return fmt::format("{:.10g}", schedule::in_seconds(time)); }

}  // namespace refrain::cli
