// Elements that hold sequences and strings of variable length, or references to objects, put together from
// the lengths and numbers that were recorded; see record/hdf5_contents.hpp.
#pragma once

#include <cstdint>
#include <span>

#include "replay/thread_context.hpp"

namespace refrain::replay {

/// The elements to write, and their destination.
struct WrittenElements {
  char* at;         ///< memory for all elements of the space, filled with zeros
  uint64_t object;  ///< dataset or attribute
  uint64_t type;
  bool is_attribute;
  uint64_t space = 0, file_space = 0;  ///< of a dataset; 0 is H5S_ALL
};
void put_contents(ThreadContext& stage, const WrittenElements& elements, std::span<const int64_t> numbers);

}  // namespace refrain::replay
