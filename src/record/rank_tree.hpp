// Merging the ranks' traces up a binary tree: in step s, rank r with bit s set hands what it has to rank
// r - 2^s and is done; the others take it in and go on. Rank 0 ends up with all. A rank that can't
// contribute, or waited in vain for one that should have, says so to its own partner at once: the parts on
// disk are whole, so nothing is lost when nothing comes of it, and nobody waits for ever.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::record {

/// How ranks exchange messages. Neither function may block for longer than its patience.
class Channel {
 public:
  virtual ~Channel() = default;
  /// False if it can't be delivered in time.
  virtual bool send(uint32_t to, std::span<const uint8_t> message, uint32_t patience_ms) = 0;
  /// Nothing if none came in time.
  virtual std::optional<std::vector<uint8_t>> receive(uint32_t from, uint32_t patience_ms) = 0;
};

/// Takes this rank's trace (nothing if it has none to give). Rank 0 gets the trace of all ranks, or nothing
/// if any is missing; the others get nothing. `patience_ms` is what a rank grants its partner beyond the time
/// that the partner grants others.
std::optional<trace::Trace> merge_up(std::optional<trace::Trace> mine, uint32_t rank, uint32_t size,
                                     uint32_t patience_ms, Channel& channel);

}  // namespace refrain::record
