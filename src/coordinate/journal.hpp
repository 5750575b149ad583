// A coordinator's journal, read back: which jobs there were, when they did I/O and when they waited for it,
// in the form in which a simulation tells it; and the simulation of the same jobs, started when and where
// these were. So that both can be drawn and measured beside each other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "schedule/simulate.hpp"

namespace refrain::coordinate {

/// Times are since the first job started. Jobs are by id; `profile` of none is known.
struct Happened {
  schedule::Workload workload{};
  schedule::Outcome outcome{};
  std::vector<schedule::IoInterval> log{};
  bool is_shared = false;  ///< several jobs did I/O at once on an I/O node
};

/// The journal of one coordinator, or of several one after another at the same address. Lines that are no
/// events are an error, but for a last one that was not finished.
Result<Happened> parse_journal(std::string_view text);
Result<Happened> read_journal(const std::string& path);

/// What would have happened to the same jobs by the profiles in `jobs`, a job file that has all their ids.
Result<Happened> simulate_same(const Happened& happened, const schedule::Workload& jobs);

}  // namespace refrain::coordinate
