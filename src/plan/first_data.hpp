// Where a program's start-up ends: calls before the first one on a file that moves data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "trace/trace.hpp"

namespace refrain::plan {

/// Number of the first node of the stream, one of the process, that has a call on a file of more than
/// default_above bytes (only_data.hpp); nothing if there is no such file, or if it isn't found by looking at
/// this many calls.
std::optional<size_t> first_data(const trace::Trace& trace, const trace::Process& process,
                                 const trace::Stream& stream, uint64_t calls = 2'000'000);

}  // namespace refrain::plan
