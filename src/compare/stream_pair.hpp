// Compares the events of two streams, or of all streams of two processes.
#pragma once

#include "compare/compare.hpp"
#include "compare/event_sequence.hpp"
#include "compare/meaning.hpp"

namespace refrain::compare {

using Streams = std::vector<trace::Stream>;

/// Compares processes: all their outer streams, then, if asked, their layer streams.
class StreamPairs {
 public:
  StreamPairs(const Meanings& meanings, bool layers) : meanings_(meanings), layers_(layers) {}

  /// Of single ranks. The first difference, with stream and event filled in; who it is about is left to the
  /// caller.
  Result<std::optional<Difference>> compare(const Streams& here, const Streams& there);
  /// Whether the trees are the same, so that there is nothing to run; they may be those of many ranks.
  bool same_trees(const Streams& here, const Streams& there) const;
  uint64_t walked() const { return walked_; }

 private:
  struct Pair;
  using Found = Result<std::optional<Difference>>;

  Found threads(const Streams& here, const Streams& there);
  Found outer(uint32_t thread, const trace::Stream* here, const trace::Stream* there);
  Found layer(const std::string& name, uint32_t thread, const Streams& here, const Streams& there);
  Found lockstep(const Pair& pair);

  const Meanings& meanings_;
  bool layers_;
  uint64_t walked_ = 0;
};

}  // namespace refrain::compare
