// The times of a tree as bytes, apart from its structure.
#pragma once

#include <vector>

#include "base/bytes.hpp"
#include "trace/trace.hpp"

namespace refrain::format {

/// The timings of all events, in the order of the tree, each in few bytes that do not become more with the
/// number of samples. Times are rounded down to their leading bits (base/leading_bits.hpp): sums by less than
/// 2^-16 of them, shortest and longest times and sums of squares by less than 2^-8. Buckets are rounded to
/// shares (Histogram::write_shares). Numbers of samples are exact. What was read is written again as it was.
void write_timings(ByteWriter& out, const std::vector<trace::Node>& nodes);
/// Fills them in again; the tree must be the one that was written, by this version of the format.
void read_timings(ByteReader& in, uint32_t version, std::vector<trace::Node>& nodes);

}  // namespace refrain::format
