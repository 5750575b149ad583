// Calls on streams that only copy to or from the stream's buffer. Such a copy takes less time than reading
// the clock, so only one in sixteen is timed at its end; the others are taken to be as long as the last one
// that was timed, of the same direction and size. A call that had to do with the system is always timed.
//
// Which it was is seen in the stream, before and after the call: a copy moves the place in the buffer on by
// just its bytes, and the buffer's end stays where it is. A call that empties the buffer puts what is left at
// its beginning, one that fills it moves the end, and one that goes past the buffer doesn't move the place.
// Streams that are written line by line or without a buffer have an end that lies before the place, and are
// always timed. Only glibc's streams show all this.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>

#include "base/clock.hpp"
#include "record/seen_bytes.hpp"

namespace refrain::record {

#if defined(__GLIBC__)
constexpr bool streams_show_copies = true;
#else
constexpr bool streams_show_copies = false;
#endif

/// Where in its buffer a stream is being read or written.
struct BufferPlace {
  uintptr_t at = 0, end = 0;

  static BufferPlace of([[maybe_unused]] const FILE* stream, [[maybe_unused]] bool writes) {
#if defined(__GLIBC__)
    auto place = [](const char* from, const char* to) {
      return BufferPlace{reinterpret_cast<uintptr_t>(from), reinterpret_cast<uintptr_t>(to)};
    };
    return writes ? place(stream->_IO_write_ptr, stream->_IO_write_end)
                  : place(stream->_IO_read_ptr, stream->_IO_read_end);
#else
    return {};
#endif
  }
  /// Whether a call that moved so many bytes, all that it was to move, only copied them.
  bool only_copied(const BufferPlace& after, uint64_t bytes) const {
    return bytes != 0 && after.at - at == bytes && after.end == end && after.at <= end;
  }
};

/// How long copies take.
class CopyTimes {
 public:
  /// When a copy ended that began at `start_ticks`, by the clock or by those before it. `way` is less than
  /// `ways`; `read_clock()` is asked at most once.
  template <class Clock>
  [[gnu::always_inline]] uint64_t end_of(size_t way, uint64_t bytes, uint64_t start_ticks, Clock read_clock) {
    Usual& usual = usual_[way][std::min<size_t>(static_cast<size_t>(std::bit_width(bytes)), sizes - 1)];
    if (usual.left != 0) [[likely]] {
      --usual.left;
      return start_ticks + usual.ticks;
    }
    return note(usual, start_ticks, read_clock());
  }
  /// Beside the ways of streams (way_of_copy): selecting in memory, with the number of dimensions for bytes.
  static constexpr size_t selecting = 6, ways = 7;

 private:
  static constexpr size_t sizes = 18;  ///< powers of two; copies beyond the buffers that are usual share one
  static constexpr uint32_t timed_every = 16;
  struct Usual {
    uint32_t ticks = 0;
    uint32_t left = 0;  ///< copies until the next that is timed
  };
  /// A copy that takes longer is timed each time.
  static constexpr uint64_t short_ticks = 1024;
  /// One that took unusually long was interrupted: that is its own time, not that of others.
  [[gnu::noinline]] static uint64_t note(Usual& usual, uint64_t start_ticks, uint64_t end_ticks) {
    bool first = usual.ticks == 0;
    uint64_t bound = first ? UINT32_MAX : uint64_t{usual.ticks} + usual.ticks / 4 + 1;
    uint64_t ticks = std::min(end_ticks - start_ticks, bound);
    bool repeats = !first && ticks < short_ticks;
    usual = {static_cast<uint32_t>(ticks), repeats ? timed_every - 1 : 0};
    return end_ticks;
  }

  Usual usual_[ways][sizes] = {};
};

/// Whether calls of the row may do no more than copy.
template <api::RowId id>
constexpr bool may_only_copy = streams_show_copies&& api::traits_of_row<id>.has(api::Trait::may_only_copy);

/// Of such a row: whether it writes, and the way it copies in the sense of CopyTimes.
template <api::RowId id>
constexpr bool copies_out = has_kind<id>({api::Kind::moved_in, api::Kind::implied});
template <api::RowId id>
constexpr size_t way_of_copy = (copies_out<id> ? 3 : 0) +
                               (has_kind<id>({api::Kind::character})                  ? 0
                                : api::traits_of_row<id>.has(api::Trait::moves_items) ? 1
                                                                                      : 2);

/// The bytes of a call that moved all it was to move; else 0.
template <api::RowId id, class Tuple, class R>
uint64_t bytes_of_copy(const Tuple& arguments, R result) {
  using api::Trait;
  if constexpr (has_kind<id>({api::Kind::character})) return result == EOF ? 0 : 1;
  if constexpr (api::traits_of_row<id>.has(Trait::moves_items))
    if (result != std::get<2>(arguments)) return 0;
  return static_cast<uint64_t>(bytes_moved<id>(arguments, result));
}

}  // namespace refrain::record
