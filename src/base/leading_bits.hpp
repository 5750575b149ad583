// Numbers rounded down to their leading bits: times in a trace file. How large a time is says something about
// a program; its lower digits are noise, do not compress, and become more with every rank that is merged. So
// each takes the same few bytes, however large it is.
//
// A number is its width, that is how many bits it has, and some of the bits below the first. With 8 of those,
// 1,000,001 = 0b1111'0100'0010'0100'0001 has width 20 and 0b1110'1000 below the first bit, which is read as
// 0b1111'0100'0000'0000'0000 = 999,424. Rounding keeps order and widths, and changes nothing when repeated.
#pragma once

#include <bit>
#include <cstdint>

namespace refrain {

struct LeadingBits {
  uint8_t width = 0;  ///< 0 is the number zero
  uint16_t below =
      0;  ///< the bits after the first, as many as are kept; those that a small number lacks are 0
};

/// What is kept of a number with `kept` (at most 16) bits below the first: all but less than 2^-kept of it.
constexpr LeadingBits leading_bits(uint64_t number, int kept) {
  int width = static_cast<int>(std::bit_width(number));
  if (width == 0) return {};
  uint64_t below = number ^ uint64_t { 1 } << (width - 1);
  int dropped = width - 1 - kept;
  below = dropped > 0 ? below >> dropped : below << -dropped;
  return {static_cast<uint8_t>(width), static_cast<uint16_t>(below)};
}

/// The number again; the width is at most 64.
constexpr uint64_t number_of(LeadingBits leading, int kept) {
  if (leading.width == 0) return 0;
  uint64_t below = leading.below;
  int dropped = leading.width - 1 - kept;
  return uint64_t{1} << (leading.width - 1) | (dropped > 0 ? below << dropped : below >> -dropped);
}

}  // namespace refrain
