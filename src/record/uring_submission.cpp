// See uring_submission.hpp. The meaning of an entry's fields is that of liburing's io_uring_prep_ functions.
#include "record/uring_submission.hpp"

namespace refrain::record {
namespace {

template <class T>
T* pointer(uint64_t address) {
  return reinterpret_cast<T*>(address);
}
/// Marks an entry of a kernel or a replay that does nothing in place of one that it can't repeat; see
/// base/io_ring.h.
constexpr uint32_t stands_for = 0x52460000u;
int64_t number(uint64_t value) { return static_cast<int64_t>(value); }

}  // namespace

Submission::File Submission::file_of(const io_uring_sqe& entry) {
  if ((entry.flags & IOSQE_FIXED_FILE) == 0) return {look_at_fd(lane_, entry.fd)};
  const RecordedRing::RegisteredFile* file = ring_.file(static_cast<uint32_t>(entry.fd));
  if (file == nullptr || !file->handle.tracked()) return {};
  bool still_open = shared.descriptors.get(file->fd).pack() == file->handle.pack();
  if (still_open) return {file->handle};
  return {.place = entry.fd};
}

template <class V>
void Submission::describe(V& v, const File& file) {
  if (file.handle.tracked())
    v.slot(file.handle);
  else
    v.integer(Role::plain, file.place);
}

/// Where in the file; -1 is its position.
template <class V>
void Submission::describe_offset(V& v, uint64_t offset) {
  bool at_position = number(offset) == -1;
  if (at_position) v.mark();  // the integer means something else
  v.integer(at_position ? Role::plain : Role::offset, number(offset));
}

Submission::Path Submission::path_of(int folder, uint64_t address) {
  Path path{folder, pointer<const char>(address)};
  if (!readable_text(path.text)) return path;
  if (folder != AT_FDCWD) path.handle = look_at_fd(lane_, folder);
  if (folder != AT_FDCWD && !path.handle.tracked()) return path;
  path.verdict = judge_path_at(lane_, path.text, path.handle, folder);
  return path;
}

template <class V>
void Submission::describe(V& v, const Path& path) {
  if (path.folder == AT_FDCWD)
    v.fixed("AT_FDCWD");
  else
    v.slot(path.handle);
  v.path(path.text);
}

bool Submission::transfer(const io_uring_sqe& entry, RowId row, Role role) {
  File file = file_of(entry);
  if (!file.known()) return false;
  emit_entry(
      row, entry,
      [&](auto& v) {
        describe(v, file);
        v.data();
        v.integer(role, entry.len);
        describe_offset(v, entry.off);
      },
      entry.rw_flags);
  return true;
}

bool Submission::vector(const io_uring_sqe& entry, RowId row, Role role) {
  File file = file_of(entry);
  auto* buffers = pointer<const iovec>(entry.addr);
  if (!file.known() || entry.len > Draft::max_list || !readable(buffers, entry.len * sizeof *buffers))
    return false;
  int64_t bytes = 0;
  for (uint32_t i = 0; i < entry.len; ++i) bytes += number(buffers[i].iov_len);
  emit_entry(
      row, entry,
      [&](auto& v) {
        describe(v, file);
        describe_vector(v, lane_, buffers, entry.len);
        v.integer(role, bytes);
        describe_offset(v, entry.off);
      },
      entry.rw_flags);
  return true;
}

bool Submission::fixed(const io_uring_sqe& entry, RowId row, Role role) {
  File file = file_of(entry);
  if (!file.known() || !ring_.has_buffer(entry.buf_index)) return false;
  emit_entry(
      row, entry,
      [&](auto& v) {
        describe(v, file);
        v.integer(Role::plain, entry.buf_index);
        v.integer(role, entry.len);
        describe_offset(v, entry.off);
      },
      entry.rw_flags);
  return true;
}

/// Entries about an open file that move no data.
bool Submission::about_file(const io_uring_sqe& entry) {
  File file = file_of(entry);
  if (!file.known()) return false;
  switch (entry.opcode) {
    case operation_IORING_OP_FSYNC:
      emit_entry(RowId::uring_uring_fsync, entry, [&](auto& v) {
        describe(v, file);
        v.name(Kind::uring_fsync_flags, entry.fsync_flags);
      });
      return true;
    case operation_IORING_OP_SYNC_FILE_RANGE:
      emit_entry(RowId::uring_uring_sync_file_range, entry, [&](auto& v) {
        describe(v, file);
        v.integer(Role::offset, number(entry.off));
        v.integer(Role::size, entry.len);
        v.name(Kind::sync_flags, entry.sync_range_flags);
      });
      return true;
    case operation_IORING_OP_FALLOCATE:
      emit_entry(RowId::uring_uring_fallocate, entry, [&](auto& v) {
        describe(v, file);
        v.name(Kind::fallocate_mode, entry.len);
        v.integer(Role::offset, number(entry.off));
        v.integer(Role::size, number(entry.addr));
      });
      return true;
    case operation_IORING_OP_FADVISE:
      emit_entry(RowId::uring_uring_fadvise, entry, [&](auto& v) {
        describe(v, file);
        v.integer(Role::offset, number(entry.off));
        v.integer(Role::size, entry.len);
        v.name(Kind::advice, entry.fadvise_advice);
      });
      return true;
    case operation_ftruncate:
      emit_entry(RowId::uring_uring_ftruncate, entry, [&](auto& v) {
        describe(v, file);
        v.integer(Role::size, number(entry.off));
      });
      return true;
    default:
      return false;
  }
}

/// The slot is given now, and gets its descriptor when the program takes the completion.
bool Submission::open(const io_uring_sqe& entry) {
  bool into_table = entry.splice_fd_in != 0;           // of registered files: file_index, in later headers
  bool says_when_done = (entry.flags & 1u << 6) == 0;  // not IOSQE_CQE_SKIP_SUCCESS
  Path path = path_of(entry.fd, entry.addr);
  if (into_table || !says_when_done || !path.counts()) return false;
  uint64_t flags = entry.open_flags, mode = entry.len;
  if (entry.opcode == operation_IORING_OP_OPENAT2) {
    auto* how = pointer<const open_how>(entry.off);
    if (!readable(how, sizeof *how)) return false;
    flags = how->flags;
    mode = how->mode;
  }
  opens_ = fresh_slot(lane_, HandleClass::fd);
  verdict_ = path.verdict;
  emit_entry(
      RowId::uring_uring_openat, entry, trace::Bracket::opens,
      [&](auto& v) {
        describe(v, path);
        v.name(Kind::open_flags, flags);
        v.name(Kind::uring_mode, mode);
      },
      [&](auto& v) { v.slot(opens_); });
  return true;
}

bool Submission::close(const io_uring_sqe& entry) {
  bool of_table = entry.splice_fd_in != 0;
  Handle handle = of_table ? Handle() : look_at_fd(lane_, entry.fd);
  if (!of_table) forget_fd(entry.fd);
  if (!handle.tracked()) return false;
  emit_entry(
      RowId::uring_uring_close, entry, trace::Bracket::closes, [&](auto& v) { v.slot(handle); },
      [](auto&) {});
  return true;
}

bool Submission::about_path(const io_uring_sqe& entry) {
  Path path = path_of(entry.fd, entry.addr);
  if (!path.counts()) return false;
  switch (entry.opcode) {
    case operation_IORING_OP_STATX:
      emit_entry(RowId::uring_uring_statx, entry, [&](auto& v) {
        describe(v, path);
        v.name(Kind::at_flags, entry.statx_flags);
        v.name(Kind::hex, entry.len);
      });
      return true;
    case operation_IORING_OP_UNLINKAT:
      emit_entry(RowId::uring_uring_unlinkat, entry, [&](auto& v) {
        describe(v, path);
        v.name(Kind::at_flags, entry.open_flags);
      });
      return true;
    case operation_IORING_OP_MKDIRAT:
      emit_entry(RowId::uring_uring_mkdirat, entry, [&](auto& v) {
        describe(v, path);
        v.name(Kind::uring_mode, entry.len);
      });
      return true;
    default:
      return false;
  }
}

/// False if the entry is none of those that can be repeated, or about something that is not recorded.
bool Submission::known_operation(const io_uring_sqe& entry) {
  switch (entry.opcode) {
    case operation_IORING_OP_READ:
      return transfer(entry, RowId::uring_uring_read, Role::bytes_read);
    case operation_IORING_OP_WRITE:
      return transfer(entry, RowId::uring_uring_write, Role::bytes_written);
    case operation_IORING_OP_READV:
      return vector(entry, RowId::uring_uring_readv, Role::bytes_read);
    case operation_IORING_OP_WRITEV:
      return vector(entry, RowId::uring_uring_writev, Role::bytes_written);
    case operation_IORING_OP_READ_FIXED:
      return fixed(entry, RowId::uring_uring_read_fixed, Role::bytes_read);
    case operation_IORING_OP_WRITE_FIXED:
      return fixed(entry, RowId::uring_uring_write_fixed, Role::bytes_written);
    case operation_IORING_OP_OPENAT:
    case operation_IORING_OP_OPENAT2:
      return open(entry);
    case operation_IORING_OP_CLOSE:
      return close(entry);
    case operation_IORING_OP_STATX:
    case operation_IORING_OP_UNLINKAT:
    case operation_IORING_OP_MKDIRAT:
      return about_path(entry);
    case operation_IORING_OP_NOP:
      if ((entry.len & 0xffff0000u) == stands_for) return false;
      emit_entry(RowId::uring_uring_nop, entry, [](auto&) {});
      return true;
    case operation_IORING_OP_FSYNC:
    case operation_IORING_OP_SYNC_FILE_RANGE:
    case operation_IORING_OP_FALLOCATE:
    case operation_IORING_OP_FADVISE:
    case operation_ftruncate:
      return about_file(entry);
    default:
      return false;
  }
}

void Submission::record(const io_uring_sqe& entry) {
  constexpr uint64_t of_library = ~uint64_t{0};  // a timeout that liburing submits itself, on old systems
  if (entry.opcode == operation_IORING_OP_TIMEOUT && entry.user_data == of_library) return;
  opens_ = Handle();
  if (!known_operation(entry)) {
    uint32_t operation = entry.opcode == operation_IORING_OP_NOP ? entry.len & 0xff : entry.opcode;
    emit_entry(RowId::uring_uring_other, entry, [&](auto& v) { v.name(Kind::uring_opcode, operation); });
  }
  bool says_when_done = (entry.flags & 1u << 6) == 0;  // not IOSQE_CQE_SKIP_SUCCESS
  if (says_when_done) ring_.note({entry.user_data, opens_, verdict_});
}

}  // namespace refrain::record
