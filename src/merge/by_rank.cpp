// See by_rank.hpp.
#include "merge/by_rank.hpp"

#include "merge/fit_expression.hpp"

namespace refrain::merge {

using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

ByRank::ByRank(const trace::RankSet& ranks, std::span<const int64_t> values) {
  const trace::RankSet::Block& block = ranks.blocks().back();
  uint64_t last = block.first;
  for (const trace::RankSet::Stride& level : block.levels) last += (level.count - 1) * level.stride;
  if (last + 1 == values.size() || last > 2 * values.size() + 64) return;
  values_.resize(last + 1);
  known_.resize(last + 1);
  std::vector<uint32_t> of_set = ranks.expand();
  for (size_t i = 0; i < of_set.size(); ++i) {
    values_[of_set[i]] = values[i];
    known_[of_set[i]] = true;
  }
}

ByRank::Stretch ByRank::longest_stretch() const {
  Stretch longest, now;
  for (size_t i = 0; i < known_.size(); ++i) {
    now = known_[i] ? Stretch{i - now.count, now.count + 1} : Stretch{};
    if (now.count > longest.count) longest = now;
  }
  return longest;
}

bool ByRank::continue_lines() {
  for (size_t i = values_.size(); i-- > 0;) {
    if (known_[i]) continue;
    bool two = i + 2 < values_.size();
    values_[i] = two ? wrap_sub(wrap_mul(2, values_[i + 1]), values_[i + 2]) : values_[i + 1];
  }
  return true;
}

bool ByRank::continue_periods() {
  Stretch stretch = longest_stretch();
  std::span<const int64_t> seen = std::span(values_).subspan(stretch.start, stretch.count);
  size_t period = period_of(seen);
  if (2 * period > stretch.count) return false;
  int64_t shift = wrap_sub(seen[period], seen[0]);
  for (size_t i = stretch.start + stretch.count; i < values_.size(); ++i)
    if (!known_[i]) values_[i] = wrap_add(values_[i - period], shift);
  for (size_t i = stretch.start; i-- > 0;)
    if (!known_[i]) values_[i] = wrap_sub(values_[i + period], shift);
  return true;
}

}  // namespace refrain::merge
