// The page that the processes of a job share on one node with the node's client of the coordinator. The gate
// inside the application only looks at it: inside a phase a call costs one look; outside, the call marks its
// slot as waiting, wakes the client and sleeps until the word changes. Everything else is the client's work.
//
// - `word` is the gate: its state in the low bits, and a number above them that changes with every phase.
//   Only the client writes it, but for one case: a process that finds the client dead opens the gate for all.
// - `slots` hold what threads do, each written by its own thread only (and freed by the client when the
//   process has died), so that nothing is shared between cores while the application transfers. The client
//   reads all of them a few hundred times per second while the job has the lease.
// - A thread marks its slot as running before it looks at the word. So once the client has closed the gate
//   and has seen all slots rest for a while, no transfer of this node is under way.
//
// The page is memory of one host and is never written to disk; its layout has a version because the library
// in the application and the client may be of different builds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace refrain::gate {

inline constexpr uint64_t page_magic = 0x3147'6574'6147'6652;  // "RfGateG1"
inline constexpr size_t max_slots = 2048;
inline constexpr size_t max_rule_bytes = 8192;
/// The client shows itself at least so often.
inline constexpr uint64_t client_beat_ns = 100'000'000;
/// One that has not for so long is looked at: is there such a process, and does it run?
inline constexpr uint64_t client_doubt_ns = 3 * client_beat_ns;
/// One that is stopped for so long is as good as dead, and so is, on a machine that has no time for it,
/// one that was silent for longer.
inline constexpr uint64_t client_stopped_ns = 1'000'000'000;
inline constexpr uint64_t client_silence_ns = 5'000'000'000;

enum class GateState : uint32_t {
  closed,         ///< calls ask and wait
  open,           ///< a phase: the job has the lease
  uncoordinated,  ///< nobody to ask: calls pass
};

inline constexpr uint32_t state_mask = 3;
constexpr GateState state_of(uint32_t word) { return static_cast<GateState>(word & state_mask); }
/// The word after `before` that says `state`: another one whenever the state changes.
constexpr uint32_t next_word(uint32_t before, GateState state) {
  return ((before | state_mask) + 1) | static_cast<uint32_t>(state);
}

/// What one thread does. A cache line of its own.
struct alignas(64) Slot {
  std::atomic<uint32_t> pid{0};       ///< 0: free
  std::atomic<uint32_t> running{0};   ///< calls that this thread is in, one inside the other
  std::atomic<uint32_t> leaves{0};    ///< those of them that move bytes themselves: posix and stdio
  std::atomic<uint32_t> waiting{0};   ///< at the gate
  std::atomic<uint32_t> declared{0};  ///< inside refrain_phase_begin … refrain_phase_end
  std::atomic<uint32_t> unused{0};
  std::atomic<uint64_t> calls{0};    ///< that have ended, ever
  std::atomic<uint64_t> bytes{0};    ///< moved, ever
  std::atomic<uint64_t> planned{0};  ///< by the call that waits, or by the phase declared; 0: not known
  std::atomic<uint64_t> outside{0};  ///< bytes that passed outside of phases since the thread last rested
};
static_assert(sizeof(Slot) == 64);

/// What the client is to the coordinator, so that another one can go on where it stopped.
struct Handover {
  std::atomic<uint64_t> client{0};  ///< its number, the same for all clients of the page
  std::atomic<uint64_t> started_ns{0};
  std::atomic<uint64_t> phase{0};  ///< the next one, or the one of the lease
  std::atomic<uint64_t> lease{0};  ///< 0: none
  std::atomic<uint64_t> held_ns{0};
  std::atomic<uint64_t> phase_bytes{0};  ///< that all processes had moved when the phase of the lease began
};

/// For the one line at the end.
struct Account {
  std::atomic<uint64_t> phases{0};
  std::atomic<uint64_t> waited_ns{0};         ///< somebody waited and nobody moved
  std::atomic<uint64_t> uncoordinated_ns{0};  ///< while there was nobody to ask
  std::atomic<uint64_t> deserted{0};          ///< times that processes found no client
  std::atomic<uint32_t> ever_joined{0};       ///< the coordinator has welcomed this node
  std::atomic<uint32_t> said{0};              ///< somebody has said it
  char refusal[160] = {};                     ///< what the coordinator said when it refused this job
};

struct Page {
  std::atomic<uint64_t> magic{0};  ///< set last: the page is ready
  uint64_t bytes = 0;              ///< sizeof(Page) of who made it
  uint64_t gate_bytes = 0;         ///< so many bytes pass outside of phases
  uint64_t patience_ns = 0;
  uint64_t idle_ns = 0;
  std::atomic<uint32_t> members{0};  ///< `refrain run`s on this node that have not ended
  std::atomic<uint32_t> used{0};     ///< slots that were ever taken

  alignas(64) std::atomic<uint32_t> word{0};   ///< a futex; all look at it
  alignas(64) std::atomic<uint32_t> asked{0};  ///< a futex; changes whenever the client should look
  std::atomic<uint32_t> client_pid{0};
  std::atomic<uint64_t> client_seen_ns{0};  ///< CLOCK_MONOTONIC, when the client last showed itself
  alignas(64) Handover handover;
  Account account;
  char rules[max_rule_bytes] = {};  ///< of the files that are gated, as part/filter.hpp has them
  Slot slots[max_slots];
};

/// What the client sees of its node at one moment.
struct Observation {
  bool waiting = false;   ///< somebody waits at the gate
  bool moving = false;    ///< a call that moves bytes is running
  bool calling = false;   ///< a call of a library is running, whether or not it moves bytes
  bool declared = false;  ///< somebody is in a phase by its own word
  uint64_t calls = 0;     ///< that have ended, of all threads ever
  uint64_t bytes = 0;
  uint64_t planned = 0;  ///< by those who wait or have declared a phase
};
/// Processes that are `stopped` (SIGSTOP) neither move nor wait.
Observation observe(const Page& page, std::span<const uint32_t> stopped = {});

/// Threads that have not moved since the last time may again pass so many bytes unasked.
class RestingThreads {
 public:
  void look(Page& page);

 private:
  uint64_t calls_[max_slots] = {};
};

/// Frees the slots of processes for which `lives(pid)` is false; how many.
template <class Lives>
size_t free_dead_slots(Page& page, Lives lives);

/// Frees a slot: the numbers that only grow stay.
inline void free_slot(Slot& slot) {
  for (auto* field : {&slot.running, &slot.leaves, &slot.waiting, &slot.declared})
    field->store(0, std::memory_order_relaxed);
  slot.planned.store(0, std::memory_order_relaxed);
  slot.outside.store(0, std::memory_order_relaxed);
  slot.pid.store(0, std::memory_order_release);
}

inline size_t used_slots(const Page& page) {
  uint32_t used = page.used.load(std::memory_order_acquire);
  return used < max_slots ? used : max_slots;
}

template <class Lives>
size_t free_dead_slots(Page& page, Lives lives) {
  size_t freed = 0;
  uint32_t last_living = 0;
  for (size_t i = 0, n = used_slots(page); i < n; ++i) {
    uint32_t pid = page.slots[i].pid.load(std::memory_order_acquire);
    if (pid == 0 || pid == last_living) continue;
    if (lives(pid)) {
      last_living = pid;
    } else {
      free_slot(page.slots[i]);
      ++freed;
    }
  }
  return freed;
}

/// Takes a free slot for a thread of process `pid`; nullptr if there is none.
Slot* take_slot(Page& page, uint32_t pid);

/// Changes the word and wakes all who wait. False if it says that state already.
bool set_gate(Page& page, GateState state);
/// Makes the client look.
void wake_client(Page& page);
/// Sleeps until `word` is no longer `seen`, at most so long. Returns early for signals.
void sleep_at(const std::atomic<uint32_t>& word, uint32_t seen, uint64_t longest_ns);

}  // namespace refrain::gate
