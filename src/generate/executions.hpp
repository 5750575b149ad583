// Upper bounds of how often statements run, which bound the variables that count executions.
#pragma once

#include <algorithm>
#include <cstdint>

#include "generate/c_expression.hpp"
#include "trace/value.hpp"

namespace refrain::generate {

inline int64_t times(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, std::max<int64_t>(b, 0), &product) ? INT64_MAX : product;
}

/// The list of a value that takes one element per call, the same list on every rank; null for other values.
inline const trace::Column* plain_list(const trace::Value& v) {
  constexpr uint64_t longest = 1 << 20;
  bool plain = v.form == trace::Form::column && v.column && v.entries.empty() && v.base.is_constant();
  return plain && v.column->size() <= longest ? v.column.get() : nullptr;
}

/// An upper bound of how often the body of a loop runs, over all executions of the loop.
inline int64_t turns(const trace::Value& count, const Range& range, int64_t executions) {
  const trace::Column* list = plain_list(count);
  if (list == nullptr) return times(executions, range.high);
  int64_t sum = 0;
  for (int64_t n : list->expand())
    if (__builtin_add_overflow(sum, trace::wrap_add(n, count.base.constant()), &sum)) return INT64_MAX;
  return sum;
}

/// An upper bound of how often an arm of a choice is taken.
inline int64_t takings(const trace::Value& which, int64_t arm, int64_t executions) {
  const trace::Column* list = plain_list(which);
  if (list == nullptr) return executions;
  auto values = list->expand();
  return std::count(values.begin(), values.end(), trace::wrap_sub(arm, which.base.constant()));
}

}  // namespace refrain::generate
