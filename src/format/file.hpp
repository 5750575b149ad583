// The `.rfn` file. See docs/trace-format.md for its grammar.
#pragma once

#include <filesystem>
#include <span>

#include "base/result.hpp"
#include "trace/trace.hpp"

namespace refrain::format {

std::vector<uint8_t> encode(const trace::Trace& trace);
/// The same, but refuses a trace with sections longer than readers accept.
Result<std::vector<uint8_t>> encode_within_limits(const trace::Trace& trace);
/// Accepts any bytes: whatever they are, the answer is a consistent trace or an error that names section
/// and offset. Memory is bounded by a constant factor of the (decompressed, bounded) size.
Result<trace::Trace> decode(std::span<const uint8_t> bytes);

/// The same without compression, for traces inside an application: needs no compressor. `decode` reads what
/// `encode_raw` wrote; decode_raw refuses what `encode` compressed.
std::vector<uint8_t> encode_raw(const trace::Trace& trace);
Result<trace::Trace> decode_raw(std::span<const uint8_t> bytes);

Result<trace::Trace> read_file(const std::filesystem::path& path);
/// Writes beside the target and renames, so that a failure leaves an older file whole.
Result<void> write_file(const trace::Trace& trace, const std::filesystem::path& path);

}  // namespace refrain::format
