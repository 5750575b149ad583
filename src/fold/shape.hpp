// What folding needs to know of a signature and of an event, and no more.
#pragma once

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

}  // namespace refrain::fold
