// Values that were recorded as copies of others. A rank whose second argument happens to be what its first
// one is has a copy there, and all other ranks have something else: that says nothing about other numbers of
// ranks.
#pragma once

#include <vector>

#include "trace/trace.hpp"

namespace refrain::extrapolate {

/// Puts what is copied in the place of copies, within a list of nodes of one run, and joins the alternatives
/// of ranks that have become alike. A copy runs as often as what it copies, so no value changes.
void resolve_copies(std::vector<trace::Node>& nodes, const trace::RankSet& around);

/// Whether copies are left.
bool has_copies(const std::vector<trace::Node>& nodes);

}  // namespace refrain::extrapolate
