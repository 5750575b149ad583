// Where calls that other calls caused stand in time. The stream of a layer has gaps and durations, but not
// the moment at which it begins, so that by itself it would begin with the process: writes before the
// H5Fcreate that made their file. Here it begins with the first outer call that can have caused it, and ends
// with the last outer call at the latest.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "exchange/call_walk.hpp"
#include "exchange/file_tracker.hpp"

namespace refrain::exchange {

/// Moves the calls of one stream: those behind the first `before`, which are calls of the program and have
/// their times.
struct InnerPlacement {
  uint64_t before = 0;
  uint64_t first_ns = 0;  ///< where the first of the others stands in its own stream
  uint64_t begin_ns = 0;  ///< and where it belongs
  double scale = 1;       ///< at most 1: where the stream is longer than what caused it

  /// Sets the times of call number `number` of the stream.
  void place(Call& call, uint64_t number) const;
};

/// By layer, for the streams of one thread. O(calls).
std::map<std::string, InnerPlacement> inner_placements(const trace::Trace& trace,
                                                       const trace::Process& program, uint32_t thread,
                                                       const std::vector<CallFacts>& facts);

}  // namespace refrain::exchange
