// From a tree with a table over all ranks of all runs to one with laws.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "extrapolate/fit_law.hpp"
#include "extrapolate/unify_runs.hpp"

namespace refrain::extrapolate {

/// A relation given by hand: a quantity that laws may be made of.
struct GivenModel {
  std::string name{};
  RankExpression law{};
};

struct Options {
  std::vector<GivenModel> models{};
  int64_t max_block = 0;  ///< bytes that collective buffering transfers at once; 0: as the runs show
  bool times = true;      ///< fit models to them; else they are dropped
  bool force = false;     ///< also if the runs seem to be of different programs
};

/// Reason of a doubt about what libraries transfer.
constexpr const char* beyond_all_runs =
    "more than any run transferred at once; --max-block, if there is a limit";

/// A trace without tables: every number and every rank set is a law; with doubts where other laws fit as
/// well. Outer streams must have laws; a layer stream that has none is left out, with a note. The error names
/// event, argument, values and what was tried.
Result<trace::Trace> find_laws(Unified unified, const Options& options);

}  // namespace refrain::extrapolate
