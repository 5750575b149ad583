// Whether one set of ranks is part of another, from their descriptions: sets of a few bytes may have millions
// of ranks.
//
// A block of the outer set is a number in mixed digits: 0..2032 step 16 of 0..15 is 16·a + b. A block of the
// inner set fits into it if its strides are multiples of 16 or stay below 16 altogether; then each digit is
// looked at by itself. Where strides of the inner block cross digits, its outermost level is taken apart.
#include <algorithm>
#include <optional>
#include <span>

#include "trace/rank_set.hpp"

namespace refrain::trace {
namespace {

using Block = RankSet::Block;
using Levels = std::span<const RankSet::Stride>;

uint64_t extent_of(Levels levels) {
  uint64_t extent = 0;
  for (const auto& level : levels) extent += (level.count - 1) * level.stride;
  return extent;
}

class Inclusion {
 public:
  Inclusion(const std::vector<Block>& outer, uint64_t& steps) : outer_(outer), steps_(steps) {}

  bool has(uint64_t first, Levels levels) {
    if (steps_ == 0) return false;
    --steps_;
    auto after = std::upper_bound(outer_.begin(), outer_.end(), first,
                                  [](uint64_t r, const Block& block) { return r < block.first; });
    if (after == outer_.begin()) return false;
    const Block& block = *(after - 1);
    if (first + extent_of(levels) <= block.first + extent_of(block.levels))
      if (auto known = in_digits(first - block.first, levels, block.levels)) return *known;
    if (levels.empty()) return false;
    for (uint64_t k = 0; k < levels[0].count; ++k)
      if (!has(first + k * levels[0].stride, levels.subspan(1))) return false;
    return true;
  }

 private:
  /// Nothing if strides cross digits.
  static std::optional<bool> in_digits(uint64_t first, Levels levels, Levels digits) {
    if (digits.empty()) return first == 0 && levels.empty();
    uint64_t unit = digits[0].stride, most = first / unit, low = first % unit;
    std::vector<RankSet::Stride> below;
    for (const auto& level : levels) {
      if (level.stride % unit == 0)
        most += (level.count - 1) * (level.stride / unit);
      else
        below.push_back(level);
    }
    if (low + extent_of(below) >= unit) return std::nullopt;
    if (most >= digits[0].count) return false;
    return in_digits(low, below, digits.subspan(1));
  }

  const std::vector<Block>& outer_;
  uint64_t& steps_;
};

}  // namespace

bool RankSet::is_within(const RankSet& other, uint64_t& steps) const {
  Inclusion inclusion(other.blocks_, steps);
  return std::all_of(blocks_.begin(), blocks_.end(),
                     [&](const Block& block) { return inclusion.has(block.first, block.levels); });
}

}  // namespace refrain::trace
