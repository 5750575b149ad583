// A total cut into blocks that are dealt in turn, the last of which is smaller, as ScaLAPACK's numroc counts
// them: of 1000 columns in blocks of 16, 62 are whole, and rank 62%P has the other 8.
#include <numeric>
#include <set>

#include "base/wide.hpp"
#include "extrapolate/fit_law.hpp"

namespace refrain::extrapolate {
namespace {

/// What all ranks of each run have together; nothing if that isn't always the same.
std::optional<int64_t> total_of(const Sequence& s) {
  std::optional<int64_t> total;
  for (const Series& series : s.series) {
    Wide sum = 0;
    for (int64_t v : series.values) sum += v;
    if (sum < 1 || sum > INT64_MAX || total.value_or(static_cast<int64_t>(sum)) != sum) return std::nullopt;
    total = static_cast<int64_t>(sum);
  }
  return total;
}

}  // namespace

void dealt_family(Search& s) {
  if (is_mask(s.sequence) || !s.sequence.is_complete()) return;
  std::optional<int64_t> total = total_of(s.sequence);
  if (!total) return;
  std::set<int64_t> blocks;  // those who have most have a block more than those who have least
  for (const Series& series : s.sequence.series)
    for (int64_t v : series.values)
      if (v < 0)
        return;
      else if (int64_t more = v - series.values.back(); more > 1 && more < *total)
        blocks.insert(more);
  constexpr size_t most_tried = 12;
  if (blocks.size() > most_tried) return;
  const RankExpression& n = s.sequence.size;
  for (int64_t block : blocks) {
    if (*total % block == 0) continue;
    RankExpression whole = number(*total / block);
    RankExpression own = RankExpression::quotient(whole - place() + n - number(1), n);
    RankExpression last = RankExpression::equal(place(), RankExpression::remainder(whole, n));
    s.offer(own * number(block) + last * number(*total % block), 8,
            static_cast<int>(distinct_sizes(s.sequence)) - 2);
  }
}

}  // namespace refrain::extrapolate
