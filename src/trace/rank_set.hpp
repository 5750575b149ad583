// Which ranks execute a node: nested strided intervals, as in `0`, `0..2047`, `0..2032 step 16`,
// `(0..3) + 0..1020 step 16`; in a scale-free trace, where the number of ranks isn't known, a condition
// instead: `where rank % 16 == 0`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "trace/rank_expression.hpp"

namespace refrain::trace {

/// An ordered set of ranks. Equal sets that are canonical have equal descriptions.
class RankSet {
 public:
  /// first, first+stride, … (count of them), one level of a nested description.
  struct Stride {
    uint64_t count;
    uint64_t stride;
    bool operator==(const Stride&) const = default;
  };
  /// The ranks first + Σ k_d · stride_d with k_d < count_d, outermost level first.
  struct Block {
    uint64_t first;
    std::vector<Stride> levels;
    bool operator==(const Block&) const = default;
  };
  static constexpr uint64_t max_rank = (uint64_t{1} << 31) - 1;
  /// Sets up to this size may be listed; larger ones are left as they are described.
  static constexpr uint64_t most_listed = uint64_t{1} << 24;

  RankSet() = default;
  static RankSet of(std::vector<uint32_t> ranks);
  /// The ranks from `first` up to but not including `end`.
  struct Run {
    uint32_t first, end;
  };
  /// The same set as if the ranks of all runs were listed; runs ascend, are not empty and don't touch.
  static RankSet of_runs(const std::vector<Run>& runs);
  static RankSet range(uint32_t first, uint32_t count);
  /// Those ranks for which the law isn't zero: a set of a scale-free trace. It has no ranks to list or count
  /// until at_size has made it an ordinary one.
  static RankSet where(RankExpression law);

  bool empty() const { return blocks_.empty() && !law_; }
  /// The law; null unless it is a set of a scale-free trace.
  const RankExpression* law() const { return law_.get(); }
  uint64_t size() const;
  bool contains(uint32_t rank) const;
  /// Smallest and largest rank; the set must not be empty.
  uint32_t first() const;
  uint32_t last() const;
  /// How many ranks of the set are smaller than `rank`, if it is in the set. O(blocks).
  std::optional<uint64_t> position(uint32_t rank) const;
  /// The rank at that position, which must be below size(). O(blocks).
  uint32_t at(uint64_t position) const;
  /// Ranks that are in one or in both. O(blocks) where the larger ones of one follow the other; the
  /// description is then a good one, but only canonical() makes it the same for equal sets.
  RankSet united(const RankSet& other) const;
  /// Makes it that set.
  void unite(RankSet other);
  RankSet canonical() const;
  /// Whether all its ranks are in the other one. `steps` are counted down by what that takes: about the
  /// number of blocks, for irregular sets the number of ranks. When none are left the answer is no.
  bool is_within(const RankSet& other, uint64_t& steps) const;
  std::vector<uint32_t> expand() const;
  const std::vector<Block>& blocks() const { return blocks_; }

  std::string text() const;
  void write(ByteWriter& out) const;
  static RankSet read(ByteReader& in);
  bool operator==(const RankSet& other) const;

 private:
  std::vector<Block> blocks_;  ///< disjoint, ordered by first
  std::shared_ptr<const RankExpression> law_;
};

}  // namespace refrain::trace
