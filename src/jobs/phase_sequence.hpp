// Phases in the making: what a piece of a folded program does, cut where it computes for long. Loops repeat
// parts of it without unfolding them.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/model.hpp"

namespace refrain::jobs {

/// Some I/O, and the compute time before and within it.
struct Piece {
  bool is_cut = false;   ///< begins a phase; otherwise it continues the one before
  double long_gaps = 0;  ///< how many of the gaps in it are longer than the threshold
  double compute = 0;    ///< seconds
  double bytes = 0;

  void absorb(const Piece& other);
  Piece times(double factor) const;
};

class Sequence {
 public:
  void add(const Piece& piece);
  void add(const Sequence& other);
  /// Adds a sequence that runs `times` times on average. Returns whether phases had to be made equal that may
  /// not have been.
  bool add_repeated(const Sequence& once, double times);

  Piece total() const;
  /// Multiplies all compute times.
  void scale_compute(double factor);
  /// Appends everything to a job.
  void append_to(schedule::Job& job) const;

 private:
  struct Part {
    uint64_t repeat = 1;
    std::vector<Piece> pieces{};
  };
  /// Longer bodies of loops are replaced by their average when they are repeated again.
  static constexpr double most_pieces = 4096;

  bool has_cut() const;
  double piece_count() const;
  bool add_burst(const Piece& once, double times);
  void add_scaled(const Sequence& once, double factor);
  std::vector<Piece> flattened() const;

  std::vector<Part> parts_;
};

}  // namespace refrain::jobs
