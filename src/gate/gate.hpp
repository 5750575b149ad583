// The gate inside the application: whether it is there, the slot of the calling thread, and the wait for the
// job's turn. The application comes first: whatever goes wrong here ends in letting calls pass.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>

#include "gate/page.hpp"

namespace refrain::gate {

/// Non-zero while this process has a gate. It lies on a page that the kernel clears in a forked child, so
/// that a child takes slots of its own, however it was forked.
extern volatile uint64_t* armed;
extern Page* own_page;
extern constinit thread_local Slot* own_slot;

/// Finds the gate as the environment says; from the library's constructor or the first call before it.
void start();
Slot* enter_slowly();

/// The calling thread's slot, or nullptr: then the hook must only make the call.
[[gnu::always_inline]] inline Slot* enter() {
  Slot* slot = own_slot;
  if (*armed != 1 || slot == nullptr) [[unlikely]]
    return enter_slowly();
  return slot;
}

/// True in the child of a vfork, which runs in our memory until it becomes another program.
bool runs_in_parents_memory();

/// The size of a transfer that can't be told beforehand and is to be asked for in any case.
inline constexpr uint64_t unknown_size = ~uint64_t{0};

/// Returns when the job has its turn, or when there is nobody to wait for, or when the transfer is small
/// enough to pass. Marks the slot as running.
void wait_for_turn(Slot& slot, uint64_t planned);

/// At the start and end of a phase that the application declares.
void declare_phase(uint64_t bytes);
void end_declared_phase();

/// The thread leaves its calls behind by a jump.
void leave_by_jump();
/// The process ends: its slots are free, and whatever it does now passes.
void at_exit();
/// The process restricts its own system calls (seccomp), and one that it doesn't expect may be its end: there
/// is no gate from now on. To be called before; undone by `false` if it didn't happen.
void stand_aside(bool aside);

/// A call is running on the thread. Restores on every way out, unwinding included.
class Running {
 public:
  Running(Slot& slot, bool moves_bytes)
      : slot_(slot), running_(get(slot.running)), leaves_(get(slot.leaves)) {
    set(slot.leaves, leaves_ + (moves_bytes ? 1 : 0));
    set(slot.running, running_ + 1);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~Running() {
    set(slot_.calls, get(slot_.calls) + 1);
    set(slot_.leaves, leaves_);
    set(slot_.running, running_);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  bool outermost() const { return running_ == 0; }
  void moved(uint64_t bytes) { set(slot_.bytes, get(slot_.bytes) + bytes); }

 private:
  template <class T>
  static T get(const std::atomic<T>& value) {
    return value.load(std::memory_order_relaxed);
  }
  template <class T>
  static void set(std::atomic<T>& value, T to) {
    value.store(to, std::memory_order_release);
  }

  Slot& slot_;
  uint32_t running_, leaves_;
};

}  // namespace refrain::gate
