// Whether one number divides another, asked of all values of long tables.
#pragma once

#include <cstdint>

namespace refrain {

/// Most sizes and offsets are multiples of a power of two, and dividing is slow. Zero divides only itself.
constexpr bool divides(uint64_t divisor, uint64_t v) {
  bool power_of_two = (divisor & (divisor - 1)) == 0;
  return power_of_two ? (v & (divisor - 1)) == 0 : v % divisor == 0;
}

}  // namespace refrain
