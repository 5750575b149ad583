// Names with numbers that are padded with zeros, as in `out.%03d`. A rank whose number has as many digits
// anyway can't show the padding: at 24 ranks, `out.07` does and `out.12` doesn't. So the ranks of a run seem
// to use different templates, and runs of different sizes do if the width follows the number of ranks. Here
// the width becomes one for all ranks, or a law over the number of ranks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "extrapolate/unify_runs.hpp"
#include "trace/rank_expression.hpp"
#include "trace/template.hpp"

namespace refrain::extrapolate {

/// A name as one rank used it.
struct NameUse {
  int64_t nprocs = 0;
  int64_t text = 0;  ///< number of the template
  std::vector<int64_t> fields{};
};

/// The names that parameter `p` of an event, a string, is on the ranks that run it (places of the large job).
/// None if they depend on loops.
std::vector<NameUse> names_at(const trace::Node& event, size_t p, const trace::RankSet& ranks,
                              const Unified& unified);

struct PaddedName {
  trace::RankExpression text{};  ///< number of the template, over P
  /// Another width that fits all uses: widths are the same where both are.
  std::optional<trace::RankExpression> width{}, other{};
};

/// The template of all these uses. Adds templates where it needs other widths. Nothing if they differ in more
/// than their widths, or no width that is a constant or the number of digits of P or P-1 fits them.
std::optional<PaddedName> padded_name(const std::vector<NameUse>& uses,
                                      std::vector<trace::Template>& templates);

}  // namespace refrain::extrapolate
