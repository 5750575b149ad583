// Traces as bytes, with or without compression; internal to the reading and writing of files.
#pragma once

#include <span>

#include "base/result.hpp"
#include "format/section.hpp"
#include "trace/trace.hpp"

namespace refrain::format {

/// `over_limit` is set if a section is longer than readers accept.
std::vector<uint8_t> encode_with(const trace::Trace& trace, const Codec* codec, bool& over_limit);
Result<trace::Trace> decode_with(std::span<const uint8_t> bytes, const Codec* codec);

}  // namespace refrain::format
