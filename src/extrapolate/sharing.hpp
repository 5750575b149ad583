// The ways in which programs share a total among places: what each has, and where that begins.
#pragma once

#include <span>

#include "extrapolate/run_values.hpp"

namespace refrain::extrapolate {

/// Number k of n places has `of(total, n, k)`; `law` says the same.
struct Sharing {
  int64_t (*of)(int64_t total, int64_t n, int64_t k);
  RankExpression (*law)(const RankExpression& total, const RankExpression& n, const RankExpression& k);
  int cost;
  /// Which places tell it from others: any, some besides the first, or the last one alone.
  enum Needs : uint8_t { nothing, digits, only_last } needs;
  bool is_start = false;
};

/// Sizes; `equal_shares` is the one of those that give all places the same, rounded down.
std::span<const Sharing> sharings();
const Sharing& equal_shares();
/// Where they begin.
std::span<const Sharing> starts_of_shares();

}  // namespace refrain::extrapolate
