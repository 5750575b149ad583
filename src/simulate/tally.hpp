// Counts what an application does while it is simulated: volumes, phases, the time in which it does I/O.
#pragma once

#include <map>
#include <queue>
#include <vector>

#include "simulate/outcome.hpp"

namespace refrain::simulate {

class Tally {
 public:
  explicit Tally(double phase_gap_s) : phase_gap_s_(phase_gap_s) {}

  /// A transfer will begin at this time, which may lie ahead, and will end.
  void begins(double at_s) { begins_.push(at_s); }
  /// One that began at `start_s` has ended now. Points in time don't decrease.
  void ends(double start_s, double at_s, const Volume& moved);
  /// All that has happened since `before` was taken happens `times` times more, each time `period_s` later.
  void repeat(const Tally& before, uint64_t times, double period_s);
  /// Moves what is under way by this.
  void shift(double by_s);

  /// What calls with one signature took, summed over ranks.
  struct Spent {
    uint64_t calls = 0;
    uint64_t bytes_read = 0;
    uint64_t bytes_written = 0;
    double seconds = 0;
    void add(const Spent& other) {
      calls += other.calls;
      bytes_read += other.bytes_read;
      bytes_written += other.bytes_written;
      seconds += other.seconds;
    }
  };

  Volume volume{};
  std::map<uint32_t, Spent> spent{};  ///< by signature
  double io_s = 0;
  std::vector<Phase> phases{};
  uint64_t phase_count = 0;
  Usage usage{};

  static constexpr size_t most_phases = 1000;

 private:
  void sweep(double until_s);
  void repeat_phases(const Tally& before, uint64_t times, double period_s);

  double phase_gap_s_;
  std::priority_queue<double, std::vector<double>, std::greater<>> begins_;
  uint64_t running_ = 0;
  double running_since_ = 0;
  double last_end_ = 0;
};

}  // namespace refrain::simulate
