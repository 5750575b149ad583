#include "record/kernel_count.hpp"

#include <dirent.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string_view>

#include "part/raw.hpp"
#include "record/recorder.hpp"
#include "record/seen_bytes.hpp"
#include "record/thread_numbers.hpp"
#include "record/uring_rings.hpp"

namespace refrain::record {
namespace {

/// The C library reads files for itself (its loader 832 bytes of each library, lists of users and hosts, …).
constexpr uint64_t worth_a_word = 64 << 10;

struct Count {
  uint64_t read = 0, written = 0;
};

/// The number behind `name` in the text of /proc/self/io, or 0.
uint64_t number_behind(std::string_view name, std::string_view text) {
  size_t at = text.find(name);
  uint64_t number = 0;
  if (at == std::string_view::npos) return 0;
  for (at += name.size(); at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
    number = number * 10 + static_cast<uint64_t>(text[at] - '0');
  return number;
}

/// Of one thread, by the path of its /proc/…/io. The sum for the process, /proc/self/io, would have its
/// children as well, which are recorded by themselves.
bool count_of_thread(int folder, const char* path, Count& out) {
  char text[512];
  int fd = static_cast<int>(raw::call(SYS_openat, folder, path, O_RDONLY | O_CLOEXEC));
  if (fd < 0) return false;
  long n = raw::pread(fd, text, sizeof text, 0);
  raw::close(fd);
  if (n <= 0) return false;
  std::string_view all(text, static_cast<size_t>(n));
  out = {number_behind("rchar: ", all), number_behind("wchar: ", all)};
  return true;
}

/// Calls `f(folder, name)` for the entries of a folder, 4096 of them at most; false if it can't be read.
template <class F>
bool for_each_entry(const char* path, F f) {
  constexpr uint32_t most = 4096;
  int folder = raw::open(path, O_RDONLY | O_DIRECTORY);
  if (folder < 0) return false;
  uint32_t looked_at = 0;
  alignas(dirent64) char entries[2048];
  for (long n; (n = raw::call(SYS_getdents64, folder, entries, sizeof entries)) > 0 && looked_at < most;)
    for (long at = 0; at < n; ++looked_at) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      if (entry->d_name[0] != '.') f(folder, entry->d_name);
    }
  raw::close(folder);
  return true;
}

std::atomic<uint64_t> ended_read{0}, ended_written{0};  ///< by threads that have ended
/// The numbers of the last of them, which the kernel may still list.
constexpr uint64_t remembered = 256;
std::atomic<uint32_t> ended_threads[remembered];
std::atomic<uint64_t> ended_count{0};

bool has_ended(std::string_view name) {
  uint64_t thread = number_behind("", name);
  for (const std::atomic<uint32_t>& ended : ended_threads)
    if (ended.load(std::memory_order_relaxed) == thread) return true;
  return false;
}

bool kernel_count(Count& out) {
  out = {ended_read.load(std::memory_order_relaxed), ended_written.load(std::memory_order_relaxed)};
  bool known = false;
  for_each_entry("/proc/self/task", [&](int folder, const char* name) {
    char path[32];
    Count one;
    size_t length = std::strlen(name);
    if (length + sizeof "/io" > sizeof path || has_ended(name)) return;
    std::copy_n(name, length, path);
    std::memcpy(path + length, "/io", sizeof "/io");
    if (!count_of_thread(folder, path, one)) return;
    known = true;
    out.read += one.read;
    out.written += one.written;
  });
  return known;
}

Count seen_so_far() {
  auto get = [](const std::atomic<uint64_t>& n) { return n.load(std::memory_order_relaxed); };
  Count seen{get(seen_without_lane.read) + get(raw::bytes_read),
             get(seen_without_lane.written) + get(raw::bytes_written)};
  for (uint32_t n = 0; n < max_threads; ++n)
    if (const Lane* lane = lane_number(n)) {
      seen.read += get(lane->seen.read);
      seen.written += get(lane->seen.written);
    }
  return seen;
}

/// Rings of io_uring among the open descriptors.
uint64_t open_rings() {
  uint64_t rings = 0;
  for_each_entry("/proc/self/fd", [&](int folder, const char* name) {
    char target[64];
    long length = raw::call(SYS_readlinkat, folder, name, target, sizeof target);
    if (length > 0 && std::string_view(target, static_cast<size_t>(length)) == "anon_inode:[io_uring]")
      ++rings;
  });
  return rings;
}

std::atomic<bool> counting{false}, has_own_ring{false};
Count begun, seen_then;

uint64_t unseen(uint64_t now, uint64_t before, uint64_t seen_now, uint64_t seen_before) {
  uint64_t moved = now > before ? now - before : 0, seen = seen_now - seen_before;
  return moved > seen + worth_a_word ? moved - seen : 0;
}

}  // namespace

void begin_kernel_count() {
  has_own_ring.store(false, std::memory_order_relaxed);
  ended_read.store(0, std::memory_order_relaxed);
  ended_written.store(0, std::memory_order_relaxed);
  for (std::atomic<uint32_t>& ended : ended_threads) ended.store(0, std::memory_order_relaxed);
  bool known = kernel_count(begun);
  seen_then = seen_so_far();
  counting.store(known, std::memory_order_release);
}

void note_own_ring() { has_own_ring.store(true, std::memory_order_relaxed); }

void count_ending_thread() {
  Count own;
  if (!counting.load(std::memory_order_acquire) || !count_of_thread(AT_FDCWD, "/proc/thread-self/io", own))
    return;
  uint64_t place = ended_count.fetch_add(1, std::memory_order_relaxed) % remembered;
  ended_threads[place].store(static_cast<uint32_t>(raw::call(SYS_gettid)), std::memory_order_relaxed);
  ended_read.fetch_add(own.read, std::memory_order_relaxed);
  ended_written.fetch_add(own.written, std::memory_order_relaxed);
}

void compare_with_kernel() {
  SessionPage* page = session_page();
  if (page == nullptr || !counting.exchange(false, std::memory_order_acquire)) return;
  Count now;
  if (!kernel_count(now)) return;
  Count seen = seen_so_far();
  uint64_t read = unseen(now.read, begun.read, seen.read, seen_then.read);
  uint64_t written = unseen(now.written, begun.written, seen.written, seen_then.written);
  page->unseen_read.fetch_add(read, std::memory_order_relaxed);
  page->unseen_written.fetch_add(written, std::memory_order_relaxed);
  if (read != 0 || written != 0) page->unseen_processes.fetch_add(1, std::memory_order_relaxed);
  if (has_own_ring.exchange(false, std::memory_order_relaxed) || open_rings() > known_rings())
    page->ring_processes.fetch_add(1, std::memory_order_relaxed);
  begun = now;
  seen_then = seen;
  counting.store(true, std::memory_order_release);
}

}  // namespace refrain::record
