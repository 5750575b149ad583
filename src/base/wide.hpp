// Integers of 128 bits, for sums and products of 64-bit ones that must be exact before they are judged.
#pragma once

namespace refrain {

__extension__ using Wide = __int128;

/// a * b, which must fit. Sanitizers check signed products of this width by a function that not every
/// compiler brings along, so this one is unsigned.
constexpr Wide wide_product(Wide a, Wide b) {
  __extension__ using Unsigned = unsigned __int128;
  return static_cast<Wide>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
}

}  // namespace refrain
