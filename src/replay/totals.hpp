// What a replay did: calls, bytes and time by layer, and by phase beside the recorded time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace refrain::replay {

struct LayerTotal {
  std::string layer{};
  uint64_t calls = 0;
  uint64_t read = 0;
  uint64_t written = 0;
  double seconds = 0;  ///< inside the calls; of the slowest rank
};

/// A piece of the program: a loop, or the calls between two loops.
struct PhaseTotal {
  std::string name{};
  double recorded_seconds = 0;  ///< calls and gaps, as recorded; of the slowest rank
  double seconds = 0;           ///< now
  uint64_t bytes = 0;
};

/// The recorded program aborted its job. The replay does so at its end, so that all ranks make all their
/// calls.
struct RecordedAbort {
  bool due = false;
  uint64_t communicator = 0;
  int code = 0;
};

struct Totals {
  uint32_t processes = 1;
  double seconds = 0;
  std::vector<LayerTotal> layers{};
  std::vector<PhaseTotal> phases{};
  uint64_t surprises = 0;      ///< calls that succeeded though the recorded ones failed
  uint64_t failures = 0;       ///< calls that failed though the recorded ones succeeded
  uint64_t races = 0;          ///< calls that ended differently because ranks race for a file
  uint64_t short_reads = 0;    ///< calls that returned less data than the recorded ones
  uint64_t bytes_missing = 0;  ///< number of bytes by which they did
  std::string first_short{};   ///< the first of them, if this rank is to report it
  RecordedAbort abort{};       ///< of this rank
  bool ends_by_abort = false;  ///< some rank aborts the job
};

}  // namespace refrain::replay
