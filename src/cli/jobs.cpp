// `refrain jobs TRACE...`: recorded applications as a job file for `refrain schedule`.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>

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
  std::string output;
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

/// A machine that all jobs fit on, as fast as the fastest of them was, unless the options say otherwise.
schedule::Machine machine_for(const std::vector<jobs::TraceJob>& made, const MachineOptions& options) {
  uint64_t nodes = 0;
  double bandwidth = 0;
  for (const jobs::TraceJob& one : made) {
    nodes += one.job.nodes;
    bandwidth = std::max(bandwidth, one.bandwidth);
  }
  nodes = std::min<uint64_t>(nodes, schedule::FileLimits::nodes_per_io_node);
  if (bandwidth <= 0) bandwidth = 1e9;
  return schedule::Machine::uniform(options.io_nodes.value_or(1),
                                    options.nodes.value_or(static_cast<uint32_t>(nodes)),
                                    options.bandwidth.value_or(bandwidth));
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
  schedule::Workload workload{.machine = machine_for(made, options.machine)};
  for (const jobs::TraceJob& one : made) {
    workload.jobs.push_back(one.job);
    if (!options.quiet) say(summary_line(one));
  }
  return write_workload_file(workload, options.output, out);
}

}  // namespace

void add_jobs(CLI::App& root, Action& action) {
  CLI::App* command = add_command(root, "jobs", "Make a job file of recorded applications",
                                  "refrain jobs jacobi.rfn checkpoint.rfn -o jobs.json\n"
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
  command->add_option("--io-nodes", options->machine.io_nodes, "I/O nodes of the machine (default: 1)")
      ->type_name("N")
      ->check(CLI::Range(1U, schedule::FileLimits::io_nodes));
  command
      ->add_option("--nodes-per-io-node", options->machine.nodes,
                   "Compute nodes behind each (default: those of all jobs together)")
      ->type_name("N")
      ->check(CLI::Range(1U, schedule::FileLimits::nodes_per_io_node));
  command
      ->add_option("--bandwidth", options->machine.bandwidth,
                   "Bytes per second of an I/O node (default: what the fastest of the jobs had)")
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
