// Finds the number of a signature from what a call looked like: a few words that hold everything about the
// call except its integers. On the hot path the words are compared with a guess while they are put down.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.hpp"

namespace refrain::record {

class SignatureTable {
 public:
  static constexpr uint32_t none = ~uint32_t{0};
  static constexpr uint32_t max_words = 128;

  /// The signature last found for a function and call site (words 0 and 1 of each): nearly always the one
  /// asked for next. `max_words` words can be read.
  struct Guess {
    const uint64_t* words;
    uint32_t count, signature;
  };
  Guess guess(uint64_t word_0, uint64_t word_1) const {
    const Recent& recent = recent_[recent_place(word_0, word_1)];
    return {base_ + recent.at, recent.count, recent.signature};
  }
  /// The signature for these words, or `none`.
  uint32_t find(const uint64_t* words, uint32_t count) const {
    if (cells_.empty()) return none;
    uint64_t hash = hash_of(words, count);
    for (size_t i = hash & (cells_.size() - 1);; i = (i + 1) & (cells_.size() - 1)) {
      const Cell& c = cells_[i];
      if (c.count == 0) return none;
      if (c.hash != hash || c.count != count || !equal(base_ + c.at, words, count)) continue;
      recent_[recent_place(words[0], words[1])] = {c.at, count, c.signature};
      return c.signature;
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
  struct Recent {
    uint32_t at = 0, count = 0;
    uint32_t signature = none;
  };
  static constexpr int recent_bits = 8;
  /// The calls of a loop should not meet in one place.
  static size_t recent_place(uint64_t word_0, uint64_t word_1) {
    return (word_1 + (word_0 << 32)) * 0x9e3779b97f4a7c15ULL >> (64 - recent_bits);
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

  static constexpr uint64_t no_words[max_words] = {};

  std::vector<uint64_t> pool_;       ///< ends with `max_words` that can be read
  const uint64_t* base_ = no_words;  ///< where it begins
  std::vector<Cell> cells_;
  uint32_t size_ = 0;
  mutable Recent recent_[size_t{1} << recent_bits];
};

}  // namespace refrain::record
