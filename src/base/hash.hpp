// Hashing of structure. Collisions must be so unlikely that they don't happen, hence 64 bits and a full
// avalanche; equality that matters is always confirmed on the data itself or verified after the fact.
#pragma once

#include <cstdint>

namespace refrain {

/// Finaliser of MurmurHash3 (Austin Appleby, public domain): a bijection on 64 bits.
constexpr uint64_t mix64(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

constexpr uint64_t hash_combine(uint64_t h, uint64_t v) { return mix64(h * 0x9e3779b97f4a7c15ULL + v); }

}  // namespace refrain
