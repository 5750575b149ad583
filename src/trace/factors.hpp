// Arithmetic on a number of ranks, as programs do it when they decide how to share work: roots, divisors, and
// the grid of processes that MPI_Dims_create makes.
#pragma once

#include <cstdint>

namespace refrain::trace {

/// The largest x with x^degree <= a, for degree 2 or 3; 0 if a is below 1.
int64_t root_of(int64_t a, int64_t degree);

/// Extent number `i` (0 … dimensions - 1, the largest first) of the grid of `a` ranks in 2 or 3 dimensions,
/// as Open MPI's MPI_Dims_create balances it. 0 if `a` is below 1 or above 2^31.
int64_t grid_extent(int64_t a, int64_t dimensions, int64_t i);

/// The largest divisor of `a` that is at most `most`; 0 if there is none, or if `a` is above 2^31.
int64_t largest_divisor(int64_t a, int64_t most);

}  // namespace refrain::trace
