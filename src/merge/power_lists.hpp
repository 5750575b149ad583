// Where most ranks have lists and some have powers: in rank ^ (1<<j), rank 0 meets 1, 2, 4, 8, a power, and
// rank 5 meets 4, 7, 1, 13, a list. The powers become lists, too, so that all ranks have one value.
#pragma once

#include <vector>

#include "trace/trace.hpp"

namespace refrain::merge {

/// `around`: the ranks that run the list of nodes. Numbers are still tables, not expressions.
void list_powers(std::vector<trace::Node>& nodes, const trace::RankSet& around);

}  // namespace refrain::merge
