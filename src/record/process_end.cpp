// See process_end.hpp.
#include "record/process_end.hpp"

#include <atomic>
#include <exception>

#include "record/kernel_count.hpp"
#include "record/mapped_stores.hpp"
#include "record/recorder.hpp"

namespace refrain::record {
namespace {

std::atomic<uint64_t> process_ending{0};

void count_change(uint64_t before, uint64_t now) {
  SessionPage* session = session_page();
  if (session == nullptr) return;
  if (before == 0 && now != 0) session->ended.fetch_add(1, std::memory_order_relaxed);
  if (before != 0 && now == 0) session->ended.fetch_sub(1, std::memory_order_relaxed);
}

void set_ending(uint64_t ending) {
  if (!recorder_is_on() || !recording()) return;
  KeepErrno keep;
  count_change(process_ending.exchange(ending, std::memory_order_relaxed), ending);
  for_each_lane([&](Lane& lane) { lane.header().ending.store(ending, std::memory_order_relaxed); });
}

void flush_own() {
  Lane* lane = current_lane;
  if (lane == nullptr || lane->flags != 0 || !recording()) return;
  Busy busy(*lane, static_cast<const char*>(__builtin_frame_address(0)));
  try {
    lane->flush();
  } catch (const std::exception&) {
    count_lost(&PartHeader::lost_unknown, *lane);
  }
}

/// What is mapped reaches other hosts when the system likes. The one that reads the parts can't wait for
/// that.
void hand_over() {
  if (!parts_are_read_elsewhere() || !recorder_is_on() || !recording()) return;
  KeepErrno keep;
  for_each_lane([](Lane& lane) { lane.sync(); });
  raw::call(SYS_msync, session_page(), header_bytes, MS_SYNC);
}

}  // namespace

void begin_unended() { process_ending.store(0, std::memory_order_relaxed); }

uint64_t ending_so_far() { return process_ending.load(); }

void count_ended() { count_change(process_ending.load(std::memory_order_relaxed), 1); }

void before_abort() {
  settle_all_stores();
  flush_own();
}

void at_quick_exit() {
  if (!recording() || runs_in_parents_memory()) return;
  settle_all_stores();
  compare_with_kernel();
  count_ended();
}

void at_exit() {
  if (recording() && runs_in_parents_memory()) return;
  settle_all_stores();
  set_ending(1);
  flush_own();
  if (recording()) compare_with_kernel();
  hand_over();
}

void before_exec() {
  settle_all_stores();
  flush_own();
  set_ending(2);
  if (recording() && !runs_in_parents_memory()) compare_with_kernel();
  hand_over();
}

void after_failed_exec() { set_ending(0); }

}  // namespace refrain::record
