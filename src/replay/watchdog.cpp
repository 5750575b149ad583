#include "replay/watchdog.hpp"

#include <chrono>
#include <utility>

#include "replay/thread_context.hpp"

namespace refrain::replay {

Watchdog::Watchdog(double patience_seconds, std::function<void()> bark)
    : patience_(patience_seconds), bark_(std::move(bark)), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  thread_.join();
}

void Watchdog::watch() {
  using Clock = std::chrono::steady_clock;
  constexpr auto look_every = std::chrono::milliseconds(100);
  Quiet quiet;
  uint64_t last_begun = 0, last_ended = 0;
  Clock::time_point since = Clock::now();
  std::unique_lock lock(mutex_);
  while (!over_.wait_for(lock, look_every, [&] { return is_over_; })) {
    uint64_t begun = begun_.load(std::memory_order_relaxed), ended = ended_.load(std::memory_order_relaxed);
    bool waits = begun != ended && begun == last_begun && ended == last_ended;
    if (!waits) since = Clock::now();
    last_begun = begun;
    last_ended = ended;
    if (std::chrono::duration<double>(Clock::now() - since).count() < patience_) continue;
    bark_();
    return;
  }
}

}  // namespace refrain::replay
