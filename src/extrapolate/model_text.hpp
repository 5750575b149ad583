// Models and conditions that users give by hand.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "extrapolate/laws.hpp"

namespace refrain::extrapolate {

/// Reads `name = expression`. Expressions have integers, P, rank, + - * / %, parentheses, min(a, b), sqrt(a),
/// cbrt(a), log2(a), divisor(a, most) and dims(a, 2 or 3)[i], as `dump` prints them.
Result<GivenModel> read_model(std::string_view text);

/// Reads a condition on the number of ranks: comparisons of such expressions, with && and ||.
Result<RankExpression> read_condition(std::string_view text);

}  // namespace refrain::extrapolate
