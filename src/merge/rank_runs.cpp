// See rank_runs.hpp. The levels around the innermost one count like the digits of a number.
#include "merge/rank_runs.hpp"

namespace refrain::merge {

void RankRuns::enter_block() {
  if (done()) return;
  const trace::RankSet::Block& block = ranks_.blocks()[block_];
  first_ = block.first;
  digits_.assign(block.levels.empty() ? 0 : block.levels.size() - 1, 0);
}

RankRun RankRuns::next() {
  const trace::RankSet::Block& block = ranks_.blocks()[block_];
  RankRun run{first_, 1, 1};
  if (!block.levels.empty()) run = {first_, block.levels.back().stride, block.levels.back().count};
  for (size_t d = digits_.size(); d-- > 0;) {
    const trace::RankSet::Stride& level = block.levels[d];
    first_ += level.stride;
    if (++digits_[d] < level.count) return run;
    first_ -= level.count * level.stride;
    digits_[d] = 0;
  }
  ++block_;
  enter_block();
  return run;
}

}  // namespace refrain::merge
