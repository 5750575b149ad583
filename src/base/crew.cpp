// See crew.hpp.
#include "base/crew.hpp"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <utility>

namespace refrain {

Crew::Crew(unsigned threads)
    : threads_(threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency())) {}

Crew::~Crew() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    jobs_.clear();
  }
  posted_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Crew::post(Job job) {
  if (threads_ == 1) return job();
  {
    std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  if (helpers_.size() + 1 < threads_) hire();
  posted_.notify_one();
}

void Crew::finish() {
  std::unique_lock lock(mutex_);
  while (!jobs_.empty() || running_ > 0) {
    if (jobs_.empty())
      done_.wait(lock);
    else
      run_next(lock);
  }
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

/// A thread that can't be had is done without.
void Crew::hire() {
  try {
    helpers_.emplace_back([this] { help(); });
  } catch (const std::system_error&) {
  }
}

void Crew::help() {
  std::unique_lock lock(mutex_);
  while (true) {
    posted_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
    if (closed_) return;
    run_next(lock);
  }
}

void Crew::run_next(std::unique_lock<std::mutex>& lock) {
  Job job = std::move(jobs_.front());
  jobs_.pop_front();
  ++running_;
  lock.unlock();
  std::exception_ptr caught;
  try {
    job();
  } catch (...) {
    caught = std::current_exception();
  }
  lock.lock();
  if (caught) thrown_ = caught;
  if (--running_ == 0) done_.notify_all();
}

void in_parallel(size_t count, unsigned threads, const std::function<void(size_t)>& body, const Tell& tell) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  std::atomic<size_t> next = 0, done = 0;
  const std::thread::id caller = std::this_thread::get_id();
  auto work = [&] {
    for (size_t i = next++; i < count; i = next++) {
      try {
        body(i);
      } catch (...) {
        next = count;
        throw;
      }
      ++done;
      if (tell && std::this_thread::get_id() == caller) tell(done, count);
    }
  };
  Crew crew(threads);
  for (size_t i = std::min<size_t>(threads, count); i > 0; --i) crew.post(work);
  crew.finish();
  if (tell) tell(done, count);
}

}  // namespace refrain
