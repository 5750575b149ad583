// Thread numbers; see thread_numbers.hpp. No locks: a fork must not find one taken.
#include "record/thread_numbers.hpp"

#include <pthread.h>

#include <atomic>

namespace refrain::record {
namespace {

enum : uint8_t { free_number = 0, taken = 1, ended = 2, detached = 4 };
std::atomic<uint8_t> states[max_threads];

thread_local int number_of_this_thread = no_number;
thread_local unsigned round_of_this_thread = 0;  ///< in which it got its number
std::atomic<unsigned> round{0};                  ///< how often all numbers were given back
void (*thread_end)() = nullptr;
pthread_key_t end_key;
bool end_key_made = false;

// The key's value is the number plus one: null values have no destructor call.
void at_thread_end(void* value) {
  auto number = static_cast<int>(reinterpret_cast<intptr_t>(value)) - 1;
  bool late = number_is_of_before();
  number_of_this_thread = no_number;
  thread_end();
  if (late) return;  // another has the number now
  if (states[number].fetch_or(ended, std::memory_order_acq_rel) & detached) release_number(number);
}

/// Takes the lowest number whose state has `wanted` bits and no others but `taken`.
int take_lowest(uint8_t wanted) {
  for (int n = 0; n < max_threads; ++n) {
    uint8_t state = wanted;
    if (states[n].compare_exchange_strong(state, taken, std::memory_order_acq_rel)) return n;
  }
  return no_number;
}

}  // namespace

int reserve_number() {
  int number = take_lowest(free_number);
  return number != no_number ? number : take_lowest(taken | ended);
}

void release_number(int number) { states[number].store(free_number, std::memory_order_release); }

void detach_number(int number) {
  if (states[number].fetch_or(detached, std::memory_order_acq_rel) & ended) release_number(number);
}

void restart_numbers() {
  for (auto& state : states) state.store(free_number, std::memory_order_relaxed);
  states[0].store(taken, std::memory_order_relaxed);
  number_of_this_thread = 0;
  round_of_this_thread = round.fetch_add(1, std::memory_order_seq_cst) + 1;
  if (end_key_made) pthread_setspecific(end_key, nullptr);
}

bool number_is_of_before() {
  return number_of_this_thread != no_number && round_of_this_thread != round.load(std::memory_order_seq_cst);
}

bool number_runs(int number) {
  uint8_t state = states[number].load(std::memory_order_acquire);
  return (state & taken) != 0 && (state & ended) == 0;
}

int own_number() { return number_of_this_thread; }

unsigned own_round() { return round_of_this_thread; }

unsigned numbers_round() { return round.load(std::memory_order_acquire); }

void adopt_number(int number) { adopt_number(number, numbers_round()); }

void adopt_number(int number, unsigned of_round) {
  number_of_this_thread = number;
  round_of_this_thread = of_round;
  if (end_key_made) pthread_setspecific(end_key, reinterpret_cast<void*>(intptr_t{number} + 1));
}

void forget_number() {
  number_of_this_thread = no_number;
  if (end_key_made) pthread_setspecific(end_key, nullptr);
}

void on_thread_end(void (*action)()) {
  thread_end = action;
  end_key_made = pthread_key_create(&end_key, at_thread_end) == 0;
}

}  // namespace refrain::record
