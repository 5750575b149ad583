// What is to be explained: the values of one integer of the trace, at every rank of every run. The search for
// laws cuts such sequences into others (digits of the rank, ranks without an exception), so a sequence has
// places, which need not be ranks, and may leave places out. Laws of a sequence are written as if its places
// were ranks; whoever made the sequence puts the right expression in their place.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/rank_expression.hpp"

namespace refrain::extrapolate {

using trace::RankExpression;

/// The values at one number of ranks, of those places that are known.
struct Series {
  int64_t nprocs = 0;
  std::vector<uint32_t> places{};  ///< ascending
  std::vector<int64_t> values{};   ///< by places
};

struct Sequence {
  std::vector<Series> series{};                    ///< by ascending number of ranks; none is empty
  RankExpression size = RankExpression::nprocs();  ///< how many places there are
  bool condition = false;                          ///< says whether something happens; so does its law

  /// What the size is at a number of ranks.
  int64_t size_at(int64_t nprocs) const { return size.at(RankExpression::Point{.nprocs = nprocs}); }
  /// Whether all places of a series are known, or of all of them.
  bool is_complete(const Series& one) const { return std::ssize(one.places) == size_at(one.nprocs); }
  bool is_complete() const {
    return std::all_of(series.begin(), series.end(), [&](const Series& one) { return is_complete(one); });
  }
  /// One value more; places come in order.
  void add(uint32_t nprocs, uint32_t place, int64_t value) {
    if (series.empty() || series.back().nprocs != nprocs) series.push_back({.nprocs = nprocs});
    series.back().places.push_back(place);
    series.back().values.push_back(value);
  }
};

/// Values as a reader can take in: the first few of each run.
std::string values_text(const Sequence& s);
/// The largest value, or 0 if there is none above it.
int64_t largest(const Sequence& s);
/// How many different things were seen: a grid that is 2 wide in three runs shows the same in all of them. A
/// constant number of places is another matter: every run confirms what the others show.
size_t distinct_sizes(const Sequence& s);
/// Whether all places are known and have the same value, at each number of ranks, and some run has several.
bool is_plain(const Sequence& s);
/// Whether a law says of every rank, at any number of ranks, that something happens or doesn't, as
/// comparisons and what is made of them do. `sqrt(P)-2`, which is 0 or 1 at 4 and 9 ranks, doesn't.
bool is_condition(const RankExpression& law);

/// One integer per number of ranks.
struct Observation {
  int64_t nprocs = 0;
  int64_t value = 0;
  auto operator<=>(const Observation&) const = default;
};

/// A law that gives exactly what was observed.
struct Candidate {
  RankExpression law{};
  int cost = 0;   ///< how complicated it is; the simplest is taken
  int spare = 0;  ///< observations beyond those that its numbers were chosen to fit
};

constexpr int unconfirmed = 2;  ///< cost of a law that no run is left to confirm

/// A constant from whatever integer.
template <class Integer>
RankExpression number(Integer n) {
  return RankExpression::constant(static_cast<int64_t>(n));
}
/// The rank that a law is asked about.
inline RankExpression place() { return RankExpression::rank(); }

}  // namespace refrain::extrapolate
