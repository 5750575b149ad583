// Signals and the recorder. A handler of the application may run at any instant, in the middle of the
// recorder's work too, and may never come back (siglongjmp). So the recorder stands between: the
// application's handlers are called by one of ours (signal_entries.cpp), which knows three moments:
//
//   the recorder is at work   the signal waits the microseconds until it has finished, then comes as it was;
//   a recorded call runs      what the handler calls is the application's own doing, not the call's: outer;
//   otherwise                 nothing to do.
#pragma once

#include <csignal>
#include <cstdint>

#include "part/raw.hpp"

namespace refrain::record {

/// A set of signals as the kernel has it.
using SignalMask = uint64_t;
constexpr SignalMask mask_of(int signal) { return SignalMask{1} << (signal - 1); }
/// Those that say that the thread can't go on where it is: they can't wait.
constexpr SignalMask faults = mask_of(SIGSEGV) | mask_of(SIGBUS) | mask_of(SIGFPE) | mask_of(SIGILL) |
                              mask_of(SIGTRAP) | mask_of(SIGSYS);

/// No handler runs on this thread while it lives.
class NoSignals {
 public:
  NoSignals() {
    SignalMask all = ~faults;
    raw::call(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before_, sizeof all);
  }
  ~NoSignals() { raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &before_, nullptr, sizeof before_); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  SignalMask before_ = 0;
};

/// A signal that arrived while the recorder was at work.
struct WaitingSignal {
  siginfo_t info;
  SignalMask mask;  ///< of the thread when it arrived
};

}  // namespace refrain::record
