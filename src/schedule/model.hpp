// What is scheduled and on what: a machine of I/O nodes with compute nodes behind each, and jobs that
// alternate computing and I/O. Periodic jobs are kept as they are written, never expanded: a job costs the
// memory of its distinct phases, however often they repeat.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/time.hpp"

namespace refrain::schedule {

/// An I/O node and the partition of compute nodes that does its I/O through it.
struct IoNode {
  uint32_t nodes = 0;
  double bandwidth = 1;  ///< volume per second
  bool operator==(const IoNode&) const = default;
};

struct Machine {
  std::vector<IoNode> io_nodes{};

  static Machine uniform(uint32_t io_nodes, uint32_t nodes, double bandwidth = 1) {
    return {std::vector<IoNode>(io_nodes, {nodes, bandwidth})};
  }
  uint64_t nodes() const;
  double best_bandwidth() const;
  uint32_t largest_partition() const;
  bool operator==(const Machine&) const = default;
};

/// Compute, then I/O. Either may be zero.
struct Phase {
  Time compute = 0;
  double volume = 0;
  bool operator==(const Phase&) const = default;
};

/// Phases `first` … `first + count - 1` of the job, `repeat` times over.
struct Block {
  uint32_t first = 0;
  uint32_t count = 0;
  uint64_t repeat = 1;
  bool operator==(const Block&) const = default;
};

struct Job {
  int64_t id = 0;
  std::string name{};
  std::string note{};  ///< for its readers: where it comes from, what is estimated
  uint32_t nodes = 1;
  Time release = 0;
  std::vector<Phase> phases{};
  std::vector<Block> blocks{};  ///< in the order in which they run; none of them is empty

  /// Appends `added`, `repeat` times over.
  void add_block(const std::vector<Phase>& added, uint64_t repeat);
  uint64_t phase_count() const;  ///< saturates
  Time compute_time() const;
  double volume() const;
  /// The time all its I/O takes at this bandwidth if nobody else is there.
  Time io_time(double bandwidth) const;
  /// T of the paper: the time it takes at this bandwidth if nobody else is there.
  Time alone(double bandwidth) const { return compute_time() + io_time(bandwidth); }
  bool operator==(const Job&) const = default;
};

struct Workload {
  Machine machine{};
  std::vector<Job> jobs{};  ///< by id, which is also the order that breaks ties
  bool operator==(const Workload&) const = default;
};

/// A job that repeats one phase.
Job periodic_job(int64_t id, uint32_t nodes, uint64_t iterations, Time compute, double volume);

/// The load of formula 6 of the paper: the I/O that would be asked of one I/O node per second, in units of
/// its bandwidth, if its compute nodes were always busy with such jobs. Partitions and bandwidths that differ
/// enter with their mean.
double io_load(const Workload& workload);

}  // namespace refrain::schedule
