// Arming, lanes, forks; see recorder.hpp.
#include "record/recorder.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "base/environment.hpp"
#include "base/launcher.hpp"
#include "part/host_page.hpp"
#include "part/linked_note.hpp"
#include "part/process_info.hpp"
#include "record/kernel_count.hpp"
#include "record/mapped_stores.hpp"
#include "record/process_end.hpp"
#include "record/process_marks.hpp"
#include "record/real.hpp"
#include "record/thread_numbers.hpp"

extern char** environ;
RF_NOTE_NAME(optional, "__libc_single_threaded")

namespace refrain::record {

Shared shared;
constinit thread_local Lane* current_lane = nullptr;
uint32_t layers_on = ~0u;

namespace {

volatile uint64_t never_armed = 0;

enum class State : int { fresh, starting, off, on };
std::atomic<State> arming{State::fresh};

/// By thread number. Where recording starts again, threads from before may be about to put a lane into
/// theirs.
std::atomic<Lane*> lanes_of_rounds[2][max_threads];
using Lanes = std::atomic<Lane*>[max_threads];
Lanes& lanes(unsigned round) { return lanes_of_rounds[round % 2]; }

TickRate rate;
SessionPage* session = nullptr;
bool away = false;  ///< from the host that reads the parts
/// Set before a vfork: the next calls on this thread may be the child's, in our memory.
thread_local bool vfork_expected = false;
/// No part could be made for this thread; its calls are counted with the first lane's.
thread_local bool thread_refused = false;
/// The thread is a library's own.
thread_local bool thread_silenced = false;
std::atomic<uint32_t> own_pid{0};
std::atomic<uint64_t> era{0};
uint64_t own_start_ticks = 0;
bool descends = false;
bool begun_before = false;  ///< this program has, or the process that it was forked from
std::atomic<uint64_t> start_ns{0};
bool attributes_kept = false;
bool heat_kept = true;
std::atomic<uint64_t> world_rank{0}, world_size{0};  ///< as in the header of a part

// Settings, copied from the environment, which the application may change.
char folder[400];
char rules[16 << 10];
char library_path[400];

bool copy_setting(const char* name, char* out, size_t size) {
  const char* value = getenv(name);
  if (value == nullptr || std::strlen(value) >= size) return false;
  std::strcpy(out, value);
  return true;
}

void leave_lane() {
  if (current_lane != nullptr && *armed == 1) count_ending_thread();
  current_lane = nullptr;
}

/// Whether filters of system calls, which this process may have inherited, leave the recorder too little.
/// Asked before anything else is tried.
bool restricted_in_session() {
  char path[sizeof folder + 16];
  std::snprintf(path, sizeof path, "%s/session", folder);
  int fd = raw::open(path, O_RDWR);
  if (fd < 0) return false;
  auto* page = static_cast<SessionPage*>(raw::map(header_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  raw::close(fd);
  if (page == nullptr || page->magic != session_magic) return false;
  if (!is_restricted(page->filtered_at.load(std::memory_order_relaxed))) {
    raw::unmap(page, header_bytes);
    return false;
  }
  session = page;
  return true;
}

/// False if there is no such recording, on this host at least.
bool map_session() {
  HostPage here = map_host_page(folder);
  session = here.page;
  away = !here.home;
  if (here.error == ENOENT) say_folder_is_missing(folder);
  return here.error != ENOENT;
}

void note_unrecorded(int error) {
  if (session == nullptr) return;
  session->unrecorded.fetch_add(1, std::memory_order_relaxed);
  session->last_error.store(static_cast<uint64_t>(error), std::memory_order_relaxed);
}

uint64_t epoch_ns() {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(t.tv_nsec);
}

/// What is the same for every process image, forked or not.
void begin_process() {
  own_pid.store(raw::pid(), std::memory_order_relaxed);
  era.fetch_add(1, std::memory_order_relaxed);
  own_start_ticks = ticks();
  start_ns.store(epoch_ns(), std::memory_order_release);
  begin_unended();
  if (session != nullptr) {
    bool others = session->processes.fetch_add(1, std::memory_order_relaxed) > 0;
    descends = others && (descends || !begun_before) && !launched().is_rank();
  }
  begun_before = true;
  begin_kernel_count();
}

bool arm() {
  if (!copy_setting(environment::parts.name, folder, sizeof folder)) return false;
  if (restricted_in_session()) {
    note_unrecorded(EPERM);
    return false;
  }
  if (!map_session()) return false;
  if (starts_ranks()) return false;
  // With both libraries in one process, the preloaded one records, which also sees the calls of other
  // libraries, unless the program says that it holds some of them itself.
  if (linked_in ? !has_linked_note() && has_library("/librefrain.so\n") : has_linked_note()) return false;
  Dl_info own;
  if (!linked_in && dladdr(&own_start_ticks, &own) != 0 && std::strlen(own.dli_fname) < sizeof library_path)
    std::strcpy(library_path, own.dli_fname);
  if (copy_setting(environment::rules.name, rules, sizeof rules))
    shared.filter.set_rules(decode_rules(rules));
  shared.filter.set_program(program_invocation_short_name);
  attributes_kept = getenv(environment::keep_attributes.name) != nullptr;
  heat_kept = getenv(environment::no_heat_map.name) == nullptr;
  if (const char* names = getenv(environment::layers.name)) {
    layers_on = 0;
    uint32_t bit = 1;
    for (const api::LayerFacts& layer : api::layers) {
      std::string_view list = names;
      for (size_t at = 0; at <= list.size();) {
        size_t comma = std::min(list.find(',', at), list.size());
        if (list.substr(at, comma - at) == layer.name) layers_on |= bit;
        at = comma + 1;
      }
      bit <<= 1;
    }
  }
  void* page = raw::map_memory(header_bytes);
  if (page == nullptr) return false;
  raw::advise(page, header_bytes, MADV_WIPEONFORK);
  on_thread_end(leave_lane);
  if (const void* found = find_variable("__libc_single_threaded"))
    one_thread = static_cast<const char*>(found);
  restart_numbers();
  rate.start();
  begin_process();
  armed = static_cast<volatile uint64_t*>(page);
  *armed = 1;
  return true;
}

void let_go(Lane* lane) {
  lane->abandon();
  lane->arena().unmap_all();
  raw::unmap(lane, sizeof(Lane));
}

/// Recording begins anew, with new numbers and without lanes. Descriptors and streams that the process uses
/// again are looked at again, as inherited ones.
void begin_anew() {
  current_lane = nullptr;
  vfork_expected = thread_refused = thread_silenced = false;
  use_arena(nullptr);
  shared.descriptors.clear();
  shared.addresses.clear();
  shared.maps.clear();
  forget_all_stores();
  forget_marks();
  begin_process();
  *armed = 1;
}

/// A child process finds copies of its parent's lanes: it lets them go and starts afresh.
void begin_child() {
  for (auto& round : lanes_of_rounds)
    for (auto& slot : round)
      if (Lane* lane = slot.exchange(nullptr, std::memory_order_relaxed)) let_go(lane);
  restart_numbers();
  begun_before = false;  // another process
  begin_anew();
}

int open_part(Lane& lane, uint64_t began_ns) {
  auto info = process_info({.lane = lane.number(), .start_ns = began_ns});
  char path[512];
  std::snprintf(path, sizeof path, "%s/%s-%u-%llx.%u.part", folder, host_name(), own_pid.load(),
                static_cast<unsigned long long>(began_ns), lane.number());
  return lane.open(path, info);
}

void note_world(Lane& lane) {
  lane.header().ranks.store(world_size.load(), std::memory_order_relaxed);
  lane.header().rank.store(world_rank.load(), std::memory_order_relaxed);
}

/// Recording has started again since this thread got its number; see start_again.
Lane* no_lane_of_before() {
  thread_silenced = true;
  return nullptr;
}

/// The lowest lane that no thread has, with its part; nullptr if there can't be one.
Lane* take_lane(const char* frame) {
  if (own_number() == no_number) {
    unsigned round = numbers_round();
    int number = reserve_number();
    if (number == no_number) return nullptr;
    detach_number(number);  // we did not see it start, and may not see it joined
    adopt_number(number, round);
  }
  auto n = static_cast<uint16_t>(own_number());
  std::atomic<Lane*>& slot = lanes(own_round())[n];
  if (Lane* lane = slot.load(std::memory_order_acquire)) {
    lane->errno_place = &errno;
    return lane->recording() ? lane : nullptr;
  }
  uint64_t began_ns = start_ns.load(std::memory_order_acquire);
  if (number_is_of_before()) return no_lane_of_before();
  void* memory = raw::map_memory(sizeof(Lane));
  if (memory == nullptr) return nullptr;
  auto* fresh = new (memory) Lane(n);
  fresh->errno_place = &errno;
  Busy busy(*fresh, frame);
  fresh->process_start_ticks = own_start_ticks;
  fresh->process_start_ns = heat_kept ? began_ns : 0;
  int error = open_part(*fresh, began_ns);
  // Either start_again finds the lane here, or this thread finds that there is a new round.
  slot.store(fresh, std::memory_order_seq_cst);
  if (number_is_of_before()) {
    if (error == 0) raw::unlink(fresh->part_path());
    Lane* own = fresh;
    slot.compare_exchange_strong(own, nullptr, std::memory_order_acq_rel);
    return no_lane_of_before();
  }
  if (error != 0) {
    note_unrecorded(error);
    if (n == 0) *armed = 2;  // this process is not recorded; a child may be
    return nullptr;
  }
  fresh->header().ending.store(ending_so_far(), std::memory_order_relaxed);
  note_world(*fresh);
  return fresh;
}

/// A call began on a thread whose outermost recorded call never came back: it was left by a jump that we
/// didn't see. Frames of running calls lie below (at lower addresses than) those of their callers, unless a
/// signal handler has a stack of its own.
bool left_behind(const char* frame, const char* running) {
  if (running == nullptr || frame < running || frame - running >= (64 << 20)) return false;
  if (raw::forbidden.load(std::memory_order_relaxed)) return true;
  stack_t stack;
  return raw::call(SYS_sigaltstack, nullptr, &stack) == 0 && (stack.ss_flags & SS_ONSTACK) == 0;
}

bool in_vforked_child() {
  if (!vfork_expected) return false;
  if (raw::pid() != own_pid.load(std::memory_order_relaxed)) return true;
  vfork_expected = false;
  if (Lane* lane = current_lane) lane->flags = lane->flags & ~uint32_t{Lane::vfork_pending};
  return false;
}

}  // namespace

volatile uint64_t* armed = &never_armed;

static const char several_threads = 0;
const char* one_thread = &several_threads;

TickRate& tick_rate() { return rate; }

Lane* lane_number(uint32_t n) {
  return n < max_threads ? lanes(numbers_round())[n].load(std::memory_order_acquire) : nullptr;
}

const char* parts_folder() { return folder; }

const char* own_library() { return library_path; }

SessionPage* session_page() { return session; }

bool recording() { return *armed == 1; }

bool recorder_is_on() { return arming.load(std::memory_order_acquire) == State::on; }

void count_lost(std::atomic<uint64_t> PartHeader::*counter, Lane& lane) {
  if (lane.recording()) (lane.header().*counter).fetch_add(1, std::memory_order_relaxed);
}

void notice_fork() {
  bool child = recorder_is_on() && *armed == 0 && raw::pid() != own_pid.load(std::memory_order_relaxed);
  if (child && !raw::forbidden.load(std::memory_order_relaxed)) begin_child();
}

bool is_descendant() { return descends; }

uint64_t process_era() { return era.load(std::memory_order_relaxed); }

bool parts_are_read_elsewhere() { return away; }

bool runs_in_parents_memory() {
  KeepErrno keep;
  return in_vforked_child();
}

bool thread_is_quiet() {
  Lane* lane = current_lane;
  return thread_silenced || (lane != nullptr && (lane->flags & Lane::quiet) != 0);
}

void silence_thread() { thread_silenced = true; }

void pause_thread(bool pause) {
  notice_fork();
  thread_silenced = pause;
  Lane* lane = current_lane;
  if (lane == nullptr) return;
  if (pause) lane->paused_at = ticks();
  if (!pause && lane->paused_at != 0) lane->add_own(ticks() - std::exchange(lane->paused_at, 0));
  uint32_t others = lane->flags & ~uint32_t{Lane::quiet};
  lane->flags = pause ? others | Lane::quiet : others;
}

void start_again() {
  if (!recording()) return;
  KeepErrno keep;
  bool silenced = thread_silenced;
  // Threads that libraries started before main() may be in the middle of a call: their lanes stay where they
  // are, and lead to files that have no name any more. What they do from now on isn't the application's
  // either. Numbers come first: who is making a lane notices it and takes its part away itself.
  Lanes& before = lanes(numbers_round());
  restart_numbers();
  for (auto& slot : before) {
    Lane* lane = slot.exchange(nullptr, std::memory_order_seq_cst);
    if (lane != nullptr && lane->recording()) raw::unlink(lane->part_path());
  }
  if (current_lane != nullptr) let_go(current_lane);  // not earlier: another may get a lane at its address
  count_ended();
  begin_anew();
  thread_silenced = silenced;
}

bool keeps_attributes() { return attributes_kept; }

void start() {
  if (environ == nullptr) return;  // too early: a sanitizer starts before the C library has
  State expected = State::fresh;
  if (!arming.compare_exchange_strong(expected, State::starting, std::memory_order_acq_rel)) return;
  KeepErrno keep;
  bool on = false;
  try {
    on = arm();
  } catch (const std::exception&) {
    on = false;
  }
  arming.store(on ? State::on : State::off, std::memory_order_release);
}

Lane* enter_slowly(const char* frame) {
  KeepErrno keep;
  if (*armed != 1) {
    State now = arming.load(std::memory_order_acquire);
    if (now == State::fresh) start();
    if (arming.load(std::memory_order_acquire) != State::on || *armed == 2) return nullptr;
    if (*armed == 0 && raw::forbidden.load(std::memory_order_relaxed)) {
      *armed = 2;  // a part can't be made
      note_unrecorded(EPERM);
      return nullptr;
    }
    if (*armed == 0) {
      NoSignals undisturbed;
      if (*armed == 0 && raw::pid() == own_pid.load(std::memory_order_relaxed)) return nullptr;
      if (*armed == 0) begin_child();
    }
  }
  if (number_is_of_before()) {  // see start_again
    thread_silenced = true;
    current_lane = nullptr;
  }
  Lane* lane = current_lane;
  if (thread_silenced) return nullptr;
  if (in_vforked_child()) {
    // Whose calls they are can't be found out where system calls are restricted.
    if (lane != nullptr && raw::forbidden.load(std::memory_order_relaxed))
      count_lost(&PartHeader::lost_unknown, *lane);
    return nullptr;
  }
  if (lane != nullptr && (lane->flags & Lane::quiet)) {
    if (lane->handlers > 0) count_lost(&PartHeader::lost_in_handlers, *lane);
    return nullptr;
  }
  if (lane != nullptr && (lane->flags & Lane::clockless)) {
    count_lost(&PartHeader::lost_unknown, *lane);
    return nullptr;
  }
  if (lane != nullptr && (lane->flags & Lane::busy)) {
    count_lost(&PartHeader::lost_in_handlers, *lane);
    if (!left_behind(frame, lane->busy_frame)) return nullptr;
    current_lane = lane = nullptr;  // left in the middle of recording: its memory can't be trusted any more
    forget_number();
  }
  if (lane == nullptr) {
    NoSignals undisturbed;  // a lane is whole before anyone sees it
    if (current_lane != nullptr) return enter_slowly(frame);
    try {
      if (!thread_refused) lane = take_lane(frame);
    } catch (const std::exception&) {
      lane = nullptr;
    }
    if (lane == nullptr) {
      if (thread_silenced) return nullptr;
      if (!thread_refused && raw::forbidden.load(std::memory_order_relaxed)) note_unrecorded(EPERM);
      thread_refused = true;
      if (Lane* first = lane_number(0)) count_lost(&PartHeader::lost_unknown, *first);
      return nullptr;
    }
    lane->depth = lane->handlers = lane->interrupted = 0;
    current_lane = lane;
  }
  if (lane->depth != 0 && left_behind(frame, lane->outer_frame)) {
    count_lost(&PartHeader::lost_abandoned, *lane);
    lane->depth = 0;
  }
  return lane;
}

void set_world(int64_t rank, int64_t size) {
  world_size.store(static_cast<uint64_t>(size), std::memory_order_relaxed);
  world_rank.store(rank < 0 ? ~uint64_t{0} : static_cast<uint64_t>(rank) + 1, std::memory_order_relaxed);
  for_each_lane(note_world);
}

void expect_vfork() {
  if (arming.load(std::memory_order_acquire) != State::on) return;
  notice_fork();
  vfork_expected = true;
  if (Lane* lane = current_lane) lane->flags = lane->flags | Lane::vfork_pending;
}

void forget_vfork() {
  if (!raw::forbidden.load(std::memory_order_relaxed)) return;
  vfork_expected = false;
  if (Lane* lane = current_lane) lane->flags = lane->flags & ~uint32_t{Lane::vfork_pending};
}

void leave_by_jump() {
  Lane* lane = current_lane;
  if (lane == nullptr || *armed != 1) return;
  if (lane->flags & Lane::busy) {
    // Out of a handler that ran while we were recording: what we were at is half done.
    count_lost(&PartHeader::lost_abandoned, *lane);
    current_lane = nullptr;
    forget_number();
    return;
  }
  for (uint32_t n = lane->depth + lane->interrupted; n > 0; --n)
    count_lost(&PartHeader::lost_abandoned, *lane);
  lane->depth = lane->interrupted = lane->handlers = 0;
}

}  // namespace refrain::record
