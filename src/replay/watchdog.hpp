// Ends a replay that would wait for ever. In a trace of a job that was killed, some ranks made a collective
// call that others never came to. Which calls wait for whom can't always be told from a trace (HDF5 meets its
// ranks inside), so the clock decides: a call that does not come back while nothing else happens is taken to
// wait for ranks that are gone. Used only for traces that say so.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace refrain::replay {

class Watchdog {
 public:
  /// Calls `bark` once, from another thread, when a call has lasted this long.
  Watchdog(double patience_seconds, std::function<void()> bark);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void call_begins() { begun_.fetch_add(1, std::memory_order_relaxed); }
  void call_ends() { ended_.fetch_add(1, std::memory_order_relaxed); }

 private:
  void watch();

  double patience_;
  std::function<void()> bark_;
  std::atomic<uint64_t> begun_{0}, ended_{0};
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;  ///< last: it uses all the others
};

}  // namespace refrain::replay
