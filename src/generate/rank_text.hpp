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
  /// The kernel runs on ranks 0 to ranks - 1; if `ranks` is 0, on any number of them.
  RankText(uint32_t ranks, Tables& tables);

  Expression rank() const { return rank_; }
  Expression expression(const trace::RankExpression& e);
  /// A number of a node that is run by `ranks`.
  Expression number(const trace::Number& number, const trace::RankSet& ranks);
  /// Whether the rank is in the set; constant 1 if all ranks of `around` are (an empty `around` means all
  /// ranks).
  Expression condition(const trace::RankSet& set, const trace::RankSet& around);
  /// Element `index` of a list of a scale-free trace.
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
