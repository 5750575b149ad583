// Which numbers of ranks to record, so that laws can be told apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::extrapolate {

/// The four numbers up to `most` (at least 4) with the smallest sum at which no two quantities that programs
/// derive from the number of ranks look alike; or those at which the fewest do.
std::vector<uint32_t> advise(uint32_t most);

/// How many pairs of quantities look alike at these numbers of ranks: one is a multiple of the other plus a
/// constant, or doesn't change at all.
size_t conflicts(const std::vector<uint32_t>& sizes);

}  // namespace refrain::extrapolate
