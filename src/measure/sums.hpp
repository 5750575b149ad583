// Sums of elastic values over all executions of their node, without running them, in trees of a
// single rank. Arithmetic wraps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::measure {

/// Where a node stands: how often it runs in total, and, if all loops around it have constant trip counts,
/// those. Then its executions are exactly the points of a box of loop indices.
struct Executions {
  uint64_t count = 1;  ///< saturates
  bool is_box = true;
  std::vector<uint64_t> trips{};
};

/// The sum over all executions, or nothing if it takes a walk. `siblings` is the list the node stands in.
std::optional<uint64_t> sum_of(const trace::Value& value, const Executions& executions,
                               const std::vector<trace::Node>& siblings);

/// Sum of the first `n` values; nothing if there are fewer. O(items) for the whole column, O(runs) for a
/// part.
std::optional<uint64_t> sum_of(const trace::Column& column, uint64_t n);

/// How often each arm of the choice runs; nothing if it takes a walk or an arm doesn't exist.
std::optional<std::vector<uint64_t>> arm_counts(const trace::Node& choice, const Executions& executions);

/// Executions of the body of `loop`; nothing if that takes a walk.
std::optional<Executions> inside(const trace::Node& loop, const Executions& executions,
                                 const std::vector<trace::Node>& siblings);

}  // namespace refrain::measure
