// The runs as one tree. Every rank of every run becomes a rank of one large job: a run of 4 ranks has places
// 0 to 3, one of 8 has places 4 to 11, and so on. Then merging ranks does all the work: calls that only some
// runs make, loops that folded otherwise at small sizes, values of other forms are aligned as they are
// between ranks, and what is left are tables with a value for every place.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/result.hpp"
#include "trace/trace.hpp"

namespace refrain::extrapolate {

struct Place {
  uint32_t rank = 0;
  uint32_t nprocs = 0;
};

/// Lists of integers, each kept once. While runs are merged a list is but its number, so that lists of
/// different lengths are one value.
class Lists {
 public:
  int64_t number_of(std::vector<int64_t> list);
  const std::vector<int64_t>& operator[](int64_t number) const { return lists_[static_cast<size_t>(number)]; }
  size_t size() const { return lists_.size(); }

 private:
  std::vector<std::vector<int64_t>> lists_;
  std::map<std::vector<int64_t>, int64_t> numbers_;
};

struct Unified {
  trace::Trace trace{};         ///< one process; its ranks are places
  std::vector<Place> places{};  ///< what each of them is
  std::vector<uint32_t> sizes{};
  Lists lists{};
  size_t joined_loops = 0;  ///< of all runs

  /// A slope that no run determines, because the loop never ran more than once on the rank.
  static constexpr int64_t unknown_slope = INT64_MIN + 1;
};

/// What is one loop in the program may be several nodes on some ranks (split_loops.hpp): a loop with its last
/// turn behind it, or anything. A nest of loops that follows laws says more than the lists that are made of
/// it, so that not all are joined at first.
enum class SplitLoops : uint8_t { last_turns, all };

/// Fails if the runs aren't parallel jobs of different sizes, each recorded in full. With `times`, events get
/// laws of their times; else they have no times.
Result<Unified> unify(std::vector<trace::Trace> runs, bool times,
                      SplitLoops split_loops = SplitLoops::last_turns);

}  // namespace refrain::extrapolate
