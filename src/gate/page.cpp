// See page.hpp. Runs in the application as well as in the client: system calls are made directly, and nothing
// is allocated.
#include "gate/page.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

namespace refrain::gate {

namespace {

uint32_t* address_of(const std::atomic<uint32_t>& word) {
  static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));
  return reinterpret_cast<uint32_t*>(const_cast<std::atomic<uint32_t>*>(&word));
}

void wake_all(const std::atomic<uint32_t>& word) {
  syscall(SYS_futex, address_of(word), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace

void sleep_at(const std::atomic<uint32_t>& word, uint32_t seen, uint64_t longest_ns) {
  constexpr uint64_t second = 1'000'000'000;
  timespec longest{static_cast<time_t>(longest_ns / second), static_cast<long>(longest_ns % second)};
  syscall(SYS_futex, address_of(word), FUTEX_WAIT, seen, &longest, nullptr, 0);
}

bool set_gate(Page& page, GateState state) {
  uint32_t before = page.word.load(std::memory_order_relaxed);
  do {
    if (state_of(before) == state) return false;
  } while (!page.word.compare_exchange_weak(before, next_word(before, state), std::memory_order_acq_rel));
  wake_all(page.word);
  return true;
}

void wake_client(Page& page) {
  page.asked.fetch_add(1, std::memory_order_acq_rel);
  wake_all(page.asked);
}

Slot* take_slot(Page& page, uint32_t pid) {
  for (uint32_t i = 0; i < max_slots; ++i) {
    Slot& slot = page.slots[i];
    uint32_t nobody = 0;
    if (slot.pid.load(std::memory_order_relaxed) != 0 ||
        !slot.pid.compare_exchange_strong(nobody, pid, std::memory_order_acq_rel))
      continue;
    uint32_t used = page.used.load(std::memory_order_relaxed);
    while (used <= i && !page.used.compare_exchange_weak(used, i + 1, std::memory_order_acq_rel)) {
    }
    return &slot;
  }
  return nullptr;
}

Observation observe(const Page& page, std::span<const uint32_t> stopped) {
  Observation seen;
  for (size_t i = 0, n = used_slots(page); i < n; ++i) {
    const Slot& slot = page.slots[i];
    seen.calls += slot.calls.load(std::memory_order_relaxed);
    seen.bytes += slot.bytes.load(std::memory_order_relaxed);
    uint32_t pid = slot.pid.load(std::memory_order_acquire);
    if (pid == 0 || std::find(stopped.begin(), stopped.end(), pid) != stopped.end()) continue;
    bool waits = slot.waiting.load(std::memory_order_relaxed) != 0;
    bool declares = slot.declared.load(std::memory_order_relaxed) != 0;
    seen.waiting |= waits;
    seen.declared |= declares;
    seen.calling |= slot.running.load(std::memory_order_relaxed) != 0;
    seen.moving |= slot.leaves.load(std::memory_order_relaxed) != 0;
    if (waits || declares) seen.planned += slot.planned.load(std::memory_order_relaxed);
  }
  return seen;
}

void RestingThreads::look(Page& page) {
  for (size_t i = 0, n = used_slots(page); i < n; ++i) {
    uint64_t calls = page.slots[i].calls.load(std::memory_order_relaxed);
    if (calls == calls_[i]) page.slots[i].outside.store(0, std::memory_order_relaxed);
    calls_[i] = calls;
  }
}

}  // namespace refrain::gate
