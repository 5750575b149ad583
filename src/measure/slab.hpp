// A regular part of an array, as hyperslabs of HDF5, arrays of netCDF and datatypes of MPI describe it: in
// each dimension `count` blocks, one every `stride` elements. How ranks go through arrays, in words: "each
// rank a block of 16 x 16 of 32 x 32 elements".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace refrain::measure {

struct Slab {
  struct Dimension {
    int64_t start = 0;
    int64_t stride = 1;
    int64_t count = 1;
    int64_t block = 1;
    bool operator==(const Dimension&) const = default;
  };
  std::vector<Dimension> dimensions{};  ///< the last one varies fastest
  std::vector<int64_t> of{};            ///< size of the array; empty if it is not known
  int64_t before = 0;                   ///< bytes of the file before the array, if that is known

  /// The whole array.
  static Slab all(const std::vector<int64_t>& of);
  /// Blocks that touch are one block.
  void simplify();
  bool is_block() const;                  ///< one block in each dimension
  std::optional<int64_t> points() const;  ///< selected elements; nothing if there are too many to count
  bool has_shape_of(const Slab& other) const;
  bool operator==(const Slab&) const = default;
};

/// Both together, if that is a block again: neighbors in one dimension.
std::optional<Slab> united(const Slab& a, const Slab& b);

/// What one rank reads or writes of one array, access by access.
struct SlabWalk {
  uint64_t accesses = 0;
  uint64_t bytes = 0;
  Slab first{}, last{};
  std::vector<int64_t> step{};  ///< between the first two: bytes before the array, then start by dimension
  bool same_shape = true;
  bool same_step = true;
  bool regular = true;  ///< false: of some access it is not known which part

  void add(const Slab& slab, uint64_t bytes);
  void add_unknown(uint64_t bytes);
  /// As if `turns` more rounds had been made, each of which does as much and moves on as far as what was
  /// done since `before`.
  void leap(const SlabWalk& before, uint64_t turns);
  bool operator==(const SlabWalk&) const = default;
};

struct RankSlabs {
  uint32_t rank = 0;
  SlabWalk walk{};
  uint64_t ranks = 1;  ///< so many did exactly the same
};

/// Words for what all of them did; `everyone`: how many ranks there are. Empty if nobody did anything.
std::string slab_words(std::vector<RankSlabs> walks, uint64_t everyone);

}  // namespace refrain::measure
