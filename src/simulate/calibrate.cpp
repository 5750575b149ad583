// See calibrate.hpp. Data may stay in the page cache, as it does for applications that don't ask for more:
// what is described is what they see.
#include "simulate/calibrate.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <thread>
#include <vector>

namespace refrain::simulate {

namespace {

using Clock = std::chrono::steady_clock;

/// What a run does.
struct Pattern {
  bool writes = true;
  uint64_t size = 4096;
  uint64_t distance = 4096;
  uint64_t first = 0;
  uint64_t calls = 1;
  bool shared = false;  ///< all writers use one file, one behind the other
};

/// The folder that files of the runs are in, and what went wrong there first.
class Bench {
 public:
  Bench(std::filesystem::path folder, uint32_t repetitions)
      : folder_(std::move(folder)), repetitions_(repetitions) {}
  ~Bench() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// Seconds that a writer spends on the calls of the pattern while all `writers` are at it: the mean over
  /// writers, and the median of that over repetitions. Applications are measured likewise; how long the last
  /// of the writers takes to start is not part of it.
  double seconds(const Pattern& pattern, uint32_t writers) {
    return median([&] {
      std::vector<Writer> all(writers);
      for (uint32_t i = 0; i < writers; ++i) {
        std::string path = name(pattern.shared ? 0 : i);
        // Applications mostly write new files, whose pages have to be found first.
        if (pattern.writes && (i == 0 || !pattern.shared)) unlink(path.c_str());
        all[i].fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (all[i].fd < 0) error_ = errno;
        all[i].buffer.assign(pattern.size, 'r');
        if (pattern.shared) all[i].begin = i * pattern.calls * pattern.distance;
      }
      double mean = together(writers, [&](uint32_t i) { transfer(pattern, all[i]); });
      for (const Writer& writer : all)
        if (writer.fd >= 0) close(writer.fd);
      return mean;
    });
  }

  /// The same for opening and closing a file of each writer's own `calls` times.
  double open_seconds(uint64_t calls, uint32_t writers) {
    return median([&] {
      return together(writers, [&](uint32_t writer) {
        for (uint64_t i = 0; i < calls && error_ == 0; ++i) {
          int fd = open(name(writer).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
          if (fd < 0) error_ = errno;
          if (fd >= 0) close(fd);
        }
      });
    });
  }

  int error() const { return error_; }

 private:
  struct Writer {
    int fd = -1;
    uint64_t begin = 0;
    std::vector<char> buffer{};
  };

  template <class Run>
  double median(Run run) const {
    std::vector<double> times;
    for (uint32_t i = 0; i < repetitions_; ++i) times.push_back(run());
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }

  /// Mean time of the bodies, which begin at the same time.
  template <class Body>
  double together(uint32_t writers, Body body) {
    std::atomic<uint32_t> ready{0};
    std::atomic<bool> go{false};
    std::vector<double> times(writers);
    std::vector<std::thread> threads;
    for (uint32_t writer = 0; writer < writers; ++writer) {
      threads.emplace_back([&, writer] {
        ++ready;
        while (!go) std::this_thread::yield();
        Clock::time_point start = Clock::now();
        body(writer);
        times[writer] = std::chrono::duration<double>(Clock::now() - start).count();
      });
    }
    while (ready < writers) std::this_thread::yield();
    go = true;
    for (std::thread& thread : threads) thread.join();
    return std::accumulate(times.begin(), times.end(), 0.0) / writers;
  }

  std::string name(uint32_t writer) const { return (folder_ / std::to_string(writer)).string(); }

  void transfer(const Pattern& pattern, Writer& writer) {
    for (uint64_t i = 0; i < pattern.calls && error_ == 0; ++i) {
      auto at = static_cast<off_t>(writer.begin + pattern.first + i * pattern.distance);
      ssize_t moved = pattern.writes ? pwrite(writer.fd, writer.buffer.data(), pattern.size, at)
                                     : pread(writer.fd, writer.buffer.data(), pattern.size, at);
      if (moved < 0) error_ = errno;
      if (moved >= 0 && static_cast<uint64_t>(moved) != pattern.size) error_ = ENOSPC;
    }
  }

  std::filesystem::path folder_;
  uint32_t repetitions_;
  std::atomic<int> error_{0};
};

double not_below_zero(double v) { return std::max(0.0, v); }

}  // namespace

Machine machine_of(const Measured& m) {
  Machine machine{.name = "calibrated", .nodes = 1, .ranks_per_node = std::max(1U, m.writers)};
  double large = static_cast<double>(Measured::large_bytes);
  double small = static_cast<double>(Measured::small_bytes);
  // Time per byte from the difference of two sizes; what is left of the small call is the call.
  double per_byte = std::max(1e-15, (m.large_write_s - m.small_write_s) / (large - small));
  machine.rank_bandwidth = 1 / per_byte;
  machine.call_s = not_below_zero(m.small_write_s - small * per_byte);
  machine.target.write_bandwidth = std::max(1.0, m.all_write_rate);
  machine.target.read_bandwidth = std::max(1.0, m.all_read_rate);
  // Locks of a file that several use may cost, never gain.
  if (m.shared_write_rate > 0)
    machine.target.shared_write_bandwidth = std::min(m.shared_write_rate, machine.target.write_bandwidth);
  if (m.shared_read_rate > 0)
    machine.target.shared_read_bandwidth = std::min(m.shared_read_rate, machine.target.read_bandwidth);
  // What calls of all writers cost beyond bytes and their own time can't be done at the same time.
  double apart = (machine.call_s + small * per_byte) / std::max(1U, m.writers);
  machine.target.operation_s =
      not_below_zero(m.all_small_s - std::max(apart, small / machine.target.write_bandwidth));
  machine.target.seek_s = not_below_zero(m.small_apart_s - m.small_write_s);
  machine.target.unaligned_s = not_below_zero(m.small_unaligned_s - m.small_write_s) / 2;
  machine.target.block = Measured::small_bytes;
  machine.metadata_rate = m.all_open_s > 0 ? 1 / m.all_open_s : 0;
  machine.striping = {{.pattern = "*", .size = uint64_t{1} << 20U, .count = 1}};
  return machine;
}

Result<Machine> calibrate(const std::string& folder, const CalibrationOptions& options) {
  std::string own = (std::filesystem::path(folder) / "refrain-calibrate-XXXXXX").string();
  if (mkdtemp(own.data()) == nullptr) return fail(ErrorKind::io, std::strerror(errno), folder);
  Bench bench(own, std::max(1U, options.repetitions));
  Measured m;
  m.writers = options.writers > 0 ? options.writers : std::max(1U, std::thread::hardware_concurrency());
  constexpr uint64_t small = Measured::small_bytes;
  constexpr uint64_t large = Measured::large_bytes;
  uint64_t bytes = std::max(options.bytes, 4 * large);
  uint64_t smalls = bytes / small / 4;
  uint64_t larges = bytes / large;
  auto n = static_cast<double>(m.writers);
  auto small_calls = static_cast<double>(smalls);
  auto large_calls = static_cast<double>(larges);
  constexpr uint64_t opens = 1000;
  size_t done = 0;
  auto step = [&](double value) {
    if (options.progress) options.progress(++done, 12);
    return value;
  };
  step(bench.seconds({true, large, large, 0, larges}, m.writers));  // makes the files, and warms up
  m.large_write_s = step(bench.seconds({true, large, large, 0, larges}, 1)) / large_calls;
  m.small_write_s = step(bench.seconds({true, small, small, 0, smalls}, 1)) / small_calls;
  m.small_apart_s = step(bench.seconds({true, small, 3 * small, 0, smalls}, 1)) / small_calls;
  m.small_unaligned_s = step(bench.seconds({true, small, small, 123, smalls}, 1)) / small_calls;
  double all_bytes = n * large_calls * static_cast<double>(large);
  m.all_write_rate = all_bytes / step(bench.seconds({true, large, large, 0, larges}, m.writers));
  m.all_read_rate = all_bytes / step(bench.seconds({false, large, large, 0, larges}, m.writers));
  m.large_read_s = step(bench.seconds({false, large, large, 0, larges}, 1)) / large_calls;
  m.shared_write_rate = all_bytes / step(bench.seconds({true, large, large, 0, larges, true}, m.writers));
  m.shared_read_rate = all_bytes / step(bench.seconds({false, large, large, 0, larges, true}, m.writers));
  m.all_small_s = step(bench.seconds({true, small, small, 0, smalls}, m.writers)) / small_calls / n;
  m.all_open_s = step(bench.open_seconds(opens, m.writers)) / (2 * static_cast<double>(opens) * n);
  if (bench.error() != 0) return fail(ErrorKind::io, std::strerror(bench.error()), folder);
  Machine machine = machine_of(m);
  return machine;
}

}  // namespace refrain::simulate
