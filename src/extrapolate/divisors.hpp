// What a number can be divided by: the shares that it may be a product of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::extrapolate {

/// All divisors of a positive number, in no order; none if there are more than `most`.
std::vector<int64_t> divisors_of(int64_t n, size_t most);

}  // namespace refrain::extrapolate
