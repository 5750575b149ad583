// What a simulation found: times and totals per application, phase and target, and how busy storage was over
// time. Plain data, and its JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace refrain::simulate {

struct Volume {
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  uint64_t transfers = 0;  ///< calls that move data, of all ranks
  uint64_t metadata = 0;   ///< operations of the metadata server
  uint64_t barriers = 0;   ///< calls that wait for others, collective transfers among them
  void add(const Volume& other, uint64_t times = 1);
  Volume minus(const Volume& other) const;
  bool operator==(const Volume&) const = default;
};

/// What calls of one function took, summed over ranks, from when a rank makes the call to when it goes on:
/// waiting for other ranks in collective calls counts.
struct FunctionOutcome {
  std::string function{};
  uint64_t calls = 0;
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  double seconds = 0;
  bool operator==(const FunctionOutcome&) const = default;
};

/// A time in which an application does I/O without longer pauses.
struct Phase {
  double start_s = 0;
  double end_s = 0;
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  uint64_t transfers = 0;
  bool operator==(const Phase&) const = default;
};

/// How many bytes were moved, over time, in bins of equal width.
struct Usage {
  static constexpr size_t bins = 256;
  double bin_s = 1e-6;
  std::vector<double> bytes{};  ///< at most `bins`
  /// Bytes that moved evenly from `start_s` to `end_s`. Bins become wider as time goes on.
  void add(double start_s, double end_s, double amount);
  bool operator==(const Usage&) const = default;
};

struct ApplicationOutcome {
  std::string name{};
  uint32_t ranks = 1;
  uint32_t groups = 1;  ///< of ranks that were simulated as one
  double start_s = 0;
  double end_s = 0;
  double io_s = 0;      ///< in which at least one transfer was under way
  double waited_s = 0;  ///< for leases of the coordinator
  double alone_s = 0;   ///< what it takes without the others; 0: not simulated
  Volume volume{};
  std::vector<Phase> phases{};
  uint64_t phase_count = 0;                  ///< may be more than are listed
  std::vector<FunctionOutcome> functions{};  ///< that move data, by name
  Usage usage{};
  double seconds() const { return end_s - start_s; }
  double stretch() const { return alone_s > 0 ? seconds() / alone_s : 1; }
  bool operator==(const ApplicationOutcome&) const = default;
};

struct TargetOutcome {
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  uint64_t requests = 0;
  double busy_s = 0;  ///< seconds of work
  bool operator==(const TargetOutcome&) const = default;
};

/// A time in which an application had the I/O node to itself.
struct Lease {
  uint32_t application = 0;
  uint32_t io_node = 0;
  double start_s = 0;
  double end_s = 0;
  bool operator==(const Lease&) const = default;
};

struct Outcome {
  std::vector<ApplicationOutcome> applications{};
  std::vector<TargetOutcome> targets{};
  std::vector<Lease> leases{};
  uint64_t flows = 0;    ///< that were simulated
  uint64_t skipped = 0;  ///< turns of loops that were not, because they repeat others
  std::vector<std::string> notes{};
  double makespan_s() const;
  bool operator==(const Outcome&) const = default;
};

std::string outcome_json(const Outcome& outcome);
/// Reads what outcome_json() wrote; every number comes back as it was.
Result<Outcome> parse_outcome(std::string_view text);

}  // namespace refrain::simulate
