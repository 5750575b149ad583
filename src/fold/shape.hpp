// What folding needs to know of a signature, and no more.
#pragma once

#include <cstdint>

#include "trace/signature.hpp"

namespace refrain::fold {

struct Shape {
  uint32_t parameters = 0;
  trace::Bracket bracket = trace::Bracket::neither;
};

}  // namespace refrain::fold
