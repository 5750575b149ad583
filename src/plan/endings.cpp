#include "plan/endings.hpp"

namespace refrain::plan {

trace::RankSet early_ranks(const trace::Trace& trace) {
  trace::RankSet ranks;
  for (const trace::Process& p : trace.processes)
    ranks = ranks.united(p.ending == trace::Ending::early && p.ended_early.empty() ? p.ranks : p.ended_early);
  return ranks.canonical();
}

}  // namespace refrain::plan
