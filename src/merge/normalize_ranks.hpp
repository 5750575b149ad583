// What is done to the tree of a rank before it is merged with others, so that equal things look equal.
#pragma once

#include <vector>

#include "trace/trace.hpp"

namespace refrain::merge {

/// Moves the first element of every list into the base of its value: lists that differ by a constant are then
/// equal. Slopes that claim to be indifferent although their loop may run more than once become the zero that
/// they count as: joining relies on it. Changes no value.
void normalize(std::vector<trace::Node>& nodes);

}  // namespace refrain::merge
