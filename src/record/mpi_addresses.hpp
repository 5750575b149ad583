// Datatypes over memory by absolute addresses: a program asks for them with MPI_Get_address and later
// transfers with MPI_BOTTOM. Where its memory is differs from run to run and from rank to rank, and is no
// part of its I/O: such displacements are kept from the lowest one on. Distances of more than 16 MiB, as
// between heap and stack, count as 16 MiB: who makes the calls again needs memory from the first block to the
// last.
//
// Displacements in a file are never taken for addresses: all of a list must lie beyond 4 GiB and be memory of
// the process.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "record/readable.hpp"

namespace refrain::record {

inline constexpr int64_t largest_distance = int64_t{1} << 24;

inline bool is_address(int64_t displacement) {
  constexpr int64_t lowest = int64_t{1} << 32;
  return displacement >= lowest && readable_word(static_cast<uint64_t>(displacement));
}

/// From the lowest one on.
inline std::vector<int64_t> relative_addresses(const int64_t* values, size_t length) {
  std::vector<int64_t> ordered(values, values + length);
  std::sort(ordered.begin(), ordered.end());
  ordered.erase(std::unique(ordered.begin(), ordered.end()), ordered.end());
  std::vector<int64_t> places(ordered.size(), 0);
  for (size_t k = 1; k < ordered.size(); ++k)
    places[k] = places[k - 1] + std::min(ordered[k] - ordered[k - 1], largest_distance);
  std::vector<int64_t> out(length);
  for (size_t k = 0; k < length; ++k) {
    auto found = std::lower_bound(ordered.begin(), ordered.end(), values[k]);
    out[k] = places[static_cast<size_t>(found - ordered.begin())];
  }
  return out;
}

}  // namespace refrain::record
