// Handles; see look.hpp.
#include "record/look.hpp"

#include <sys/stat.h>

#include <cstdio>
#include <cstring>

#include "record/emit.hpp"
#include "record/mapped_stores.hpp"
#include "record/process_marks.hpp"
#include "record/real.hpp"
#include "record/uring_rings.hpp"

namespace refrain::record {
namespace {

/// What an open descriptor leads to. A process that gave up its rights (chroot, setuid) may not ask any more.
const char* path_of_fd(int fd, char* buffer, size_t size) {
  char link[32];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  long n = raw::readlink(link, buffer, size - 1);
  if (n >= 0)
    buffer[n] = 0;
  else
    std::snprintf(buffer, size, "(unreachable)");
  return buffer;
}

/// Datatypes that PnetCDF makes below a call, not all of which it frees, have numbers of their own: how many
/// there are depends on where data lies, and those of the program must not depend on that.
constexpr uint32_t first_inner_type = 1024;

/// True if the open descriptor, met for the first time, is to be recorded.
bool judge_stranger(int fd, char* path, size_t size) {
  return fd_counts(fd, shared.filter.judge(path_of_fd(fd, path, size)));
}

/// The name of the recording's own output, if the descriptor leads there: two runs of a program are the same
/// wherever their output goes.
const char* output_name(int fd) {
  const SessionPage* page = session_page();
  struct stat info;
  if (page == nullptr || raw::fstat(fd, &info) != 0) return nullptr;
  for (int i = 0; i < 2; ++i)
    if (page->output_inode[i] != 0 && page->output_inode[i] == info.st_ino &&
        page->output_device[i] == info.st_dev)
      return i == 0 ? "<stdout>" : "<stderr>";
  return nullptr;
}

/// The path as seen from the working directory, if the file lies below it. In a process that another recorded
/// one started, which has opened the file by such a name most likely: below another root both must stay the
/// same file.
const char* seen_from_here(Lane& lane, const char* path) {
  if (!is_descendant() || raw::forbidden.load(std::memory_order_relaxed)) return path;
  auto& folder = lane.draft.path_in_trace;
  if (raw::call(SYS_getcwd, folder, sizeof folder) <= 1) return path;
  size_t length = std::strlen(folder);
  bool below = std::strncmp(path, folder, length) == 0 && path[length] == '/' && path[length + 1] != 0;
  return below ? path + length + 1 : path;
}

void introduce(Lane& lane, api::RowId row, int fd, const char* path, Handle handle) {
  path = seen_from_here(lane, path);
  if (const char* output = output_name(fd)) path = output;
  // What a program would pass to open(); the kernel shows bits of its own besides.
  constexpr int asked = O_ACCMODE | O_APPEND | O_NONBLOCK | O_SYNC | O_DIRECT | O_NOATIME | O_PATH;
  int flags = raw::get_flags(fd);
  long position = raw::seek(fd, 0, SEEK_CUR);
  emit(
      lane, row, trace::Bracket::opens,
      [&](auto& v) {
        v.integer(Role::plain, fd);
        v.path(path);
        v.name(Kind::open_flags, static_cast<uint64_t>(flags < 0 ? 0 : flags & asked));
        v.integer(Role::offset, position < 0 ? 0 : position);
      },
      [&](auto& v) { v.slot(handle); });
}

}  // namespace

Handle fresh_slot(Lane& lane, HandleClass c) {
  bool inner_type = c == HandleClass::mpi_type && lane.inside_layers != 0;
  SlotPool& pool = lane.slots[static_cast<size_t>(c)];
  uint32_t slot = pool.take_from(inner_type ? first_inner_type : 0, others_at_tables(lane));
  return {Handle::State::tracked, c, lane.number(), slot};
}

Handle meet_fd(Lane& lane, int fd) {
  Handle handle;
  if (fd < 0 || fd >= DescriptorTable::limit) return handle;
  Busy busy(lane, static_cast<const char*>(__builtin_frame_address(0)));
  auto& path = lane.draft.path;
  struct stat info;
  if (raw::forbidden.load(std::memory_order_relaxed)) count_lost(&PartHeader::lost_unknown, lane);
  if (raw::fstat(fd, &info) != 0) return handle;  // not open
  if (opened_by_ring(lane, fd)) return shared.descriptors.get(fd);
  if (!judge_stranger(fd, path, sizeof path)) {
    handle = ignored_handle(fd, info);
    shared.descriptors.set(fd, handle);
    return handle;
  }
  handle = fresh_slot(lane, HandleClass::fd);
  shared.descriptors.set(fd, handle);
  introduce(lane, api::RowId::posix_inherited, fd, path, handle);
  return handle;
}

Handle meet_stream(Lane& lane, FILE* stream) {
  if (stream == nullptr) return Handle::ignored();
  Handle handle;
  Busy busy(lane, static_cast<const char*>(__builtin_frame_address(0)));
  if (raw::forbidden.load(std::memory_order_relaxed)) {
    count_lost(&PartHeader::lost_unknown, lane);
    return Handle::ignored();
  }
  int fd = descriptor_of(stream);
  auto& path = lane.draft.path;
  if (fd < 0 || !judge_stranger(fd, path, sizeof path)) {
    struct stat info;
    handle = fd >= 0 && raw::fstat(fd, &info) == 0 ? ignored_handle(fd, info) : Handle::ignored();
    shared.addresses.set(stream, handle);
    return handle;
  }
  handle = fresh_slot(lane, HandleClass::stream);
  if (!shared.addresses.set(stream, handle)) return Handle::ignored();
  introduce(lane, api::RowId::stdio_inherited_stream, fd, path, handle);
  return handle;
}

bool fd_counts(int fd, Filter::Verdict verdict) {
  if (verdict == Filter::Verdict::excluded) return false;
  if (verdict == Filter::Verdict::included) return true;
  if (raw::forbidden.load(std::memory_order_relaxed)) return true;  // most that has a name is a file
  struct stat info;
  return raw::fstat(fd, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
}

Handle name_new_fd(Lane& lane, int fd, Filter::Verdict verdict, KnownPaths::Path* path, uint32_t era) {
  bool counts = path != nullptr && path->has_file(names_era.load(std::memory_order_relaxed));
  if (!counts) {
    counts = fd_counts(fd, verdict);
    if (counts && path != nullptr) path->file_era = era;
  }
  Handle handle = counts ? fresh_slot(lane, HandleClass::fd) : Handle::ignored();
  free_slot(lane, shared.descriptors.exchange(fd, handle, others_at_tables(lane)));
  return handle;
}

void name_promised_fd(int fd, Handle promised, Filter::Verdict verdict) {
  bool counts = fd_counts(fd, verdict);
  if (!counts) free_slot(promised);
  free_slot(shared.descriptors.exchange(fd, counts ? promised : Handle::ignored()));
}

Handle name_copy(Lane& lane, int fd, Handle original) {
  Handle handle = original.tracked() ? fresh_slot(lane, HandleClass::fd) : original;
  free_slot(shared.descriptors.exchange(fd, handle));
  return handle;
}

Handle name_address(Lane& lane, HandleClass c, const void* address) {
  Handle handle = fresh_slot(lane, c);
  free_slot(shared.addresses.take(address));
  if (shared.addresses.set(address, handle)) return handle;
  free_slot(handle);
  return Handle::ignored();
}

Handle name_map(Lane& lane, const void* address, size_t length) {
  end_map(lane, shared.maps.remove(address, 1));  // replaced by MAP_FIXED, or unmapped behind our back
  Handle handle = fresh_slot(lane, HandleClass::map);
  if (shared.maps.add(address, length, handle)) return handle;
  free_slot(handle);
  return Handle::ignored();
}

void free_slot(Handle handle) {
  if (!handle.tracked()) return;
  if (Lane* owner = lane_number(handle.lane()))
    owner->slots[static_cast<size_t>(handle.handle_class())].release(handle.slot());
}

void forget_fd(int fd) { free_slot(shared.descriptors.take(fd)); }

void forget_fds(unsigned first, unsigned last) {
  for (unsigned fd = first; fd <= last && fd < static_cast<unsigned>(DescriptorTable::limit); ++fd)
    forget_fd(static_cast<int>(fd));
}

void forget_address(const void* address) { free_slot(shared.addresses.take(address)); }

int descriptor_of(FILE* stream) { return stream == nullptr ? -1 : real::fileno(stream); }

Filter::Verdict judge_path(const char* path, Handle directory) {
  if (path[0] != '/' && directory.state() == Handle::State::ignored) return Filter::Verdict::excluded;
  return shared.filter.judge(path);
}

Filter::Verdict judge_path_at(Lane& lane, const char* path, Handle directory, int fd,
                              KnownPaths::Path** known) {
  if (path[0] == '/' || directory.state() == Handle::State::unknown) {
    KnownPaths::Path& found = lane.known_paths.look(path, shared.filter);
    if (known != nullptr) *known = &found;
    return found.verdict;
  }
  Filter::Verdict verdict = judge_path(path, directory);
  if (!directory.tracked() || verdict != Filter::Verdict::ordinary) return verdict;
  KeepErrno keep;
  auto& whole = lane.draft.path;
  path_of_fd(fd, whole, sizeof whole);
  return whole[0] == '/' && append_path(whole, sizeof whole, path) ? shared.filter.judge(whole) : verdict;
}

}  // namespace refrain::record
