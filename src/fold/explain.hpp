// From streams to elastic values: every list of integers seen becomes the shortest exact expression found.
#pragma once

#include <span>
#include <vector>

#include "fold/nest.hpp"
#include "fold/tree.hpp"
#include "trace/trace.hpp"

namespace refrain::fold {

/// Of the events, by number. Where they are known, no relation is made between a number and a reference.
using Signatures = std::span<const trace::Signature>;

/// The finished form of a list of nodes below the loops of `nest`. `in_choice`: the nodes are the arms of a
/// choice, which don't refer to each other.
std::vector<trace::Node> explain(const Sequence& nodes, Signatures signatures, Nest& nest, bool in_choice,
                                 Effort& effort);

/// Normalizes and explains a whole tree.
std::vector<trace::Node> explain(Sequence nodes, Signatures signatures, Effort& effort);

}  // namespace refrain::fold
