// What depends on the rank, as C: expressions found by merging, tables by rank, and sets of ranks as
// conditions.
#pragma once

#include "generate/c_expression.hpp"
#include "generate/tables.hpp"
#include "trace/number.hpp"
#include "trace/rank_set.hpp"
#include "trace/value.hpp"

namespace refrain::generate {

class RankText {
 public:
  /// Ranks 0 to ranks - 1 run the kernel; if that is 0, any number of ranks.
  RankText(uint32_t ranks, Tables& tables);

  Expression rank() const { return rank_; }
  Expression expression(const trace::RankExpression& e);
  /// A number of a node that `ranks` run.
  Expression number(const trace::Number& number, const trace::RankSet& ranks);
  /// Whether the rank is in the set; constant 1 where all that are in `around` (all there are, if it is
  /// empty) are.
  Expression condition(const trace::RankSet& set, const trace::RankSet& around);
  /// Element number `index` of a list that any number of ranks has.
  Expression element(const trace::ListLaw& law, const Expression& index);
  /// How many ranks of the set are smaller than the rank, which is in the set.
  Expression place(const trace::RankSet& set);

 private:
  Expression table_of(const trace::RankExpression& e);
  Expression opposite(const trace::RankExpression& comparison);
  Expression variable_of(trace::Variable which) const;
  Expression of_number_of_ranks(const trace::RankExpression& e);
  Expression in_block(const trace::RankSet::Block& block);

  uint32_t ranks_;
  Tables& tables_;
  Expression rank_;
  Expression index_ = constant(0);  ///< place in the list that is being printed
};

}  // namespace refrain::generate
