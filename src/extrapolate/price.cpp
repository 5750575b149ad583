// See price.hpp.
#include "extrapolate/price.hpp"

#include <algorithm>
#include <bit>

namespace refrain::extrapolate {
namespace {

using trace::Operation;

int bits_of(int64_t n) {
  auto rest = static_cast<uint64_t>(n);
  if (n < 0) rest = 0 - rest;
  if (rest == 0) return 0;
  while (rest % 10 == 0) rest /= 10;
  return static_cast<int>(std::bit_width(rest >> std::countr_zero(rest)));
}

int bits_in(const RankExpression& law) {
  int bits = 0;
  switch (law.operation()) {
    case Operation::constant:
      bits = std::min(bits_of(law.number()), bits_of(trace::wrap_add(law.number(), 1)));  // K-1 rounds up
      break;
    case Operation::divide:
    case Operation::modulo:
      bits = bits_of(law.number());
      break;
    default:
      break;
  }
  for (size_t i = 0; i < law.operands(); ++i) bits += bits_in(law.operand(i));
  return bits;
}

}  // namespace

int price_of_number(int64_t n) { return bits_of(n) / 8; }
int price_of_numbers(const RankExpression& law) { return bits_in(law) / 8; }

}  // namespace refrain::extrapolate
