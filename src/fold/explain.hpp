// From streams to elastic values: every list of integers seen becomes the shortest exact expression found.
#pragma once

#include <vector>

#include "fold/nest.hpp"
#include "fold/tree.hpp"
#include "trace/trace.hpp"

namespace refrain::fold {

/// The finished form of a list of nodes below the loops of `nest`. `in_choice`: the nodes are the arms of a
/// choice, which don't refer to each other.
std::vector<trace::Node> explain(const Sequence& nodes, Nest& nest, bool in_choice, Effort& effort);

/// Normalises and explains a whole tree.
std::vector<trace::Node> explain(Sequence nodes, Effort& effort);

}  // namespace refrain::fold
