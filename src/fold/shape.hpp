// What folding needs to know of a signature and of an event, and no more.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trace/communication.hpp"
#include "trace/signature.hpp"

namespace refrain::fold {

struct Shape {
  uint32_t parameters = 0;
  trace::Bracket bracket = trace::Bracket::neither;
};

/// When an event ran.
struct Times {
  uint64_t gap_ns = 0, duration_ns = 0;
  const trace::Communication* communication = nullptr;  ///< inside the gap; nullptr: none
};

/// Many events of one place in a loop, in their order.
struct Series {
  const int64_t* parameters = nullptr;  ///< of the first
  size_t step = 0;                      ///< words from the parameters of one to those of the next
  const uint64_t *gaps_ns = nullptr, *durations_ns = nullptr;
  size_t count = 0;
};

}  // namespace refrain::fold
