// Divides the calls of a rank into phases that people recognize: each loop on the outermost level, and the
// calls between two of them. Numbers of phases are those of the merged trace, so that ranks can add them up.
#pragma once

#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::replay {

struct Phases {
  std::vector<std::string> names{};
  /// By outermost node of the rank's own tree.
  std::vector<size_t> of_node{};
};

/// `whole`: a stream of the trace, whose process is run by `ranks`; `rank`: the rank of this replay.
Phases divide(const trace::Trace& trace, const trace::Stream& whole, const trace::RankSet& ranks,
              uint32_t rank);

}  // namespace refrain::replay
