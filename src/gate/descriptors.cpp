// See descriptors.hpp.
#include "gate/descriptors.hpp"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <cstring>

#include "gate/gate.hpp"
#include "part/filter.hpp"
#include "part/raw.hpp"

namespace refrain::gate {

namespace raw = record::raw;
using record::Filter;

std::atomic<Descriptor> descriptors[max_remembered];

namespace {

Filter file_rules;

bool in_memory(int fd) {
  struct statfs system {};
  if (raw::call(SYS_fstatfs, fd, &system) != 0) return false;
  constexpr long ramfs = 0x858458f6;
  return system.f_type == TMPFS_MAGIC || system.f_type == ramfs || system.f_type == HUGETLBFS_MAGIC;
}

/// Room for a path. Not on the stack, which may be that of a signal handler, with a few KB to spare, or of a
/// small thread; without malloc, for the same reason. As many are looked at at a time as there are rooms.
class PathRoom {
 public:
  static constexpr size_t bytes = 4096;

  PathRoom() {
    for (unsigned turn = 0;; turn = (turn + 1) % rooms) {
      bool free = false;
      if (taken[turn].compare_exchange_strong(free, true, std::memory_order_acquire)) {
        room_ = turn;
        return;
      }
    }
  }
  ~PathRoom() { taken[room_].store(false, std::memory_order_release); }
  PathRoom(const PathRoom&) = delete;
  PathRoom& operator=(const PathRoom&) = delete;
  char* get() const { return memory[room_]; }

 private:
  static constexpr unsigned rooms = 64;
  static inline char memory[rooms][bytes];
  static inline std::atomic<bool> taken[rooms];
  unsigned room_ = 0;
};

/// snprintf() would take a KB of stack.
struct LinkOfDescriptor {
  static constexpr char folder[] = "/proc/self/fd/";
  static constexpr size_t digits = 11;
  char path[sizeof folder + digits];

  explicit LinkOfDescriptor(int fd) {
    char* at = path + sizeof path;
    *--at = 0;
    for (auto left = static_cast<unsigned>(fd); at[0] == 0 || left != 0; left /= 10)
      *--at = static_cast<char>('0' + left % 10);
    at -= sizeof folder - 1;
    std::memcpy(at, folder, sizeof folder - 1);
    begin = at;
  }
  const char* begin;
};

Filter::Verdict judge_descriptor(int fd) {
  PathRoom room;
  long n = raw::readlink(LinkOfDescriptor(fd).begin, room.get(), PathRoom::bytes);
  if (n <= 0) return Filter::Verdict::ordinary;
  return file_rules.judge({room.get(), static_cast<size_t>(n)});
}

Descriptor what_is(int fd) {
  struct stat status {};
  if (raw::fstat(fd, &status) != 0) return Descriptor::unknown;
  if (S_ISDIR(status.st_mode)) return Descriptor::unknown;  // closedir() is not seen
  if (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode)) return Descriptor::passing;
  switch (judge_descriptor(fd)) {
    case Filter::Verdict::excluded:
      return Descriptor::passing;
    case Filter::Verdict::included:
      return Descriptor::gated;
    case Filter::Verdict::ordinary:
      break;
  }
  return in_memory(fd) ? Descriptor::passing : Descriptor::gated;
}

}  // namespace

Descriptor look_at(int fd) {
  record::KeepErrno keep;
  if (runs_in_parents_memory()) return Descriptor::passing;
  Descriptor seen = what_is(fd);
  if (static_cast<unsigned>(fd) < max_remembered) descriptors[fd].store(seen, std::memory_order_relaxed);
  return seen;
}

void forget_from(unsigned first, unsigned last) {
  for (unsigned fd = first; fd <= last && fd < max_remembered; ++fd)
    descriptors[fd].store(Descriptor::unknown, std::memory_order_relaxed);
}

void set_rules(const char* rules) { file_rules.set_rules({rules, strnlen(rules, max_rule_bytes)}); }

}  // namespace refrain::gate
