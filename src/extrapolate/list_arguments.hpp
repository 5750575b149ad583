// Arguments that are lists, as those of MPI_Type_indexed. Their length is part of what a call is, so a call
// with one block per rank is another call in every run. Before runs are merged, such calls become alike: each
// list stands as its number (see Lists), and laws.cpp looks for the law of its length and of its elements.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "extrapolate/unify_runs.hpp"

namespace refrain::extrapolate {

class ListArguments {
 public:
  /// Finds the calls whose lists have other lengths in some runs than in others.
  explicit ListArguments(const std::vector<trace::Trace>& runs);

  /// Makes lists numbers in these calls, of one run, as long as they don't depend on loops: then the operand
  /// is a law_list with the number in its first parameter. Calls that only differed in lengths, on other
  /// ranks, become one. All numbers are constants or tables over places.
  void make_alike(std::vector<trace::Node>& nodes, const trace::RankSet& around, trace::Trace& run,
                  Lists& lists) const;

 private:
  std::set<std::string> calls_;  ///< by all but the lengths of lists
};

/// The first call of these whose lists have other lengths in other runs all the same, and what is wrong with
/// it; nothing if there is none. No condition on P says what its lists would be elsewhere.
std::optional<std::string> call_with_other_lists(const std::vector<trace::Node>& nodes,
                                                 const trace::RankSet& around, const Unified& unified);

/// Whether the operand is a list, whatever its length.
bool is_list(const trace::Operand& operand);

}  // namespace refrain::extrapolate
