// What the parts of a recording add up to, before ranks are merged: threads become processes, and every
// process knows whether it is a rank.
#pragma once

#include <vector>

#include "trace/trace.hpp"

namespace refrain::record {

/// What was read from one part.
struct PartPieces {
  std::vector<trace::Trace> pieces;  ///< in order, one process each
  bool told_by_mpi = false;          ///< the rank is MPI's word, not only the launcher's
  bool tail = false;                 ///< what came before is in the trace of the world
};

struct Assembled {
  trace::Trace whole;
  trace::Trace tail;  ///< what ranks recorded after they had merged in place
};

/// `worlds` are the traces that ranks merged in place.
Assembled assemble(std::vector<PartPieces> parts, std::vector<trace::Trace> worlds);

}  // namespace refrain::record
