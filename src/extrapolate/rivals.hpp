// Laws that say what a law says on every rank of every run, and something else on ranks that no run shows.
#pragma once

#include <vector>

#include "extrapolate/fit_law.hpp"
#include "extrapolate/grids.hpp"

namespace refrain::extrapolate {

struct Rival {
  const char* reason = nullptr;
  RankExpression law{};
};

/// Those that programs are known to mean. The search doesn't find them, since the law itself is simpler.
std::vector<Rival> rivals_of(const RankExpression& law, const Sequence& s, const Knowledge& knowledge,
                             const GridNeeds::Grids& grids);

/// The same for what isn't a condition, but a number.
std::vector<Rival> more_groups(const RankExpression& law, const Sequence& s, const Knowledge& knowledge);

/// The same for how often a loop turns: once for each piece of something else in the trace.
std::vector<Rival> pieces_of_known(const RankExpression& law, const Sequence& s, const Knowledge& knowledge);

}  // namespace refrain::extrapolate
