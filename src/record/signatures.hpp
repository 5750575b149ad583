// Finds the number of a signature from what a call looked like: a few words that hold everything about the
// call except its integers. One hash probe on the hot path.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.hpp"

namespace refrain::record {

class SignatureTable {
 public:
  static constexpr uint32_t none = ~uint32_t{0};

  /// The signature for these words, or `none`.
  uint32_t find(const uint64_t* words, uint32_t count) const {
    if (cells_.empty()) return none;
    uint64_t hash = hash_of(words, count);
    for (size_t i = hash & (cells_.size() - 1);; i = (i + 1) & (cells_.size() - 1)) {
      const Cell& c = cells_[i];
      if (c.count == 0) return none;
      if (c.hash == hash && c.count == count && equal(&pool_[c.at], words, count)) return c.signature;
    }
  }
  void insert(const uint64_t* words, uint32_t count, uint32_t signature);
  size_t memory() const { return pool_.capacity() * 8 + cells_.capacity() * sizeof(Cell); }

 private:
  struct Cell {
    uint64_t hash;
    uint32_t at, count;  ///< in pool_; count 0: free
    uint32_t signature;
  };
  static uint64_t hash_of(const uint64_t* words, uint32_t count) {
    uint64_t h = count;
    for (uint32_t i = 0; i < count; ++i) h = (h ^ words[i]) * 0x9e3779b97f4a7c15ULL, h ^= h >> 29;
    return mix64(h);
  }
  static bool equal(const uint64_t* a, const uint64_t* b, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
      if (a[i] != b[i]) return false;
    return true;
  }
  void place(const Cell& cell);

  std::vector<uint64_t> pool_;
  std::vector<Cell> cells_;
  uint32_t size_ = 0;
};

}  // namespace refrain::record
