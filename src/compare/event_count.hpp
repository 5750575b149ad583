// How many events a tree stands for, without running it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::compare {

/// The number of events, or nothing if only running the tree could tell. O(nodes).
std::optional<uint64_t> count_events(const std::vector<trace::Node>& nodes);
/// Of one node that stands in no loop; it must not be a copy of a sibling.
std::optional<uint64_t> count_events(const trace::Node& node);

}  // namespace refrain::compare
