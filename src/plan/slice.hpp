// The part of a tree that matters to a question: only calls of some signatures, with the loops and choices
// around them. Running it gives these calls, in order, with the parameters that they have in the whole tree.
#pragma once

#include <vector>

#include "trace/trace.hpp"

namespace refrain::plan {

/// `matters`: by signature. A loop or an arm of a choice without such calls keeps one other call. So however
/// rarely the calls that matter are made, running the slice takes no more steps between two calls than
/// running the whole trace.
std::vector<trace::Node> slice(const std::vector<trace::Node>& nodes, const std::vector<bool>& matters);

}  // namespace refrain::plan
