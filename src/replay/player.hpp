// Makes the calls of one rank of a trace, in the order of its streams, without expanding them in memory:
// threads of the trace run as threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "replay/buffers.hpp"
#include "replay/root.hpp"
#include "replay/totals.hpp"
#include "replay/world.hpp"
#include "trace/trace.hpp"

namespace refrain::replay {

struct PlayOptions {
  double think = 0;  ///< factor on the recorded gaps
  uint64_t seed = 1;
  Fill fill = Fill::pattern;
  uint64_t repeat = 1;
  std::string layer{};  ///< all calls of this layer, inner ones too; empty: what the program itself called
  bool keep_going = false;
  double patience_seconds = 20;  ///< with calls that may be waiting for ranks that ended early
  /// Told about calls that failed and should not have; from any thread.
  std::function<void(const std::string& what)> complain{};
  /// Told now and then how many calls were made.
  std::function<void(uint64_t calls)> progress{};
};

struct Play {
  const trace::Trace& trace;
  const trace::Process& process;  ///< with all its ranks
  uint32_t rank = 0;              ///< which of them
};

/// Plays it. Totals are those of all ranks if MPI was on at the end, else of this one.
Totals play(const Play& play, const PlayOptions& options, Libraries& libraries, Root& root, World& world);

}  // namespace refrain::replay
