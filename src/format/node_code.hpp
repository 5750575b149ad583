// Trees of loops and events as bytes, structure apart from times. The folder measures trees with it, the
// file stores them with it.
#pragma once

#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "trace/trace.hpp"

namespace refrain::format {

/// Everything of the tree but the timings. With `close`, values stand as differences to those before them
/// where that is shorter; compressed, it is much shorter.
void write_nodes(ByteWriter& out, const std::vector<trace::Node>& nodes, trace::Closeness* close = nullptr);

/// Accepts any bytes. What it returns is consistent in itself: signatures exist and have as many parameters
/// as `parameters_of[signature]` says, references between values resolve, constant trip counts and the depth
/// stay within Limits. On failure `in` says why and the result is empty.
std::vector<trace::Node> read_nodes(ByteReader& in, std::span<const uint32_t> parameters_of);

}  // namespace refrain::format
