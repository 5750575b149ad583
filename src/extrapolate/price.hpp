// How much has to be said to write something down: numbers, laws, and the values that a law stands for. All
// of it is computed from the expression, or from the values, alone.
//
// Each part of a law is said once, however often it occurs: rank/4*4 + min(4, P - rank/4*4) names rank/4
// once, and the number 4. An operation is as long as it is rare in programs; forms in which programs share
// something are said in one breath. Round numbers are short, 1000, 4096 and 1048576, others as long as their
// digits; one less than a number, added, rounds up and is that number. A quotient comes with its remainder.
#pragma once

#include "extrapolate/run_values.hpp"

namespace refrain::extrapolate {

/// In bytes, from 0 on, without the zeros at its end, decimal or binary. A law that no run is left to confirm
/// is worth less the more was put into it: 649001947 - n*130000390 gives any two values, (n+776)/n*1000003
/// gives few.
int price_of_number(int64_t n);
/// The same in bits.
int bits_of_number(int64_t n);
/// Of all numbers in a law together.
int price_of_numbers(const RankExpression& law);

/// The length of a law in bits.
int bits_of_law(const RankExpression& law);
/// What a law saves: bits of the different values, of the conditions that hold or don't, each told once.
int bits_of_values(const Sequence& s);

}  // namespace refrain::extrapolate
