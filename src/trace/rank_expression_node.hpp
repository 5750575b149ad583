// The node behind a rank expression, shared by the files that build, evaluate and read them.
#pragma once

#include <array>
#include <memory>

#include "trace/column_index.hpp"
#include "trace/rank_expression.hpp"

namespace refrain::trace {

struct RankExpression::Node {
  Operation operation = Operation::constant;
  int64_t number = 0;
  std::array<RankExpression, 3> operands;
  std::unique_ptr<const ColumnIndex> table;
};

}  // namespace refrain::trace
