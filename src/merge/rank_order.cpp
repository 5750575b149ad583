// See rank_order.hpp.
#include "merge/rank_order.hpp"

#include <algorithm>

namespace refrain::merge {

std::vector<bool> Order::interleaving() const {
  std::vector<uint32_t> a = a_->expand(), b = b_->expand();
  std::vector<bool> from_b;
  from_b.reserve(a.size() + b.size());
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    bool take_b = i == a.size() || (j < b.size() && b[j] < a[i]);
    from_b.push_back(take_b);
    ++(take_b ? j : i);
  }
  return from_b;
}

bool are_apart(const trace::RankSet& a, const trace::RankSet& b, uint64_t most_looked_at) {
  if (a.last() < b.first() || b.last() < a.first()) return true;
  const trace::RankSet &fewer = a.size() < b.size() ? a : b, &more = a.size() < b.size() ? b : a;
  if (fewer.size() > most_looked_at) return false;
  std::vector<uint32_t> ranks = fewer.expand();
  return std::none_of(ranks.begin(), ranks.end(), [&](uint32_t rank) { return more.contains(rank); });
}

}  // namespace refrain::merge
