// See crew.hpp.
#include "merge/crew.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace refrain::merge {

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

}  // namespace refrain::merge
