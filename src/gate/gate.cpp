// See gate.hpp. No locks: a fork must not find one taken, nor a signal handler. System calls are made
// directly, so that nothing else that interposes sees them.
#include "gate/gate.hpp"

#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/clock.hpp"
#include "base/environment.hpp"
#include "base/launcher.hpp"
#include "gate/descriptors.hpp"
#include "part/raw.hpp"

extern char** environ;

namespace refrain::gate {

namespace raw = record::raw;
using record::KeepErrno;

Page* own_page = nullptr;
constinit thread_local Slot* own_slot = nullptr;

namespace {

volatile uint64_t never_armed = 0;

enum class Arming : int { fresh, starting, off, on };
std::atomic<Arming> arming{Arming::fresh};
std::atomic<uint32_t> own_pid{0};
pthread_key_t end_key;
bool end_key_made = false;
/// For threads that found all slots taken: they wait like others, but the client doesn't see them move.
constinit thread_local Slot spare_slot;

void at_thread_end(void*) {
  Slot* slot = own_slot;
  own_slot = nullptr;
  if (slot != nullptr && slot != &spare_slot && *armed == 1) free_slot(*slot);
}

/// Launchers and Refrain itself move data for the application, not as part of it.
bool is_bystander() {
  char program[512];
  long n = raw::readlink("/proc/self/exe", program, sizeof program - 1);
  program[n > 0 ? n : 0] = 0;
  const char* slash = std::strrchr(program, '/');
  const char* name = slash == nullptr ? program : slash + 1;
  return std::strcmp(name, "refrain") == 0 || is_launcher(name);
}

Page* map_page(const char* path) {
  int fd = raw::open(path, O_RDWR);
  if (fd < 0) return nullptr;
  struct stat status {};
  bool whole = raw::fstat(fd, &status) == 0 && status.st_size >= static_cast<off_t>(sizeof(Page));
  void* memory = whole ? raw::map(sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : nullptr;
  raw::close(fd);
  auto* mapped = static_cast<Page*>(memory);
  if (mapped == nullptr) return nullptr;
  if (mapped->magic.load(std::memory_order_acquire) == page_magic && mapped->bytes == sizeof(Page))
    return mapped;
  raw::unmap(memory, sizeof(Page));
  return nullptr;
}

/// What a program that this process was before has left behind.
void free_own_slots() {
  for (size_t i = 0, n = used_slots(*own_page); i < n; ++i)
    if (own_page->slots[i].pid.load(std::memory_order_relaxed) == own_pid.load())
      free_slot(own_page->slots[i]);
}

bool arm() {
  const char* path = std::getenv(environment::gate.name);
  if (path == nullptr || is_bystander()) return false;
  constexpr size_t wiped_bytes = 4096;
  void* wiped = raw::map_memory(wiped_bytes);
  if (wiped == nullptr || raw::advise(wiped, wiped_bytes, MADV_WIPEONFORK) != 0) return false;
  own_page = map_page(path);
  if (own_page == nullptr) return false;
  own_pid.store(raw::pid(), std::memory_order_relaxed);
  free_own_slots();
  set_rules(own_page->rules);
  end_key_made = pthread_key_create(&end_key, at_thread_end) == 0;
  armed = static_cast<volatile uint64_t*>(wiped);
  *armed = 1;
  return true;
}

uint64_t now_ns() {
  timespec t{};
  raw::call(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_nsec);
}

/// As /proc has it (R, S, D, T, Z …); 0 if there is no such process.
char process_state(uint32_t pid) {
  char path[32];
  char text[256];
  std::snprintf(path, sizeof path, "/proc/%u/stat", pid);
  int fd = raw::open(path, O_RDONLY);
  if (fd < 0) return 0;
  long n = raw::call(SYS_read, fd, text, sizeof text - 1);
  raw::close(fd);
  text[n > 0 ? n : 0] = 0;
  const char* name_end = std::strrchr(text, ')');
  return name_end != nullptr && name_end[1] == ' ' ? name_end[2] : 0;
}

bool client_is_dead() {
  uint64_t seen = own_page->client_seen_ns.load(std::memory_order_acquire);
  uint64_t now = now_ns();
  uint64_t silent_ns = now > seen ? now - seen : 0;
  if (silent_ns < client_doubt_ns) return false;
  char state = process_state(own_page->client_pid.load(std::memory_order_relaxed));
  if (state == 0 || state == 'Z' || state == 'X') return true;
  return silent_ns > (state == 'T' || state == 't' ? client_stopped_ns : client_silence_ns);
}

/// Nobody would ever open the gate.
void give_up_waiting(uint32_t word) {
  uint32_t free_word = next_word(word, GateState::uncoordinated);
  if (!own_page->word.compare_exchange_strong(word, free_word, std::memory_order_acq_rel)) return;
  own_page->account.deserted.fetch_add(1, std::memory_order_relaxed);
  set_gate(*own_page, GateState::uncoordinated);
}

/// Waits with the slot at rest, so that it is not taken for moving.
void wait_at_gate(Slot& slot, uint64_t planned) {
  constexpr uint64_t nap_ns = client_beat_ns;
  uint32_t running = slot.running.exchange(0, std::memory_order_relaxed);
  uint32_t leaves = slot.leaves.exchange(0, std::memory_order_relaxed);
  slot.planned.store(planned == unknown_size ? 0 : planned, std::memory_order_relaxed);
  slot.waiting.fetch_add(1, std::memory_order_release);
  wake_client(*own_page);
  for (;;) {
    uint32_t word = own_page->word.load(std::memory_order_acquire);
    if (state_of(word) != GateState::closed) {
      // As on the quick way: running first, then another look.
      slot.leaves.store(leaves, std::memory_order_relaxed);
      slot.running.store(running, std::memory_order_seq_cst);
      if (own_page->word.load(std::memory_order_seq_cst) == word) break;
      slot.running.store(0, std::memory_order_relaxed);
      slot.leaves.store(0, std::memory_order_relaxed);
      continue;
    }
    if (client_is_dead()) give_up_waiting(word);
    sleep_at(own_page->word, word, nap_ns);
  }
  slot.waiting.fetch_sub(1, std::memory_order_release);
  slot.outside.store(0, std::memory_order_relaxed);
}

}  // namespace

volatile uint64_t* armed = &never_armed;

void start() {
  if (environ == nullptr) return;  // too early: a sanitizer starts before the C library has
  Arming expected = Arming::fresh;
  if (!arming.compare_exchange_strong(expected, Arming::starting, std::memory_order_acq_rel)) return;
  KeepErrno keep;
  bool on = arm();
  arming.store(on ? Arming::on : Arming::off, std::memory_order_release);
}

bool runs_in_parents_memory() { return *armed == 1 && raw::pid() != own_pid.load(std::memory_order_relaxed); }

Slot* enter_slowly() {
  KeepErrno keep;
  if (*armed != 1) {
    if (arming.load(std::memory_order_acquire) == Arming::fresh) start();
    if (arming.load(std::memory_order_acquire) != Arming::on || *armed == 2) return nullptr;
    if (raw::forbidden.load(std::memory_order_relaxed)) return nullptr;
    if (*armed == 0) {  // a forked child
      own_slot = nullptr;
      own_pid.store(raw::pid(), std::memory_order_relaxed);
      *armed = 1;
    }
  }
  if (own_slot == nullptr) {
    if (runs_in_parents_memory()) return nullptr;
    Slot* slot = take_slot(*own_page, own_pid.load(std::memory_order_relaxed));
    if (slot == nullptr) slot = &spare_slot;
    // Whatever a thread does once it has told its end is not seen.
    if (end_key_made) pthread_setspecific(end_key, slot);
    own_slot = slot;
  }
  return own_slot;
}

void wait_for_turn(Slot& slot, uint64_t planned) {
  KeepErrno keep;
  if (planned != unknown_size) {
    uint64_t passed = slot.outside.load(std::memory_order_relaxed) + planned;
    if (passed < own_page->gate_bytes) {
      slot.outside.store(passed, std::memory_order_relaxed);
      return;
    }
  }
  wait_at_gate(slot, planned);
}

void declare_phase(uint64_t bytes) {
  Slot* slot = enter();
  if (slot == nullptr) return;
  KeepErrno keep;
  slot->planned.store(bytes, std::memory_order_relaxed);
  if (slot->declared.fetch_add(1, std::memory_order_seq_cst) > 0) return;
  if (state_of(own_page->word.load(std::memory_order_seq_cst)) == GateState::closed)
    wait_at_gate(*slot, bytes);
}

void end_declared_phase() {
  Slot* slot = enter();
  if (slot == nullptr || slot->declared.load(std::memory_order_relaxed) == 0) return;
  KeepErrno keep;
  if (slot->declared.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  slot->planned.store(0, std::memory_order_relaxed);
  wake_client(*own_page);
}

void leave_by_jump() {
  Slot* slot = own_slot;
  if (*armed != 1 || slot == nullptr) return;
  slot->running.store(0, std::memory_order_release);
  slot->leaves.store(0, std::memory_order_release);
  slot->waiting.store(0, std::memory_order_release);
}

void stand_aside(bool aside) {
  if (arming.load(std::memory_order_acquire) != Arming::on) return;
  KeepErrno keep;
  if (aside && *armed == 1) {
    own_slot = nullptr;
    free_own_slots();
  }
  raw::forbidden.store(aside, std::memory_order_relaxed);
  *armed = aside ? 2 : 1;
}

void at_exit() {
  if (*armed != 1 || runs_in_parents_memory()) return;
  KeepErrno keep;
  *armed = 2;
  own_slot = nullptr;
  free_own_slots();
}

}  // namespace refrain::gate
