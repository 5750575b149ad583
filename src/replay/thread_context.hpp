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
  bool has_threads = false;      ///< other threads run concurrently
  bool has_families = false;     ///< HDF5 stores files as families of files
  bool awaits_files = false;     ///< ranks are not synchronized, so waits for files that other ranks make
  plan::AwaitedPaths awaited{};  ///< files that are always waited for
  RecordedAbort* abort = nullptr;
  Turns turns;
};

/// While one of these exists, a recording of the replay doesn't hold what the thread does.
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
  /// Those of a process in a tree are kept by the first one, and restored by the last. What the trace's
  /// streams hold is dropped if `drops_streams`.
  StandardStreams(bool drops_streams, bool restores);
  /// Restores them.
  ~StandardStreams();
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;

  /// Prints a line to our own standard error.
  void say(const std::string& message) const;

 private:
  int output_, error_;
  bool own_ = true, drops_streams_ = false, restores_ = true;
};

/// Replacements of functions that would do more in this process than in the recorded one. If the replay is
/// being recorded, these are the recorder's, which record the call and do the same.
struct ReplacedFunctions {
  int (*close_range)(unsigned first, unsigned last, int flags);  ///< leaves our own descriptors open
  void (*closefrom)(int first);
  FILE* (*tmpfile)();  ///< below the root
};
const ReplacedFunctions& replaced_functions();

/// If the replay is being recorded, tells the recorder that it has stored into this part of a mapped file, or
/// that the recorded program has somewhere there.
void tell_of_stores(const void* address, size_t length, bool somewhere);

/// Takes this process, just forked, out of the recording.
void leave_recording();

/// If the replay is being recorded, drops what was recorded so far: the trace of `command` begins here.
void restart_recording(const char* command);

}  // namespace refrain::replay
