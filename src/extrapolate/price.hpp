// What the numbers of a law cost: how much has to be said to name them. Round ones are short, 1000, 4096 and
// 1048576, others as long as their digits are. A law that no run is left to confirm is worth less the more
// was put into it: 649001947 - n*130000390 gives any two values, (n+776)/n*1000003 gives few.
#pragma once

#include "extrapolate/run_values.hpp"

namespace refrain::extrapolate {

/// In bytes, from 0 on, without the zeros at its end, decimal or binary.
int price_of_number(int64_t n);
/// Of all numbers in a law together.
int price_of_numbers(const RankExpression& law);

}  // namespace refrain::extrapolate
