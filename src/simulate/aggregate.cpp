// See aggregate.hpp.
#include "simulate/aggregate.hpp"

#include <algorithm>

namespace refrain::simulate {

AggregatedTransfer aggregate(const Aggregation& how, const Layout& layout, int64_t begin, uint64_t bytes,
                             TargetLoads& loads) {
  if (bytes == 0) return {};
  uint64_t buffer = std::max<uint64_t>(1, how.buffer_bytes);
  // What is less than a buffer for each is divided evenly, in whole stripes.
  uint64_t share = (bytes + how.aggregators - 1) / std::max<uint32_t>(1, how.aggregators);
  if (share < buffer) buffer = std::max<uint64_t>(1, (share + layout.size - 1) / layout.size * layout.size);
  uint64_t whole = bytes / buffer;
  uint64_t rest = bytes % buffer;
  loads.add(layout, begin, static_cast<int64_t>(buffer), whole, buffer);
  if (rest > 0) loads.add(layout, begin + static_cast<int64_t>(whole * buffer), 0, 1, rest);
  AggregatedTransfer made{.requests = whole + (rest > 0 ? 1 : 0)};
  made.aggregators =
      static_cast<uint32_t>(std::min<uint64_t>(std::max<uint32_t>(1, how.aggregators), made.requests));
  made.rounds = (made.requests + made.aggregators - 1) / made.aggregators;
  return made;
}

}  // namespace refrain::simulate
