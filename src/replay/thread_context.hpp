// What the calls of one thread of a replay share.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "plan/inputs.hpp"
#include "replay/buffers.hpp"
#include "replay/libraries.hpp"
#include "replay/replayed_handles.hpp"
#include "replay/root.hpp"
#include "replay/totals.hpp"
#include "replay/turns.hpp"
#include "trace/trace.hpp"

namespace refrain::replay {

struct ThreadContext {
  const trace::Trace& trace;
  Libraries& libraries;
  Handles& handles;
  Root& root;
  Buffers buffers;
  uint32_t thread = 0;
  bool has_threads = false;      ///< others run beside this one
  bool has_families = false;     ///< HDF5 is asked to spread files over several
  bool awaits_files = false;     ///< nothing keeps other ranks in step: files that they make are waited for
  plan::AwaitedPaths awaited{};  ///< those that are waited for in any case
  RecordedAbort* abort = nullptr;
  Turns turns;
};

/// While one of these exists, what the thread does isn't recorded if the replay is.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
};

/// Our own standard output and error, kept while a trace may replace them by files.
class StandardStreams {
 public:
  StandardStreams();
  /// Puts them back.
  ~StandardStreams();
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;

  /// A line on the standard error that is ours.
  void say(const std::string& message) const;

 private:
  int output_, error_;
};

/// Functions that would do more in this process than in the recorded one, as they are called here: by the
/// recorder's own if there is one, which records the call and does what these do.
struct ReplacedFunctions {
  int (*close_range)(unsigned first, unsigned last, int flags);  ///< leaves our own descriptors open
  void (*closefrom)(int first);
  FILE* (*tmpfile)();  ///< below the root
};
const ReplacedFunctions& replaced_functions();

/// This process, just forked, is no part of the recording.
void leave_recording();

/// What was done so far is not part of the recording, if there is one; the trace of `command` begins here.
void restart_recording(const char* command);

}  // namespace refrain::replay
