// Columns as bytes. A column is written in whichever of these forms is shortest for it:
//
//   items       the runs and bodies themselves              anything long and regular
//   runs        the same where there are no bodies          0,512,1024,… then 7,7,7,…
//   packed      (v - min) / gcd in w bits each              small irregular sizes
//   differences the same for v[i] - v[i-1]                  irregular but increasing offsets
//   digits      (v - min) / gcd as digits of 64-bit words   as packed, if the range is no power of two
//   palette     distinct values, then their places, packed  few distinct values far apart
//   varints     (v - min) / gcd, one varint each            mostly small, a few large
//   deltas      their differences as signed varints
//   exceptions  one frequent value; gaps to the others      mostly the same value
//   flags       one frequent value and one rare one; gaps   a conditional that is rarely taken
//
// Example: 3 4096 3 3 4096 3 has the palette {3, 4096} and takes 6 bits for its places. The gaps of flags
// are Rice codes: g >> k in unary, then the low k bits of g, which is close to the best that can be done for
// a conditional without a pattern.
#pragma once

#include <cstddef>
#include <cstdint>

namespace refrain::trace::column_code {

enum class Code : uint8_t {
  items,
  packed,
  differences,
  palette,
  varints,
  deltas,
  exceptions,
  runs,
  flags,
  digits
};

constexpr size_t palette_limit = 256;

constexpr unsigned width_of(uint64_t largest) {
  unsigned w = 0;
  for (; largest != 0; largest >>= 1) ++w;
  return w;
}

constexpr size_t packed_bytes(uint64_t n, unsigned width) { return static_cast<size_t>((n * width + 7) / 8); }

/// How many digits of this base (at least 2) fit a word of 64 bits.
constexpr unsigned digits_per_word(uint64_t base) {
  unsigned n = 0;
  for (uint64_t room = UINT64_MAX; room >= base - 1; room = (room - (base - 1)) / base) ++n;
  return n;
}

}  // namespace refrain::trace::column_code
