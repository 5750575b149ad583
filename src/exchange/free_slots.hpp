// Slots of handles, as a recorder numbers them: the lowest one that is free.
#pragma once

#include <cstdint>
#include <set>

namespace refrain::exchange {

class FreeSlots {
 public:
  /// O(log n) amortized.
  int64_t take() {
    if (returned_.empty()) return next_++;
    int64_t slot = *returned_.begin();
    returned_.erase(returned_.begin());
    return slot;
  }
  void give_back(int64_t slot) { returned_.insert(slot); }

 private:
  int64_t next_ = 0;
  std::set<int64_t> returned_;
};

}  // namespace refrain::exchange
