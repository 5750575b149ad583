// See parallel.hpp.
#include "schedule/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace refrain::schedule {

void in_parallel(size_t count, unsigned threads, const std::function<void(size_t)>& body, const Tell& tell) {
  constexpr std::chrono::milliseconds interval{50};
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::condition_variable changed;
  size_t done = 0;
  size_t working = std::min<size_t>(threads, count);
  std::exception_ptr thrown;
  auto work = [&] {
    std::exception_ptr caught;
    for (size_t i = next++; i < count && !caught; i = next++) {
      try {
        body(i);
      } catch (...) {
        caught = std::current_exception();
        next = count;
      }
      std::lock_guard lock(mutex);
      ++done;
    }
    std::lock_guard lock(mutex);
    if (caught) thrown = caught;
    --working;
    changed.notify_one();
  };
  std::vector<std::thread> pool;
  for (size_t i = working; i > 0; --i) pool.emplace_back(work);
  std::unique_lock lock(mutex);
  while (working > 0) {
    changed.wait_for(lock, interval);
    if (tell) tell(done, count);
  }
  lock.unlock();
  for (std::thread& thread : pool) thread.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace refrain::schedule
