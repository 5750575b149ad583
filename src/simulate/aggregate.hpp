// Collective buffering: what MPI libraries do with a collective transfer. Ranks exchange data with a few
// aggregators, which move it to and from the file in pieces of the size of their buffer.
#pragma once

#include <cstdint>

#include "simulate/striping.hpp"

namespace refrain::simulate {

/// How a collective transfer is carried out.
struct Aggregation {
  uint32_t aggregators = 0;  ///< 0: every rank moves its own data
  uint64_t buffer_bytes = uint64_t{16} << 20U;
};

/// What the aggregators do for a transfer of `bytes` at `begin`.
struct AggregatedTransfer {
  uint64_t requests = 0;
  uint64_t rounds = 0;       ///< of exchange and transfer
  uint32_t aggregators = 0;  ///< that have something to do
};

/// Adds the requests of the aggregators to `loads`: the data as one piece, cut into buffers.
AggregatedTransfer aggregate(const Aggregation& how, const Layout& layout, int64_t begin, uint64_t bytes,
                             TargetLoads& loads);

}  // namespace refrain::simulate
