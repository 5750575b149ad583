// Which nodes of one list become one: calls of the same kind that different ranks make, with only calls of
// other ranks between them.
//
//     [ranks 12] write     [ranks 0, 8] open     [ranks 0, 6] write
//
// Rank 12 takes no part in the open, so its write can move behind it and become one with the other. Without
// this, the order in which ranks are merged decides how many nodes there are. No rank's own order changes.
#pragma once

#include <cstddef>
#include <vector>

#include "merge/node_shape.hpp"
#include "trace/trace.hpp"

namespace refrain::merge {

/// The places of nodes that become one, in the order in which they are to stand; most have one place.
/// `level`: how deep the list stands in its tree.
std::vector<std::vector<size_t>> gather(const std::vector<trace::Node>& list,
                                        const std::vector<Shape>& shapes, size_t level);

}  // namespace refrain::merge
