// See sequence.hpp.
#include "jobs/phase_sequence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace refrain::jobs {

namespace {

/// A piece without bytes is no phase: its compute time belongs to the next one. In a loop the next one behind
/// the last is the first.
void carry_compute(std::vector<Piece>& pieces) {
  bool any = std::any_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.bytes > 0; });
  if (!any) return;
  double carried = 0;
  for (int round = 0; round < 2; ++round) {
    for (Piece& piece : pieces) {
      if (piece.bytes > 0) {
        piece.compute += std::exchange(carried, 0);
      } else {
        carried += std::exchange(piece.compute, 0);
      }
    }
  }
  std::erase_if(pieces, [](const Piece& piece) { return piece.bytes <= 0; });
}

/// Whole numbers of bytes where only rounding keeps them from being whole.
double tidy(double bytes) {
  double whole = std::round(bytes);
  return std::abs(bytes - whole) < 1e-6 * std::max(1.0, std::abs(whole) * 1e-6) ? whole : bytes;
}

schedule::Phase phase_of(const Piece& piece) {
  double longest = schedule::in_seconds(schedule::longest_time);
  return {schedule::from_seconds(std::min(piece.compute, longest)), tidy(piece.bytes)};
}

}  // namespace

void Piece::absorb(const Piece& other) {
  long_gaps += other.long_gaps;
  compute += other.compute;
  bytes += other.bytes;
}

Piece Piece::times(double factor) const {
  return {is_cut, long_gaps * factor, compute * factor, bytes * factor};
}

void Sequence::add(const Piece& piece) {
  if (parts_.empty() || parts_.back().repeat > 1) parts_.emplace_back();
  std::vector<Piece>& pieces = parts_.back().pieces;
  if (!piece.is_cut && !pieces.empty()) {
    pieces.back().absorb(piece);
  } else {
    pieces.push_back(piece);
  }
}

void Sequence::add(const Sequence& other) {
  for (const Part& part : other.parts_) {
    if (part.repeat > 1) {
      parts_.push_back(part);
    } else {
      for (const Piece& piece : part.pieces) add(piece);
    }
  }
}

bool Sequence::has_cut() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) {
    return std::any_of(part.pieces.begin(), part.pieces.end(),
                       [](const Piece& piece) { return piece.is_cut; });
  });
}

double Sequence::piece_count() const {
  double count = 0;
  for (const Part& part : parts_)
    count += static_cast<double>(part.repeat) * static_cast<double>(part.pieces.size());
  return count;
}

Piece Sequence::total() const {
  Piece sum;
  for (const Part& part : parts_) {
    for (const Piece& piece : part.pieces) sum.absorb(piece.times(static_cast<double>(part.repeat)));
  }
  return sum;
}

std::vector<Piece> Sequence::flattened() const {
  std::vector<Piece> pieces;
  for (const Part& part : parts_) {
    for (uint64_t i = 0; i < part.repeat; ++i)
      pieces.insert(pieces.end(), part.pieces.begin(), part.pieces.end());
  }
  return pieces;
}

/// A loop without cuts: one burst, or as many as there are long gaps in it.
bool Sequence::add_burst(const Piece& once, double times) {
  Piece all = once.times(times);
  double count = std::round(all.long_gaps);
  all.is_cut = count >= 1;
  if (count <= 1) {
    add(all);
    return false;
  }
  Piece each = all.times(1 / count);
  each.long_gaps = 1;
  parts_.push_back({static_cast<uint64_t>(count), {each}});
  return true;
}

/// What runs at most once: a condition.
void Sequence::add_scaled(const Sequence& once, double factor) {
  for (const Part& part : once.parts_) {
    double repeat = std::max(1.0, std::round(static_cast<double>(part.repeat) * factor));
    double share = static_cast<double>(part.repeat) * factor / repeat;
    Part scaled{static_cast<uint64_t>(repeat), {}};
    for (const Piece& piece : part.pieces) {
      scaled.pieces.push_back(piece.times(share));
      scaled.pieces.back().is_cut &= factor >= 0.5;
    }
    Sequence one;
    one.parts_.push_back(std::move(scaled));
    add(one);
  }
}

bool Sequence::add_repeated(const Sequence& once, double times) {
  if (once.parts_.empty()) return false;
  if (times <= 1) {
    add_scaled(once, times);
    return false;
  }
  if (!once.has_cut()) return add_burst(once.total(), times);
  double repeat = std::max(1.0, std::round(times));
  bool too_many = once.piece_count() > most_pieces;
  std::vector<Piece> pieces;
  if (too_many) {
    repeat = std::min(0x1p52, std::round(times * once.piece_count()));
    pieces.push_back(once.total().times(times / repeat));
    pieces.back().is_cut = true;
  } else {
    pieces = once.flattened();
    for (Piece& piece : pieces) piece = piece.times(times / repeat);
    if (!pieces.front().is_cut) {
      pieces.back().absorb(pieces.front());
      pieces.erase(pieces.begin());
    }
    carry_compute(pieces);
  }
  Sequence body;
  body.parts_.push_back({static_cast<uint64_t>(repeat), std::move(pieces)});
  add(body);
  return too_many;
}

void Sequence::scale_compute(double factor) {
  for (Part& part : parts_) {
    for (Piece& piece : part.pieces) piece.compute *= factor;
  }
}

void Sequence::append_to(schedule::Job& job) const {
  double carried = 0;
  for (const Part& part : parts_) {
    std::vector<schedule::Phase> phases;
    if (part.repeat > 1 && carried > 0) {
      job.add_block({phase_of({.compute = std::exchange(carried, 0)})}, 1);
    }
    for (Piece piece : part.pieces) {
      piece.compute += std::exchange(carried, 0);
      if (piece.bytes > 0 || part.repeat > 1) {
        phases.push_back(phase_of(piece));
      } else {
        carried = piece.compute;
      }
    }
    job.add_block(phases, part.repeat);
  }
  if (carried > 0) job.add_block({phase_of({.compute = carried})}, 1);
}

}  // namespace refrain::jobs
