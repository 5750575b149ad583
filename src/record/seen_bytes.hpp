// Bytes that calls moved which came through a hook, whether they are recorded or not; see kernel_count.hpp.
#pragma once

#include <stdio_ext.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <cwchar>
#include <tuple>
#include <type_traits>

#include "record/row_traits.hpp"

namespace refrain::record {

/// Bounds from above: stdio reads ahead, and requests may move less than they ask for.
struct SeenBytes {
  std::atomic<uint64_t> read{0}, written{0};

  /// By the only thread that adds.
  void add(uint64_t more_read, uint64_t more_written) {
    constexpr auto relaxed = std::memory_order_relaxed;
    if (more_read != 0) read.store(read.load(relaxed) + more_read, relaxed);
    if (more_written != 0) written.store(written.load(relaxed) + more_written, relaxed);
  }
  /// By any of several threads.
  void add_shared(uint64_t more_read, uint64_t more_written) {
    if (more_read != 0) read.fetch_add(more_read, std::memory_order_relaxed);
    if (more_written != 0) written.fetch_add(more_written, std::memory_order_relaxed);
  }
};

/// Of calls that passed without a lane.
inline SeenBytes seen_without_lane;

/// Bytes that a stdio call moved, where the result alone doesn't say.
template <api::RowId id, class Tuple, class R>
int64_t bytes_moved(const Tuple& arguments, R result) {
  using api::RowId;
  using api::Trait;
  if constexpr (api::traits_of_row<id>.has(Trait::moves_items))
    return static_cast<int64_t>(result * std::get<1>(arguments));
  else if constexpr (api::traits_of_row<id>.has(Trait::reads_text))
    return result == nullptr ? 0 : static_cast<int64_t>(std::strlen(result));
  else if constexpr (id == RowId::stdio_fputs)
    return result < 0 ? 0 : static_cast<int64_t>(std::strlen(std::get<0>(arguments)));
  else if constexpr (id == RowId::stdio_puts)
    return result < 0 ? 0 : static_cast<int64_t>(std::strlen(std::get<0>(arguments))) + 1;
  else
    return 0;
}

/// Whether calls of the row move data by a descriptor, a stream or a request.
template <api::RowId id>
constexpr bool moves_data() {
  using api::Kind;
  return has_kind<id>(
      {Kind::stream, Kind::read_bytes, Kind::written_bytes, Kind::new_aio, Kind::new_aio_list});
}

namespace seen {

struct Both {
  uint64_t read = 0, written = 0;
};

template <class R>
uint64_t not_negative(R value) {
  return value > 0 ? static_cast<uint64_t>(value) : 0;
}

template <api::RowId id, class R, class... A>
Both by_stream(R result, const A&... arguments) {
  using api::Kind;
  constexpr bool fills = has_kind<id>({Kind::moved_out, Kind::data_out});
  constexpr bool takes = !fills && has_kind<id>({Kind::moved_in, Kind::data_in, Kind::implied});
  constexpr uint64_t longest_character = 8;
  uint64_t bytes = longest_character;
  if constexpr (has_kind<id>({Kind::moved_out, Kind::moved_in}))
    bytes = static_cast<uint64_t>(bytes_moved<id>(std::tie(arguments...), result));
  else if constexpr (has_kind<id>({Kind::read_bytes, Kind::written_bytes}))
    bytes = not_negative(result);
  else if constexpr (id == api::RowId::stdio_fputws)
    bytes = std::wcslen(std::get<0>(std::tie(arguments...))) * longest_character;
  else if constexpr (id == api::RowId::stdio_fgetws)
    bytes = not_negative(std::get<1>(std::tie(arguments...))) * longest_character;
  if constexpr (takes) return {0, bytes};
  FILE* stream = nullptr;
  auto find = [&](auto value) {
    if constexpr (std::is_same_v<decltype(value), FILE*>) stream = value;
  };
  (find(arguments), ...);
  return {bytes + (stream == nullptr ? 0 : __fbufsize(stream)), 0};
}

template <api::RowId id, class R, class... A>
Both by_request(R result, const A&... arguments) {
  if (result != 0) return {};
  uint64_t bytes = 0;
  auto all = std::tie(arguments...);
  if constexpr (has_kind<id>({api::Kind::new_aio})) {
    if constexpr (requires { std::get<0>(all)->aio_nbytes; }) bytes = std::get<0>(all)->aio_nbytes;
  } else {
    for (int k = 0; k < std::get<2>(all); ++k)
      if (auto* request = std::get<1>(all)[k]) bytes += request->aio_nbytes;
  }
  return {bytes, bytes};
}

}  // namespace seen

/// What the call may have moved.
template <api::RowId id, class R, class... A>
seen::Both bytes_seen(R result, const A&... arguments) {
  using api::Kind;
  if constexpr (has_kind<id>({Kind::stream})) {
    return seen::by_stream<id>(result, arguments...);
  } else if constexpr (has_kind<id>({Kind::new_aio, Kind::new_aio_list})) {
    return seen::by_request<id>(result, arguments...);
  } else {
    uint64_t bytes = seen::not_negative(result);
    if constexpr (api::traits_of_row<id>.has(api::Trait::copies_data)) return {bytes, bytes};
    return RowOf<id>::result_kind == Kind::read_bytes ? seen::Both{bytes, 0} : seen::Both{0, bytes};
  }
}

}  // namespace refrain::record
