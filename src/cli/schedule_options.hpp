// What the commands below `refrain schedule` have in common: options for the machine and the strategy, and
// files that are read and written whole.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "schedule/simulate.hpp"

namespace refrain::cli {

/// Replaces parts of the machine that a job file describes.
struct MachineOptions {
  std::optional<uint32_t> io_nodes;
  std::optional<uint32_t> nodes;
  std::optional<double> bandwidth;
};
void add_machine_options(CLI::App& command, MachineOptions& options);

struct StrategyOptions {
  std::string policy = "fifo";
  std::string mapping = "make-pack";
  std::string sensibility = "1";
  std::string sharing = "exclusive";
  double degradation = 0;
};
void add_strategy_options(CLI::App& command, StrategyOptions& options);

Result<schedule::Setup> make_setup(const StrategyOptions& options);

/// Reads a job file and applies the options.
Result<schedule::Workload> load_workload(const std::string& file, const MachineOptions& options);

Result<void> write_text(const std::string& file, const std::string& text);
/// Writes a job file, to standard output if `file` is empty; returns the exit code.
Result<int> write_workload_file(const schedule::Workload& workload, const std::string& file, Output& out);

/// "a,b,c" as its words; empty ones are left out.
std::vector<std::string> split_list(const std::string& list);

/// Seconds with the digits that matter.
std::string seconds_text(schedule::Time time);

}  // namespace refrain::cli
