// One value for the ranks of two: how numbers and elastic values are joined when nodes become one.
#pragma once

#include "merge/rank_order.hpp"
#include "trace/value.hpp"

namespace refrain::merge {

/// Makes `a` the number that is `a` on the ranks of order.a() and `b` on those of order.b(). O(1) where both
/// are constants or continue each other's last run, else O(runs of b).
void join(trace::Number& a, const trace::Number& b, const Order& order);

/// The same for values. Exact for every rank, whatever their forms: those that can't be one are kept as
/// alternatives. `b` is used up.
void join(trace::Value& a, trace::Value&& b, const Order& order);

}  // namespace refrain::merge
