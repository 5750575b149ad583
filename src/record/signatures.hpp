// Finds the number of a signature from what a call looked like: a few words that hold everything about the
// call except its integers. One comparison on the hot path.
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
    const Recent& recent = recent_[recent_place(words)];
    if (recent.count == count && equal(&pool_[recent.at], words, count)) [[likely]]
      return recent.signature;
    return find_slowly(words, count);
  }
  void insert(const uint64_t* words, uint32_t count, uint32_t signature);
  size_t memory() const { return pool_.capacity() * 8 + cells_.capacity() * sizeof(Cell); }

 private:
  struct Cell {
    uint64_t hash;
    uint32_t at, count;  ///< in pool_; count 0: free
    uint32_t signature;
  };
  /// The signature last found for a call site: nearly always the one asked for next.
  struct Recent {
    uint32_t at = 0, count = 0;
    uint32_t signature = none;
  };
  static constexpr int recent_bits = 8;
  /// Words 0 and 1 tell function and call site. The calls of a loop should not meet in one place.
  static size_t recent_place(const uint64_t* words) {
    return (words[1] + (words[0] << 32)) * 0x9e3779b97f4a7c15ULL >> (64 - recent_bits);
  }

  uint32_t find_slowly(const uint64_t* words, uint32_t count) const {
    if (cells_.empty()) return none;
    uint64_t hash = hash_of(words, count);
    for (size_t i = hash & (cells_.size() - 1);; i = (i + 1) & (cells_.size() - 1)) {
      const Cell& c = cells_[i];
      if (c.count == 0) return none;
      if (c.hash != hash || c.count != count || !equal(&pool_[c.at], words, count)) continue;
      recent_[recent_place(words)] = {c.at, count, c.signature};
      return c.signature;
    }
  }
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
  mutable Recent recent_[size_t{1} << recent_bits];
};

}  // namespace refrain::record
