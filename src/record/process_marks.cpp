// See process_marks.hpp. Only the main thread's marks are kept: what others do has no place among its calls.
#include "record/process_marks.hpp"

#include <fcntl.h>
#include <sys/wait.h>

#include <atomic>
#include <exception>

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "record/recorder.hpp"

namespace refrain::record {
namespace {

enum End : uint16_t { reading_end = 1, writing_end };

/// What was marked of a pipe's end; by hash, the last one that came there.
constexpr size_t marked_size = 1024;
std::atomic<uint64_t> marked[marked_size];
enum Seen : uint64_t { used = 1, at_its_end = 2 };

std::atomic<pid_t> last_started{0};

uint64_t key_of(Handle pipe) { return uint64_t{pipe.slot()} << 32 | uint64_t{pipe.lane()} << 2; }

/// True if that was not marked before.
bool first_time(Handle pipe, Seen what) {
  uint64_t key = key_of(pipe);
  std::atomic<uint64_t>& cell = marked[hash_combine(0, key) % marked_size];
  uint64_t before = cell.load(std::memory_order_relaxed);
  if ((before & ~uint64_t{3}) != key) before = key;
  cell.store(before | what, std::memory_order_relaxed);
  return (before & what) == 0;
}

bool was_used(Handle pipe) {
  uint64_t key = key_of(pipe);
  return marked[hash_combine(0, key) % marked_size].load(std::memory_order_relaxed) == (key | used);
}

void put_mark(Lane& lane, MarkKind kind, uint32_t number, uint64_t at_ticks, const char* frame) {
  if (lane.number() != 0) return;
  Busy busy(lane, frame);
  try {
    lane.prepare();
    lane.mark(kind, number, at_ticks);
  } catch (const std::exception&) {
    count_lost(&PartHeader::lost_unknown, lane);
  }
}

const char* own_frame() { return static_cast<const char*>(__builtin_frame_address(0)); }

}  // namespace

Handle ignored_handle(int fd, const struct stat& info) {
  if (!S_ISFIFO(info.st_mode)) return Handle::ignored();
  int access = raw::get_flags(fd) & O_ACCMODE;
  if (access == O_RDWR) return Handle::ignored();
  auto number = static_cast<uint32_t>(hash_combine(info.st_dev, info.st_ino) | 1);
  return {Handle::State::ignored, HandleClass::fd, access == O_RDONLY ? reading_end : writing_end, number};
}

void note_pipe_used(Lane& lane, Handle pipe, bool at_end) {
  bool reads = pipe.lane() == reading_end;
  at_end = at_end && reads;
  if (!first_time(pipe, at_end ? at_its_end : used)) return;
  MarkKind kind = at_end ? MarkKind::pipe_ended : reads ? MarkKind::pipe_read : MarkKind::pipe_written;
  put_mark(lane, kind, pipe.slot(), ticks(), own_frame());
}

void note_pipe_closed(Lane& lane, Handle pipe) {
  if (pipe.lane() != writing_end || !was_used(pipe)) return;
  put_mark(lane, MarkKind::pipe_closed, pipe.slot(), ticks(), own_frame());
}

void note_started(pid_t pid, const char* frame) {
  if (pid <= 0) return;
  KeepErrno keep;
  last_started.store(pid, std::memory_order_relaxed);
  if (Lane* lane = enter(frame))
    put_mark(*lane, MarkKind::started, static_cast<uint32_t>(pid), ticks(), frame);
}

void note_vforked() {
  KeepErrno keep;
  Lane* lane = current_lane;
  auto pid = static_cast<pid_t>(raw::pid());
  if (lane == nullptr || (lane->flags & (Lane::busy | Lane::quiet)) != 0) return;
  if (last_started.exchange(pid, std::memory_order_relaxed) == pid) return;
  put_mark(*lane, MarkKind::started, static_cast<uint32_t>(pid), ticks(), own_frame());
}

void note_ended(pid_t pid, int status, const char* frame) {
  if (pid <= 0 || !(WIFEXITED(status) || WIFSIGNALED(status))) return;
  KeepErrno keep;
  if (Lane* lane = enter(frame))
    put_mark(*lane, MarkKind::awaited, static_cast<uint32_t>(pid), ticks(), frame);
}

void note_unnamed(bool ended, uint32_t tag, uint64_t at_ticks, const char* frame) {
  KeepErrno keep;
  MarkKind kind = ended ? MarkKind::unnamed_ended : MarkKind::unnamed_started;
  if (Lane* lane = enter(frame)) put_mark(*lane, kind, tag, at_ticks, frame);
}

void forget_marks() {
  last_started.store(0, std::memory_order_relaxed);
  for (auto& cell : marked) cell.store(0, std::memory_order_relaxed);
}

}  // namespace refrain::record
