// The recorder inside the application: whether it is armed, which lane the calling thread has, and how the
// hooks get in and out. The application comes first: whatever goes wrong here ends in passing calls through.
#pragma once

#include <cstdint>

#include "base/clock.hpp"
#include "record/filter.hpp"
#include "record/handles.hpp"
#include "record/lane.hpp"
#include "record/raw.hpp"

namespace refrain::record {

/// Tables that all threads share.
struct Shared {
  DescriptorTable descriptors;
  AddressTable addresses;
  MapTable maps;
  Filter filter;
};
extern Shared shared;
TickRate& tick_rate();

/// Non-zero while recording. It lies on a page that the kernel clears in a forked child, so that a child
/// notices what it is at its first call, however it was forked.
extern volatile uint64_t* armed;
extern constinit thread_local Lane* current_lane;

/// Starts recording as the environment says; called from the library's constructor or from the first hook
/// before it. Harmless when called again.
void start();
Lane* enter_slowly(const char* frame);

/// The lane to record on, or nullptr: then the hook must only make the call.
[[gnu::always_inline]] inline Lane* enter(const char* frame) {
  Lane* lane = current_lane;
  if (*armed == 0 || lane == nullptr || lane->flags != 0 || (lane->depth != 0 && frame >= lane->outer_frame))
      [[unlikely]]
    return enter_slowly(frame);
  return lane;
}

/// Lane number `n`, or nullptr.
Lane* lane_number(uint32_t n);

/// Where the parts are, and the page that all processes of the recording share (nullptr if it can't be had).
const char* parts_folder();
SessionPage* session_page();

/// What happens to the process as a whole; see process_entries.cpp.
void at_exit();
void before_exec();
void after_failed_exec();
void expect_vfork();
/// The process is about to be ended from outside: leaves the calling thread's part complete.
void before_abort();
/// The application is about to jump to where it was before, past the recorded calls that are running.
void leave_by_jump();
/// What MPI says this process is; without a rank (-1) it belongs to another world than the one that was
/// launched.
void set_world(int64_t rank, int64_t size);
extern uint32_t layers_on;  ///< bit n: layer n is recorded
inline bool layer_enabled(uint32_t layer) { return layers_on >> layer & 1; }
/// Whether small values of attributes are kept.
bool keeps_attributes();
/// Whether this process is being recorded.
bool recording();
/// Whether the calling thread is quiet, so that threads it starts are none of the application's.
bool thread_is_quiet();
/// Nothing that the calling thread ever does is recorded.
void silence_thread();
/// Nothing that the calling thread does is recorded until it is called with false.
void pause_thread(bool pause);
/// Drops what this process has recorded and starts afresh, as a forked child does. Only while it has one
/// thread.
void start_again();

/// A recorded call is running; what it calls is inner. Restores on every way out, unwinding included.
class Running {
 public:
  Running(Lane& lane, const char* frame) : lane_(lane), depth_(lane.depth), frame_(lane.outer_frame) {
    if (depth_ == 0) lane.outer_frame = frame;
    lane.depth = depth_ + 1;
  }
  ~Running() { leave(); }
  void leave() {
    lane_.depth = depth_;
    lane_.outer_frame = frame_;
  }
  bool outer() const { return depth_ == 0; }

 private:
  Lane& lane_;
  uint32_t depth_;
  const char* frame_;
};

/// Nothing that this thread does is recorded meanwhile: a library starting up or ending, or our own messages.
class Quiet {
 public:
  explicit Quiet(Lane& lane) : lane_(lane), before_(lane.flags & Lane::quiet) {
    lane.flags = lane.flags | Lane::quiet;
  }
  ~Quiet() { lane_.flags = (lane_.flags & ~uint32_t{Lane::quiet}) | before_; }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  Lane& lane_;
  uint32_t before_;
};

/// What the recorder does for a call before making it, where that takes a while, is no part of a gap.
class Aside {
 public:
  explicit Aside(Lane& lane) : lane_(lane), begun_(ticks()) {}
  ~Aside() {
    if (lane_.depth == 0) lane_.add_own(ticks() - begun_);
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

 private:
  Lane& lane_;
  uint64_t begun_;
};

/// The recorder is at work on this lane: hooks pass through, `new` draws from the lane's arena, errno is
/// kept.
class Busy {
 public:
  Busy(Lane& lane, const char* frame)
      : errno_(lane.errno_place), lane_(lane), arena_(use_arena(&lane.arena())) {
    lane.busy_frame = frame;
    lane.flags = lane.flags | Lane::busy;
  }
  ~Busy() {
    lane_.flags = lane_.flags & ~uint32_t{Lane::busy};
    use_arena(arena_);
  }
  int saved_errno() const { return errno_.saved(); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  KeepErrno errno_;
  Lane& lane_;
  Arena* arena_;
};

}  // namespace refrain::record
