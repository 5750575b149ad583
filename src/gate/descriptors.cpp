// See descriptors.hpp.
#include "gate/descriptors.hpp"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <cstdio>
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

Filter::Verdict judge_descriptor(int fd) {
  char link[40];
  char path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  long n = raw::readlink(link, path, sizeof path);
  if (n <= 0) return Filter::Verdict::ordinary;
  return file_rules.judge({path, static_cast<size_t>(n)});
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
