// Which elements a datatype of MPI has, as a regular part of an array, as far as it is one.
#pragma once

#include <cstdint>
#include <optional>

#include "measure/slab.hpp"

namespace refrain::measure {

struct TypeLayout {
  Slab slab{};  ///< of elements that `unit` bytes have
  int64_t unit = 0;
  int64_t extent = 0;  ///< elements from one to the next, where it is repeated

  /// `bytes` side by side.
  static TypeLayout element(int64_t bytes);
  /// How many elements without gaps; 0 if there are gaps.
  int64_t run() const;
  /// Bytes that are read or written; 0 if there are too many to count.
  int64_t bytes() const;
};

using KnownLayout = std::optional<TypeLayout>;

KnownLayout repeated(const TypeLayout& type, int64_t count);
/// Blocks of `block` times the type, one every `stride` elements of it, or bytes.
KnownLayout strided(const TypeLayout& type, int64_t count, int64_t block, int64_t stride, bool in_bytes);
KnownLayout cut(const TypeLayout& type, std::vector<int64_t> sizes, std::vector<int64_t> parts,
                std::vector<int64_t> starts);
KnownLayout resized(const TypeLayout& type, int64_t lower_bound, int64_t bytes);

/// What `bytes` from position `at` on, both counted in what the type shows, are in a file that is tiled with
/// it; nothing if that is no regular part.
std::optional<Slab> seen_through(const TypeLayout& type, int64_t at, int64_t bytes);

}  // namespace refrain::measure
