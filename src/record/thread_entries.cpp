// Threads get their numbers where they are started and give them back where they are joined; see
// thread_numbers.hpp.
#include <pthread.h>

#include "record/real.hpp"
#include "record/recorder.hpp"
#include "record/thread_numbers.hpp"

namespace refrain::record {
namespace {

/// What a thread is to run, by its number, and who it is.
struct Task {
  void* (*run)(void*) = nullptr;
  void* argument = nullptr;
  std::atomic<pthread_t> thread{};
};
/// Ready before any code runs: constructors of other libraries may start threads before ours would run. Where
/// recording starts again, threads may have been started that have not begun: they find what they are to run
/// where it was.
constinit Task tasks_of_rounds[2][max_threads];
Task* tasks(unsigned round) { return tasks_of_rounds[round % 2]; }

/// A number and the round in which it was given, as the argument of a thread.
void* as_argument(int number, unsigned round) {
  return reinterpret_cast<void*>(uint64_t{round} << 32 | static_cast<unsigned>(number));
}

void* run_numbered(void* word) {
  auto bits = reinterpret_cast<uint64_t>(word);
  auto number = static_cast<int>(bits & 0xffffffff);
  auto round = static_cast<unsigned>(bits >> 32);
  adopt_number(number, round);
  Task& task = tasks(round)[number];
  return task.run(task.argument);
}

/// What threads of a library that is quiet are to run, until they have begun.
struct SilentTask {
  std::atomic<bool> taken{};
  void* (*run)(void*) = nullptr;
  void* argument = nullptr;
};
constinit SilentTask silent_tasks[64];

SilentTask* take_silent_task() {
  for (SilentTask& task : silent_tasks) {
    bool free = false;
    if (task.taken.compare_exchange_strong(free, true, std::memory_order_acquire)) return &task;
  }
  return nullptr;
}

void* run_silently(void* of) {
  auto* task = static_cast<SilentTask*>(of);
  auto* run = task->run;
  void* argument = task->argument;
  task->taken.store(false, std::memory_order_release);
  silence_thread();
  return run(argument);
}

bool starts_detached(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  return attributes != nullptr && pthread_attr_getdetachstate(attributes, &state) == 0 &&
         state == PTHREAD_CREATE_DETACHED;
}

/// The number of a thread that was started here, which is forgotten; or no_number.
int number_of(pthread_t thread) {
  Task* own = tasks(numbers_round());
  for (int n = 0; recording() && n < max_threads; ++n) {
    if (own[n].thread.load(std::memory_order_relaxed) != thread) continue;
    pthread_t wanted = thread;
    if (own[n].thread.compare_exchange_strong(wanted, pthread_t{}, std::memory_order_acq_rel)) return n;
  }
  return no_number;
}

}  // namespace

RF_REAL(pthread_create, int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))
RF_HOOK int hook_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                                void* argument) RF_SYMBOL(pthread_create);
int hook_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                        void* argument) {
  if (SilentTask* task = thread_is_quiet() ? take_silent_task() : nullptr) {
    task->run = run;
    task->argument = argument;
    int error = real_pthread_create()(thread, attributes, run_silently, task);
    if (error != 0) task->taken.store(false, std::memory_order_release);
    return error;
  }
  if (!recorder_is_on()) start();  // a library's constructor may be the first that comes here
  unsigned round = numbers_round();
  int number = recording() ? reserve_number() : no_number;
  if (number == no_number) return real_pthread_create()(thread, attributes, run, argument);
  Task& task = tasks(round)[number];
  task.run = run;
  task.argument = argument;
  if (starts_detached(attributes)) detach_number(number);
  int error = real_pthread_create()(thread, attributes, run_numbered, as_argument(number, round));
  if (error != 0)
    release_number(number);
  else if (!starts_detached(attributes))
    task.thread.store(*thread, std::memory_order_release);
  return error;
}

RF_REAL(pthread_join, int(pthread_t, void**))
RF_HOOK int hook_pthread_join(pthread_t thread, void** result) RF_SYMBOL(pthread_join);
int hook_pthread_join(pthread_t thread, void** result) {
  int error = real_pthread_join()(thread, result);
  if (error != 0) return error;
  if (int number = number_of(thread); number != no_number) release_number(number);
  return 0;
}

RF_REAL(pthread_detach, int(pthread_t))
RF_HOOK int hook_pthread_detach(pthread_t thread) RF_SYMBOL(pthread_detach);
int hook_pthread_detach(pthread_t thread) {
  int number = number_of(thread);  // before: afterwards the thread may be gone and its identity used again
  int error = real_pthread_detach()(thread);
  if (number != no_number) detach_number(number);
  return error;
}

}  // namespace refrain::record
