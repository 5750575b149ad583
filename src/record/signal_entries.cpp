// Handlers of the application are called by `run_handler`; see signals.hpp. The application sees only its
// own: what it asks about is answered with what it has set. Handlers that were set behind our back (by a
// system call of its own, or within the C library) are called as ever: what they do while the recorder is at
// work is counted as lost.
#include <signal.h>
#include <ucontext.h>

#include <cstring>

#include "record/real.hpp"
#include "record/recorder.hpp"
#include "record/signals.hpp"

namespace refrain::record {
namespace {

using Handler = void (*)(int, siginfo_t*, void*);

/// The same function under the other of the two types that handlers have.
template <class To, class From>
To as(From* handler) {
  return reinterpret_cast<To>(reinterpret_cast<FunctionAddress>(handler));
}

/// What the application set, by signal.
struct Installed {
  std::atomic<Handler> handler;
  std::atomic<int> flags;
};
constexpr int signals = 65;
Installed installed[signals];

/// An application's handler runs: what it calls is outer, and what was running goes on behind it.
class HandlerRuns {
 public:
  explicit HandlerRuns(Lane* lane) : lane_(lane), era_(process_era()) {
    if (lane == nullptr) return;
    depth_ = lane->depth;
    frame_ = lane->outer_frame;
    interrupted_ = lane->interrupted;
    inside_mpi_ = lane->inside_mpi;
    handlers_ = lane->handlers++;
    lane->interrupted += depth_;
    lane->inside_mpi = false;
    lane->depth = 0;
  }
  ~HandlerRuns() {
    // A child that was forked meanwhile has lanes of its own; a thread that lost its lane has another.
    if (lane_ == nullptr || lane_ != current_lane || era_ != process_era()) return;
    lane_->handlers = handlers_;
    lane_->interrupted = interrupted_;
    lane_->inside_mpi = inside_mpi_;
    lane_->outer_frame = frame_;
    lane_->depth = depth_;
  }
  HandlerRuns(const HandlerRuns&) = delete;
  HandlerRuns& operator=(const HandlerRuns&) = delete;

 private:
  Lane* lane_;
  uint64_t era_;
  uint32_t depth_ = 0, handlers_ = 0, interrupted_ = 0;
  const char* frame_ = nullptr;
  bool inside_mpi_ = false;
};

/// The recorder is at work, and not for long: while ranks merge, nobody waits for it.
bool can_wait(const Lane& lane, int signal, const siginfo_t& info) {
  if ((lane.flags & (Lane::busy | Lane::quiet)) != Lane::busy || raw::forbidden) return false;
  if ((faults & mask_of(signal)) != 0 && info.si_code > 0) return false;
  return (installed[signal].flags.load(std::memory_order_relaxed) & SA_RESETHAND) == 0;
}

/// Keeps the signal for deliver_signals(), and all others away until then. False if too many wait.
bool let_wait(Lane& lane, const siginfo_t& info, ucontext_t& interrupted) {
  // Another signal may interrupt us here, and then waits in the next place.
  uint32_t place = lane.signals_waiting.fetch_add(1, std::memory_order_relaxed);
  if (place >= std::size(lane.waiting)) {
    lane.signals_waiting.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  WaitingSignal& waiting = lane.waiting[place];
  waiting.info = info;
  std::memcpy(&waiting.mask, &interrupted.uc_sigmask, sizeof waiting.mask);
  SignalMask all = waiting.mask | ~faults;
  std::memcpy(&interrupted.uc_sigmask, &all, sizeof all);
  return true;
}

void run_handler(int signal, siginfo_t* info, void* context) {
  Lane* lane = current_lane;
  if (lane != nullptr && can_wait(*lane, signal, *info) &&
      let_wait(*lane, *info, *static_cast<ucontext_t*>(context)))
    return;
  Handler handler = installed[signal].handler.load(std::memory_order_acquire);
  HandlerRuns scope(lane);
  handler(signal, info, context);
}

/// For the instant in which a handler is told nothing but the signal; see set_handler.
void run_plain_handler(int signal) {
  auto handler = as<sighandler_t>(installed[signal].handler.load(std::memory_order_acquire));
  HandlerRuns scope(current_lane);
  handler(signal);
}

bool is_own(sighandler_t handler) {
  return handler == as<sighandler_t>(run_handler) || handler == run_plain_handler;
}

bool is_function(Handler handler) {
  auto value = reinterpret_cast<intptr_t>(handler);
  return value > 2 || value < -1;  // neither default, ignored, held, nor an error
}

bool may_stand_between(int signal) {
  return signal > 0 && signal < signals && recorder_is_on() && !runs_in_parents_memory();
}

/// What the application is told about: `before` is what it had set.
void show(struct sigaction& action, Handler before, int flags) {
  if (!is_own(action.sa_handler)) return;
  action.sa_sigaction = before;
  if ((flags & SA_SIGINFO) == 0) action.sa_flags &= ~SA_SIGINFO;
}

using SetAction = int(int, const struct sigaction*, struct sigaction*);

int set_action(SetAction* real, int signal, const struct sigaction* action, struct sigaction* old) {
  if (signal <= 0 || signal >= signals) return real(signal, action, old);
  Installed& own = installed[signal];
  Handler before = own.handler.load(std::memory_order_acquire);
  int flags = own.flags.load(std::memory_order_relaxed);
  bool between = action != nullptr && is_function(action->sa_sigaction) && may_stand_between(signal);
  struct sigaction passed;
  if (between) {
    passed = *action;
    // Not if it is ours already: who asks the kernel directly gets to see it.
    if (!is_own(passed.sa_handler)) own.handler.store(passed.sa_sigaction, std::memory_order_release);
    own.flags.store(passed.sa_flags, std::memory_order_relaxed);
    passed.sa_sigaction = run_handler;
    passed.sa_flags |= SA_SIGINFO;
  }
  int result = real(signal, between ? &passed : action, old);
  if (result == 0 && old != nullptr) show(*old, before, flags);
  if (result != 0 && between) {
    own.handler.store(before, std::memory_order_release);
    own.flags.store(flags, std::memory_order_relaxed);
  }
  return result;
}

}  // namespace

RF_REAL(sigaction, int(int, const struct sigaction*, struct sigaction*))
RF_HOOK int hook_sigaction(int signal, const struct sigaction* action, struct sigaction* old)
    RF_SYMBOL(sigaction);
int hook_sigaction(int signal, const struct sigaction* action, struct sigaction* old) {
  return set_action(real_sigaction(), signal, action, old);
}

RF_REAL(__sigaction, int(int, const struct sigaction*, struct sigaction*))
RF_HOOK int hook___sigaction(int signal, const struct sigaction* action, struct sigaction* old)
    RF_SYMBOL(__sigaction);
int hook___sigaction(int signal, const struct sigaction* action, struct sigaction* old) {
  return set_action(real___sigaction(), signal, action, old);
}

namespace {

/// signal() and its relatives: the C library decides about flags, then we ask to be told more than the
/// signal.
sighandler_t set_handler(sighandler_t (*real)(int, sighandler_t), int signal, sighandler_t handler) {
  auto wanted = as<Handler>(handler);
  if (signal <= 0 || signal >= signals) return real(signal, handler);
  Installed& own = installed[signal];
  Handler before = own.handler.load(std::memory_order_acquire);
  bool between = is_function(wanted) && may_stand_between(signal);
  if (between) own.handler.store(wanted, std::memory_order_release);
  sighandler_t old = real(signal, between ? run_plain_handler : handler);
  KeepErrno keep;
  struct sigaction now;
  if (between && old == SIG_ERR) {
    own.handler.store(before, std::memory_order_release);
  } else if (between && real_sigaction()(signal, nullptr, &now) == 0 && now.sa_handler == run_plain_handler) {
    own.flags.store(now.sa_flags, std::memory_order_relaxed);
    now.sa_sigaction = run_handler;
    now.sa_flags |= SA_SIGINFO;
    real_sigaction()(signal, &now, nullptr);
  }
  return is_own(old) ? as<sighandler_t>(before) : old;
}

}  // namespace

#define RF_SETS_HANDLER(name)                                                         \
  RF_REAL(name, sighandler_t(int, sighandler_t))                                      \
  RF_HOOK sighandler_t hook_##name(int signal, sighandler_t handler) RF_SYMBOL(name); \
  sighandler_t hook_##name(int signal, sighandler_t handler) {                        \
    return set_handler(real_##name(), signal, handler);                               \
  }
RF_SETS_HANDLER(signal)
RF_SETS_HANDLER(ssignal)
RF_SETS_HANDLER(bsd_signal)
RF_SETS_HANDLER(sysv_signal)
RF_SETS_HANDLER(__sysv_signal)
RF_SETS_HANDLER(sigset)

void find_signal_functions() {
  (void)real_sigaction();
  (void)real_signal();
}

void deliver_signals(Lane& lane) {
  uint32_t count = lane.signals_waiting.load(std::memory_order_relaxed);
  auto thread = raw::call(SYS_gettid);
  for (uint32_t i = 0; i < count; ++i) {
    siginfo_t& info = lane.waiting[i].info;
    raw::call(SYS_rt_tgsigqueueinfo, raw::pid(), thread, info.si_signo, &info);
  }
  SignalMask mask = lane.waiting[0].mask;
  lane.signals_waiting.store(0, std::memory_order_relaxed);
  raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &mask, nullptr, sizeof mask);
}

}  // namespace refrain::record
