// Putting loops into the shape their values ask for. The structure alone can't tell 4 steps of 8 fields
// from 32 iterations, nor a first iteration that is different from the rest; the values can.
#pragma once

#include "fold/nest.hpp"
#include "fold/tree.hpp"

namespace refrain::fold {

/// Splits flattened loops in two and peels odd first or last iterations, wherever that makes values affine.
void normalize(Sequence& nodes, Nest& nest, Effort& effort);

}  // namespace refrain::fold
