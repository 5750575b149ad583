// The end of a program's start-up, which consists of all calls before the first one on a file that moves
// data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "trace/trace.hpp"

namespace refrain::plan {

/// The index of the first node in the stream of the process with a call on a file of more than default_above
/// bytes (only_data.hpp); nothing if there is none among the first so many calls.
std::optional<size_t> first_data(const trace::Trace& trace, const trace::Process& process,
                                 const trace::Stream& stream, uint64_t calls = 2'000'000);

}  // namespace refrain::plan
