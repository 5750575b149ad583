// See order.hpp.
#include "merge/rank_order.hpp"

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

}  // namespace refrain::merge
