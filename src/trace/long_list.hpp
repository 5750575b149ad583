// Lists of a trace that calls refer to by index: arguments that are too long to stand in the call itself. A
// column says in a few bytes that it has 2^60 values; a list is expanded where it is used, so readers accept
// only what recorders keep.
#pragma once

#include "trace/column.hpp"

namespace refrain::trace {

/// The most values that a list may have.
constexpr uint64_t longest_list = uint64_t{1} << 22;

/// Reads a list; fails if it has more values.
inline Column read_long_list(ByteReader& in) {
  Column list = Column::read(in);
  if (in.ok() && list.size() > longest_list) in.fail("a list of more than 4194304 values");
  return list;
}

}  // namespace refrain::trace
