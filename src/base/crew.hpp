// Jobs that need not wait for each other, on several threads. Merging is for the most part such jobs: trees
// of different ranks, and tables of different places; so are the runs of an experiment. Only the tool uses
// more than one thread; inside the application everything happens in the thread that merges.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace refrain {

class Crew {
 public:
  using Job = std::function<void()>;
  /// Threads to work with, the caller's included; 0: as many as there are cores. Others than the caller's are
  /// started when there are jobs.
  explicit Crew(unsigned threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// With one thread, does the job at once; otherwise some thread does it soon, those posted first first. For
  /// the thread that made the crew, not for jobs.
  void post(Job job);
  /// Works too until all jobs are done. What a job threw is thrown here.
  void finish();

 private:
  void hire();
  void help();
  void run_next(std::unique_lock<std::mutex>& lock);

  const unsigned threads_;
  std::vector<std::thread> helpers_;
  std::mutex mutex_;  ///< of what follows
  std::condition_variable posted_, done_;
  std::deque<Job> jobs_;
  size_t running_ = 0;
  bool closed_ = false;
  std::exception_ptr thrown_;
};

/// Told now and then, from the calling thread, how much is done.
using Tell = std::function<void(size_t done, size_t total)>;

/// Calls body(0) … body(count - 1), each once, from `threads` threads (0: as many as there are cores). What a
/// body throws ends the work and is thrown again here.
void in_parallel(size_t count, unsigned threads, const std::function<void(size_t)>& body,
                 const Tell& tell = {});

}  // namespace refrain
