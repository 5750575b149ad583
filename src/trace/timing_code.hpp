// The times of a tree as bytes, apart from its structure.
#pragma once

#include <vector>

#include "base/bytes.hpp"
#include "trace/trace.hpp"

namespace refrain::trace {

/// The timings of all events, in the order of the tree. Buckets of histograms are rounded, see
/// Histogram::write_shares; what was read is written again as it was.
void write_timings(ByteWriter& out, const std::vector<Node>& nodes);
/// Fills them in again; the tree must be the one that was written, by this version of the format.
void read_timings(ByteReader& in, uint32_t version, std::vector<Node>& nodes);

}  // namespace refrain::trace
