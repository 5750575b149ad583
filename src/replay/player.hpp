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
  double patience_seconds = 20;  ///< how long to wait in calls that may need ranks which ended early
  /// Called, from any thread, for each call that failed unexpectedly.
  std::function<void(const std::string& what)> complain{};
  /// Called before each call of the main thread, and after the last one; see process_tree.hpp.
  std::function<void()> before_call{}, after_calls{};
  /// Called with the totals of all ranks while MPI is on: afterwards, a rank that fails may take the others
  /// with it.
  std::function<void(const Totals& totals)> summed_up{};
  /// Called from time to time with the number of calls made.
  std::function<void(uint64_t calls)> progress{};
};

struct Play {
  const trace::Trace& trace;
  const trace::Process& process;  ///< with all its ranks
  uint32_t rank = 0;              ///< which of them
};

/// Runs the replay. Totals are those of all ranks if MPI was active at the end, otherwise those of this rank.
Totals play(const Play& play, const PlayOptions& options, Libraries& libraries, Root& root, World& world);

}  // namespace refrain::replay
