// From an entry of a ring to an event: what the program asks the system for.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/openat2.h>
#include <sys/uio.h>

#include <algorithm>

#include "api/table.hpp"
#include "record/emit.hpp"
#include "record/look.hpp"
#include "record/readable_memory.hpp"
#include "record/uring_rings.hpp"

namespace refrain::record {

/// The lengths of buffers, which can be read.
template <class V>
void describe_vector(V& v, Lane& lane, const iovec* vector, size_t count) {
  int64_t* lengths = lane.draft.lists[0];
  size_t n = std::min<size_t>(vector == nullptr ? 0 : count, Draft::max_list);
  for (size_t i = 0; i < n; ++i) lengths[i] = static_cast<int64_t>(vector[i].iov_len);
  v.list(Role::size, lengths, n);
}

class Submission {
 public:
  Submission(Lane& lane, RecordedRing& ring, const void* site)
      : lane_(lane), ring_(ring), outcome_{.site = site, .outer = lane.depth == 0} {
    outcome_.start_ticks = outcome_.end_ticks = ticks();
  }

  void record(const io_uring_sqe& entry);

 private:
  using RowId = api::RowId;
  /// Operations by the system's numbers: its header may be older than it.
  enum Operation : uint8_t {
#define FLAG(...)
#define CASE(kind, name, value) operation_##name = value,
#include "api/uring/names.def"
#undef FLAG
#undef CASE
    operation_ftruncate = 55,
  };
  /// The file that an entry is about.
  struct File {
    Handle handle{};
    int64_t place = -1;  ///< of a registered file whose descriptor is closed
    bool known() const { return handle.tracked() || place >= 0; }
  };

  File file_of(const io_uring_sqe& entry);
  bool transfer(const io_uring_sqe& entry, RowId row, Role role);
  bool vector(const io_uring_sqe& entry, RowId row, Role role);
  bool fixed(const io_uring_sqe& entry, RowId row, Role role);
  bool about_file(const io_uring_sqe& entry);
  bool open(const io_uring_sqe& entry);
  bool close(const io_uring_sqe& entry);
  bool about_path(const io_uring_sqe& entry);
  bool known_operation(const io_uring_sqe& entry);

  /// A folder and a path below it, if both can be read and are recorded.
  struct Path {
    int folder;
    const char* text;
    Handle handle{};
    Filter::Verdict verdict = Filter::Verdict::excluded;
    bool counts() const { return verdict != Filter::Verdict::excluded; }
  };
  Path path_of(int folder, uint64_t address);
  template <class V>
  static void describe(V& v, const Path& path);
  template <class V>
  static void describe(V& v, const File& file);
  template <class V>
  static void describe_offset(V& v, uint64_t offset);

  template <class Operands>
  void emit_entry(RowId row, const io_uring_sqe& entry, Operands operands, int rw_flags = 0) {
    emit_entry(
        row, entry, trace::Bracket::neither, operands, [](auto&) {}, rw_flags);
  }
  template <class Operands, class ResultOf>
  void emit_entry(RowId row, const io_uring_sqe& entry, trace::Bracket bracket, Operands operands,
                  ResultOf result, int rw_flags = 0) {
    outcome_.bracket = bracket;
    emit(
        lane_, row, outcome_,
        [&](auto& v) {
          v.slot(ring_.handle());
          operands(v);
          if (entry.flags != 0 || rw_flags != 0) v.name(Kind::uring_flags, entry.flags);
          if (rw_flags != 0) v.name(Kind::uring_rw_flags, static_cast<uint32_t>(rw_flags));
        },
        result);
  }

  Lane& lane_;
  RecordedRing& ring_;
  Outcome outcome_;
  Handle opens_{};  ///< by the entry that is being recorded
  Filter::Verdict verdict_ = Filter::Verdict::ordinary;
};

}  // namespace refrain::record
