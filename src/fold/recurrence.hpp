// Whether the last few events have come in the same order before, at no more cost than a look into a table.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fold/tree.hpp"

namespace refrain::fold {

class Recurrence {
 public:
  /// Takes the next event. True if it and those before it, `length` of them, came like this not long ago.
  bool note(uint32_t signature) {
    if (marks_.empty()) marks_.assign(size_t{1} << bits, 0);
    uint64_t fresh = event_hash(signature);
    uint64_t& oldest = last_[at_++ % length];
    hash_ = hash_ * sequence_base + fresh - oldest * leaving;
    oldest = fresh;
    uint64_t mixed = mix64(hash_);
    auto mark = static_cast<uint32_t>(mixed) | 1;
    uint32_t& place = marks_[mixed >> (64 - bits)];
    bool before = place == mark;
    place = mark;
    return before;
  }
  size_t memory() const { return marks_.capacity() * sizeof(uint32_t); }

 private:
  static constexpr uint32_t length = 16;  ///< calls in random order don't repeat so many
  static constexpr int bits = 14;         ///< loops may have many calls
  static constexpr uint64_t leaving = [] {
    uint64_t power = 1;
    for (uint32_t i = 0; i < length; ++i) power *= sequence_base;
    return power;
  }();
  uint64_t hash_ = 0;
  std::array<uint64_t, length> last_{};
  uint32_t at_ = 0;
  std::vector<uint32_t> marks_;
};

}  // namespace refrain::fold
