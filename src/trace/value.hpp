// Elastic values: every integer of a trace (an argument, a trip count, a selector) is an exact function of
// where it is evaluated: the indices of the enclosing loops, outermost first, and how often its node has
// been executed before. In a trace of one process the numbers below are plain integers; when ranks are
// merged, the same forms stay and their integers become functions of the rank.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "trace/column.hpp"

namespace refrain::trace {

enum class Form : uint8_t {
  affine,   ///< base + Σ slopes[d] · index[d]; a constant is the case without slopes
  counter,  ///< base + step · t, t = executions of the node so far (running offsets over varying trip counts)
  running,  ///< base at t = 0, then the previous value + step · (previous value of parameter `parameter` of
            ///< this node)
  copy,  ///< base + the value of parameter `parameter` of the event at position `sibling` of the same body,
         ///  in its execution number t (t counts this node's executions; both run equally often)
  separable,  ///< base + Σ slopes[d] · index[d] + column[index[depth]]
  column,     ///< column[t]
};

struct Value {
  /// Slope of a loop index that never varied where it was observed: any slope is right. Reads as zero.
  static constexpr int64_t any_slope = INT64_MIN;

  Form form = Form::affine;
  int64_t base = 0;
  int64_t step = 0;
  std::vector<int64_t>
      slopes{};            ///< affine, separable: by loop depth, outermost first; missing ones are zero
  uint32_t parameter = 0;  ///< running, copy
  uint32_t sibling = 0;    ///< copy
  uint32_t depth = 0;      ///< separable
  std::shared_ptr<const Column> column{};  ///< separable, column; shared because trees are copied

  static Value constant(int64_t v) { return {.base = v}; }
  bool is_constant() const;
  /// The constant, if is_constant().
  int64_t constant_value() const { return base; }

  void write(ByteWriter& out) const;
  static Value read(ByteReader& in);
  bool operator==(const Value& other) const;
};

}  // namespace refrain::trace
