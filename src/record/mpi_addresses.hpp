// Datatypes over memory whose displacements are addresses, or distances between addresses: a program asks
// MPI_Get_address for where its buffers are, and later transfers with MPI_BOTTOM or from the first buffer on.
// Where memory is differs from run to run and from rank to rank, and is no part of its I/O; what is kept is
// which blocks belong together, in the order in which the datatype names them.
//
// Displacements in a file are never taken for addresses: all of a list must lie beyond 4 GiB and be memory of
// the process. Distances can't be told from them by looking, so all ends of them must have been asked for;
// and where a type that is laid out here is used for a file after all, it is introduced again as it is. See
// decision 18.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "record/readable_memory.hpp"

namespace refrain::record {

inline bool is_address(int64_t displacement) {
  constexpr int64_t lowest = int64_t{1} << 32;
  return displacement >= lowest && readable_word(static_cast<uint64_t>(displacement));
}

/// What a block of a datatype takes of memory.
struct MemoryBlock {
  int64_t start, bytes;
};

/// Where the blocks are in a memory that depends on their order and sizes only. Those that overlap, or with
/// less than the eight bytes between them that an allocator takes at least, keep their distance.
std::vector<int64_t> lay_out(const std::vector<MemoryBlock>& blocks);

/// Where runs of blocks begin that lie side by side: pieces of one buffer, the rest of which nobody asks for.
std::vector<int64_t> run_starts(std::vector<MemoryBlock> blocks);

/// The addresses that a thread asked MPI for; there may be more than are kept.
class AskedAddresses {
 public:
  static constexpr size_t most = 1 << 14;
  void add(int64_t address);
  bool none() const { return addresses_.empty(); }
  /// Whether there is a place from which all of these distances, which are not all the same, lead to such
  /// addresses.
  bool explain(const std::vector<int64_t>& distances);

 private:
  void sort();
  std::vector<int64_t> addresses_{};
  size_t sorted_ = 0;  ///< so many of them, each once
};

}  // namespace refrain::record
