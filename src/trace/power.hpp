// Powers of integers, exactly or not at all.
#pragma once

#include <cstdint>
#include <optional>

namespace refrain::trace {

/// factor · base^exponent, for bases from 2 on; nothing if the exponent is negative or 64 bits don't hold it.
inline std::optional<int64_t> power_product(int64_t factor, int64_t base, int64_t exponent) {
  if (exponent < 0) return std::nullopt;
  if (factor == 0) return 0;
  for (; exponent > 0; --exponent)  // overflows after 63 steps at most
    if (__builtin_mul_overflow(factor, base, &factor)) return std::nullopt;
  return factor;
}

}  // namespace refrain::trace
