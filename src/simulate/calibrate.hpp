// Measures the storage below a folder and describes this computer as a machine to simulate on: one node, one
// target. Small runs of reads and writes of several sizes, in order and apart, aligned and not, by one writer
// and by several, each into a file of its own or all into one.
#pragma once

#include <functional>
#include <string>

#include "simulate/machine.hpp"

namespace refrain::simulate {

struct CalibrationOptions {
  uint32_t writers = 0;                  ///< at most; 0: as many as there are processors
  uint64_t bytes = uint64_t{64} << 20U;  ///< that a writer moves in each run
  uint32_t repetitions = 5;              ///< of each run, of which the median counts
  std::function<void(size_t done, size_t total)> progress{};
};

/// Uses and removes files of its own below `folder`, which must exist.
Result<Machine> calibrate(const std::string& folder, const CalibrationOptions& options);

/// From what was measured to costs, apart from measuring. Times are seconds per call of one writer if not
/// said otherwise.
struct Measured {
  double small_write_s = 0;      ///< of `small_bytes`, in order
  double large_write_s = 0;      ///< of `large_bytes`, in order
  double large_read_s = 0;       ///< likewise
  double small_apart_s = 0;      ///< writes of small_bytes far from each other
  double small_unaligned_s = 0;  ///< writes of small_bytes one behind the other, beside the boundaries
  double all_write_rate = 0;     ///< bytes per second of all writers, in large calls
  double all_read_rate = 0;      ///< likewise
  double shared_write_rate = 0;  ///< likewise, of one file that all writers share
  double shared_read_rate = 0;   ///< likewise
  double all_small_s = 0;        ///< per call, all writers taken together, of small_bytes
  double all_open_s = 0;         ///< per open or close, all writers taken together
  uint32_t writers = 1;
  static constexpr uint64_t small_bytes = 4096;
  /// Most transfers of MPI libraries are no larger, and a buffer that leaves the processor's caches costs a
  /// third more per byte.
  static constexpr uint64_t large_bytes = uint64_t{1} << 20U;
};
Machine machine_of(const Measured& measured);

}  // namespace refrain::simulate
