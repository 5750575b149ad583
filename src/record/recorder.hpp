// The recorder inside the application: whether it is armed, which lane the calling thread has, and how the
// hooks get in and out. The application comes first: whatever goes wrong here ends in passing calls through.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>

#include "api/layers.hpp"
#include "base/clock.hpp"
#include "part/filter.hpp"
#include "part/raw.hpp"
#include "record/lane.hpp"
#include "record/recorded_handles.hpp"
#include "record/thread_numbers.hpp"

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
/// Calls f for each lane that is recording.
template <class F>
void for_each_lane(F f) {
  for (uint32_t n = 0; n < static_cast<uint32_t>(max_threads); ++n)
    if (Lane* lane = lane_number(n); lane != nullptr && lane->recording()) f(*lane);
}

/// The library that is preloaded, by its path as in LD_PRELOAD; empty if it is linked in.
const char* own_library();
/// Where the parts are, and the page that all processes of the recording share (nullptr if it can't be had).
const char* parts_folder();
SessionPage* session_page();
/// On another host, which doesn't see at once what is stored here.
bool parts_are_read_elsewhere();

/// Whether filters restrict this process as some do from the `filtered_at`th on (0: none does).
bool is_restricted(uint64_t filtered_at);
/// A child that has not called anything yet finds out what it is.
void notice_fork();
/// A call that this lane's thread made is missing from the trace.
void count_lost(std::atomic<uint64_t> PartHeader::*counter, Lane& lane);
/// What a kernel wants called in place of a function; null: the function. See refrain_replace.
struct Replaced {
  std::atomic<int (*)(unsigned, unsigned, int)> close_range{nullptr};
  std::atomic<void (*)(int)> closefrom{nullptr};
  std::atomic<FILE* (*)()> tmpfile{nullptr};
};
extern Replaced replaced;

/// What happens to the process as a whole; see process_entries.cpp. How it ends is in process_end.hpp.
void expect_vfork();
/// A process becomes another program: what comes after is its parent's doing, if that can't be told
/// otherwise.
void forget_vfork();
/// The application is about to jump to where it was before, past the recorded calls that are running.
void leave_by_jump();
/// What MPI says this process is; without a rank (-1) it belongs to another world than the one that was
/// launched.
void set_world(int64_t rank, int64_t size);
extern uint32_t layers_on;  ///< bit n: layer n is recorded
inline bool layer_enabled(api::Layer layer) { return layers_on >> static_cast<uint32_t>(layer) & 1; }
/// Whether small values of attributes are kept.
bool keeps_attributes();
/// Whether this process is being recorded.
bool recording();
/// Whether it is, or was forked by one that is, and has not found out yet.
bool recorder_is_on();
/// Changes when this process turns out to be a child of the one that it was: lanes are new then.
uint64_t process_era();
/// True in the child of a vfork, which runs in our memory until it becomes another program.
bool runs_in_parents_memory();
/// The C library's word on whether the process has one thread, 0 if there may be others; where it has no such
/// word, always 0.
extern const char* one_thread;
/// Who may look at the tables while this thread, whose lane it is, changes them.
inline Others others_at_tables(const Lane& lane) {
  bool alone = __atomic_load_n(one_thread, __ATOMIC_RELAXED) != 0 && (lane.flags & Lane::busy) != 0;
  return alone ? Others::none : Others::some;
}
/// Sends the signals that arrived while the recorder was at work on the calling thread's lane.
void deliver_signals(Lane& lane);
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

/// The recorder is at work on this lane: hooks pass through, signals wait.
class Undisturbed {
 public:
  Undisturbed(Lane& lane, const char* frame) : lane_(lane), before_(lane.flags & Lane::busy) {
    lane.busy_frame = frame;
    lane.flags = lane.flags | Lane::busy;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  [[gnu::always_inline]] ~Undisturbed() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (before_ != 0) return;
    lane_.flags = lane_.flags & ~uint32_t{Lane::busy};
    if (lane_.signals_waiting.load(std::memory_order_relaxed) != 0) [[unlikely]]
      deliver_signals(lane_);
  }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  Lane& lane_;
  uint32_t before_;
};

/// The same; and `new` draws from the lane's arena, errno is kept.
class Busy {
 public:
  Busy(Lane& lane, const char* frame)
      : errno_(lane.errno_place), undisturbed_(lane, frame), arena_(use_arena(&lane.arena())) {}
  [[gnu::always_inline]] ~Busy() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    use_arena(arena_);
  }
  int saved_errno() const { return errno_.saved(); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  KeepErrno errno_;
  Undisturbed undisturbed_;
  Arena* arena_;
};

}  // namespace refrain::record
