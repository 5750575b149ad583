// A largest block given by hand. Libraries that collect the data of many ranks transfer it in pieces of a
// certain size at most; if the recorded runs were too small to reach it, nothing in them says so.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "trace/trace.hpp"

namespace refrain::extrapolate {

/// Cuts what the calls of layer posix below other calls transfer into blocks of at most so many bytes,
/// wherever its size depends on the number of ranks. What can't be cut exactly is an error.
Result<void> cut_blocks(trace::Trace& free, int64_t max_block);

/// Which parameters of a call of layer posix say how many bytes are transferred at once: there may be a
/// limit.
std::vector<bool> transfer_sizes(const trace::Signature& signature);

}  // namespace refrain::extrapolate
