// `refrain jobs TRACE...`: recorded applications as a job file for `refrain schedule`.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/machine_file.hpp"
#include "cli/readable.hpp"
#include "cli/schedule_options.hpp"
#include "cli/sized_trace.hpp"
#include "jobs/job_phases.hpp"
#include "schedule/job_file.hpp"

namespace refrain::cli {

namespace {

struct JobsOptions {
  uint32_t ranks = 0;
  std::vector<std::string> files;
  jobs::JobOptions making;
  MachineOptions machine;
  std::string machine_file, output;
  bool quiet = false;
};

/// What is right about the times, and what isn't; for the reader of the job file.
std::string note_text(const jobs::TraceJob& made) {
  std::string text = fmt::format("from a trace of {}; {:.3g} s of I/O; times are averages",
                                 counted(made.ranks, "rank", "ranks"), made.io_seconds);
  for (const std::string& note : made.notes) text += "; " + note;
  return text;
}

std::string summary_line(const jobs::TraceJob& made) {
  double compute = schedule::in_seconds(made.job.compute_time());
  return fmt::format("job {} ({}): {}, {}, {} in {}, {} of compute, {}", made.job.id,
                     printable(made.job.name), counted(made.job.nodes, "node", "nodes"),
                     counted(made.job.phase_count(), "phase", "phases"),
                     bytes_text(static_cast<uint64_t>(made.job.volume())),
                     duration_text(static_cast<uint64_t>(made.io_seconds * 1e9)),
                     duration_text(static_cast<uint64_t>(compute * 1e9)), printable(made.job.note));
}

/// How fast an I/O node is, and whence that is known.
struct Speed {
  double bandwidth = 0;  ///< bytes per second
  std::string source{};
};

/// The share of an I/O node in the storage of a machine, which all of them reach together. Of reads and
/// writes, whatever is slower.
double io_node_bandwidth(const simulate::Machine& machine) {
  double storage =
      std::min(machine.target.read_bandwidth, machine.target.write_bandwidth) * machine.targets();
  auto limit = [&](double all) {
    if (all > 0) storage = std::min(storage, all);
  };
  limit(machine.server_bandwidth * machine.servers);
  limit(machine.network_bandwidth);
  limit(machine.node_bandwidth * machine.nodes);
  if (machine.io_nodes == 0) return storage;
  return std::min(machine.io_node_bandwidth, storage / machine.io_nodes);
}

Speed speed_of(const simulate::Machine& machine, const std::string& file) {
  Speed speed{io_node_bandwidth(machine), "the machine of " + file};
  // A calibration that tells memory from disk says how large the memory is.
  if (machine.name == "calibrated" && machine.cache_bytes == 0)
    speed.source += ", measured as applications see it, through the page cache";
  return speed;
}

/// What the fastest of the jobs had. That is the memory's speed where no call waited for the disk.
Speed measured_speed(const std::vector<jobs::TraceJob>& made) {
  auto slower = [](const auto& a, const auto& b) { return a.bandwidth < b.bandwidth; };
  const jobs::TraceJob& fastest = *std::max_element(made.begin(), made.end(), slower);
  if (fastest.bandwidth <= 0) return {1e9, "made up, because no call of the jobs took any time"};
  return {fastest.bandwidth,
          fmt::format("what the calls of job {} saw, {}", fastest.job.id,
                      fastest.waited_for_disk ? "waiting for the disk included"
                                              : "which may be the page cache: none waited for the disk")};
}

/// A machine that all jobs fit on. Says how fast its I/O nodes are, unless that was asked for.
Result<schedule::Machine> machine_for(std::vector<jobs::TraceJob>& made, const JobsOptions& options) {
  const MachineOptions& asked = options.machine;
  uint64_t nodes = 0;
  for (const jobs::TraceJob& one : made) nodes += one.job.nodes;
  uint32_t io_nodes = 1;
  Speed speed;
  if (options.machine_file.empty()) {
    speed = measured_speed(made);
  } else {
    Result<simulate::Machine> machine = load_machine(options.machine_file);
    if (!machine) return tl::unexpected(machine.error());
    io_nodes = std::max(1U, machine->io_nodes);
    nodes = std::max<uint64_t>(nodes, machine->nodes_per_io_node());
    speed = speed_of(*machine, options.machine_file);
  }
  if (asked.bandwidth) speed = {*asked.bandwidth, "as asked for"};
  if (!asked.bandwidth && !options.quiet)
    say(fmt::format("an I/O node moves {}/s: {}{}", bytes_text(static_cast<uint64_t>(speed.bandwidth)),
                    printable(speed.source),
                    options.machine_file.empty() ? "; --machine FILE or --bandwidth say it better" : ""));
  for (jobs::TraceJob& one : made) one.job.note += "; bandwidth of an I/O node: " + speed.source;
  nodes = std::min<uint64_t>(nodes, schedule::FileLimits::nodes_per_io_node);
  return schedule::Machine::uniform(asked.io_nodes.value_or(io_nodes),
                                    asked.nodes.value_or(static_cast<uint32_t>(nodes)), speed.bandwidth);
}

Result<int> make_jobs(const JobsOptions& options, Output& out) {
  std::vector<jobs::TraceJob> made;
  for (const std::string& file : options.files) {
    Result<trace::Trace> trace = read_sized(file, options.ranks, StreamsUsed::outer);
    if (!trace) return tl::unexpected(trace.error());
    Result<jobs::TraceJob> job = jobs::job_of(*trace, options.making);
    if (!job) return within(file, job.error());
    job->job.id = static_cast<int64_t>(made.size());
    job->job.note = note_text(*job);
    made.push_back(std::move(*job));
  }
  Result<schedule::Machine> machine = machine_for(made, options);
  if (!machine) return tl::unexpected(machine.error());
  schedule::Workload workload{.machine = std::move(*machine)};
  for (const jobs::TraceJob& one : made) {
    workload.jobs.push_back(one.job);
    if (!options.quiet) say(summary_line(one));
  }
  return write_workload_file(workload, options.output, out);
}

}  // namespace

void add_jobs(CLI::App& root, Action& action) {
  CLI::App* command = add_command(root, "jobs", "Make a job file of recorded applications",
                                  "refrain jobs jacobi.rfn checkpoint.rfn --machine cluster -o jobs.json\n"
                                  "  refrain schedule plan jobs.json --mapping easy");
  auto options = std::make_shared<JobsOptions>();
  command->add_option("TRACES", options->files, "Traces, one for each job")->required();
  command
      ->add_option("--gap", options->making.gap_seconds,
                   "A longer pause between I/O calls begins a new phase")
      ->type_name("SECONDS")
      ->check(CLI::Range(1e-9, 1e9))
      ->capture_default_str();
  command->add_option("--ranks-per-node", options->making.ranks_per_node, "Ranks that share a node")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command
      ->add_option("--machine", options->machine_file,
                   "Machine file, as 'refrain simulate --calibrate' writes it, or one of: cluster, bluegene, "
                   "laptop: its I/O nodes, and how fast they are")
      ->type_name("FILE");
  command
      ->add_option("--io-nodes", options->machine.io_nodes,
                   "I/O nodes of the machine (default: those of --machine, or 1)")
      ->type_name("N")
      ->check(CLI::Range(1U, schedule::FileLimits::io_nodes));
  command
      ->add_option("--nodes-per-io-node", options->machine.nodes,
                   "Compute nodes behind each (default: those of --machine, or of all jobs together)")
      ->type_name("N")
      ->check(CLI::Range(1U, schedule::FileLimits::nodes_per_io_node));
  command
      ->add_option("--bandwidth", options->machine.bandwidth,
                   "Bytes per second of an I/O node (default: as --machine has it, or what the fastest of "
                   "the jobs had)")
      ->type_name("B")
      ->check(CLI::PositiveNumber);
  command->add_option("-o,--output", options->output, "File to write (default: standard output)")
      ->type_name("FILE");
  command->add_flag("-q,--quiet", options->quiet, "No messages when all is well");
  add_ranks_option(*command, options->ranks);
  command->callback(
      [&action, options] { action = [options](Output& out) { return make_jobs(*options, out); }; });
}

}  // namespace refrain::cli
