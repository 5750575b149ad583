// By how much a value grows with the index of a loop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trace/value.hpp"

namespace refrain::measure {

/// The slope over loop number `depth`, the outermost is 0; 0 if nothing depends on it.
inline int64_t slope_at(const trace::Value& v, size_t depth) {
  if (depth >= v.slopes.size() || v.slopes[depth] == trace::Value::any_slope) return 0;
  return v.slopes[depth].constant();
}

}  // namespace refrain::measure
