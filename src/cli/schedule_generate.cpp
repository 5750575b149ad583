// `refrain schedule generate`: random workloads by the protocol of the paper, or its Table 1.
#include <fmt/core.h>

#include <filesystem>
#include <memory>

#include "cli/schedule.hpp"
#include "cli/schedule_options.hpp"
#include "schedule/generate.hpp"
#include "schedule/job_file.hpp"

namespace refrain::cli {

namespace {

struct WorkloadOptions {
  schedule::Protocol protocol;
  bool table1 = false;
  uint64_t batches = 1;
  uint64_t count = 1;
  std::string output;
};

/// Most batches that keep every job of Table 1 within what a job file may hold.
constexpr uint64_t most_batches = 1000;

Result<int> write_workloads(const WorkloadOptions& options) {
  if (options.output.empty()) return fail(ErrorKind::usage, "--count needs a folder to write to, -o DIR");
  std::error_code error;
  std::filesystem::create_directories(options.output, error);
  if (error) return fail(ErrorKind::io, error.message(), options.output);
  schedule::Protocol protocol = options.protocol;
  for (uint64_t i = 0; i < options.count; ++i, ++protocol.number) {
    std::string file = fmt::format("{}/{:04}.json", options.output, protocol.number);
    Result<void> written = write_text(file, schedule::workload_text(schedule::generate(protocol)));
    if (!written) return tl::unexpected(written.error());
  }
  return 0;
}

Result<int> write_workload(const WorkloadOptions& options, Output& out) {
  if (options.count > 1) return write_workloads(options);
  schedule::Workload workload =
      options.table1 ? schedule::table1(options.batches) : schedule::generate(options.protocol);
  return write_workload_file(workload, options.output, out);
}

}  // namespace

void add_schedule_generate(CLI::App& group, Action& action) {
  CLI::App* command = add_command(group, "generate", "Write a random workload, by the protocol of the paper",
                                  "refrain schedule generate --load 3 --seed 7 -o jobs.json\n"
                                  "  refrain schedule generate --paper-table1 --batches 64 -o table1.json");
  auto options = std::make_shared<WorkloadOptions>();
  schedule::Protocol& protocol = options->protocol;
  command->add_option("--load", protocol.load, "I/O load to aim at; 1 is what an I/O node can do")
      ->type_name("ALPHA")
      ->check(CLI::Range(0.01, 1000.0))
      ->capture_default_str();
  command->add_option("--jobs", protocol.jobs, "Number of jobs (default: drawn from 25 to 100)")
      ->type_name("N")
      ->check(CLI::Range(1, 100000));
  command->add_option("--low-share", protocol.low_share, "Share of jobs with low I/O (default: drawn)")
      ->type_name("BETA")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--io-nodes", protocol.io_nodes, "I/O nodes of the machine")
      ->type_name("N")
      ->check(CLI::Range(1U, schedule::FileLimits::io_nodes))
      ->capture_default_str();
  command->add_option("--nodes-per-io-node", protocol.nodes_per_io_node, "Compute nodes behind each")
      ->type_name("N")
      ->check(CLI::Range(1U, schedule::FileLimits::nodes_per_io_node))
      ->capture_default_str();
  command->add_option("--seed", protocol.seed, "Equal seeds give equal workloads, on every machine")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--number", protocol.number, "Which workload of this seed")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--count", options->count, "Write so many, one after another, into the folder -o names")
      ->type_name("N")
      ->check(CLI::Range(1, 100000));
  CLI::Option* table1 = command->add_flag("--paper-table1", options->table1,
                                          "The five applications of the paper's Table 1 instead");
  command->add_option("--batches", options->batches, "With --paper-table1: times their number of iterations")
      ->type_name("K")
      ->check(CLI::Range(uint64_t{1}, most_batches))
      ->needs(table1);
  command->add_option("-o,--output", options->output, "File to write (default: standard output)")
      ->type_name("FILE");
  command->callback(
      [&action, options] { action = [options](Output& out) { return write_workload(*options, out); }; });
}

}  // namespace refrain::cli
