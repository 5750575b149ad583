// One call through the gate: whether it concerns a gated file, how much it is about to move, and how much it
// has moved, all by the kinds of its row.
#pragma once

#include <aio.h>
#include <stdio.h>
#include <sys/uio.h>

#include <cstring>
#include <tuple>
#include <type_traits>

#include "gate/descriptors.hpp"
#include "gate/gate.hpp"
#include "gate/roles.hpp"
#include "record/readable_memory.hpp"
#include "record/real.hpp"
#include "record/row_traits.hpp"

namespace refrain::gate {

using api::Kind;
using api::RowId;
using record::absent;
using record::find_real;
using record::kind_of;

/// The descriptor below a stream, or -1. Not by fileno(), which a recorder would see.
inline int descriptor_of(const FILE* stream) { return stream->_fileno; }

template <RowId id, class... A>
struct GatedCall {
  static constexpr size_t count = sizeof...(A);
  const std::tuple<A...>& arguments;

  /// Calls that move bytes themselves name a descriptor or stream; others are libraries' and call those.
  static constexpr bool moves_bytes = record::has_kind<id>(
      {Kind::fd, Kind::closed_fd, Kind::target_fd, Kind::stream, Kind::closed_stream, Kind::new_aio_list});

  template <class F>
  static void for_each(F f) {
    [&]<size_t... i>(std::index_sequence<i...>) { (f.template operator()<i>(), ...); }
    (std::make_index_sequence<count>());
  }
  static constexpr size_t find(Kind kind) {
    for (size_t i = 0; i < count; ++i)
      if (record::RowOf<id>::kinds[i + 1] == kind) return i;
    return count;
  }

  /// Whether a file of the call is gated. Of libraries' calls it can't be told; they are.
  bool concerns_gate() const {
    if constexpr (!moves_bytes) return true;
    bool gated = false;
    for_each([&]<size_t i>() {
      constexpr Kind kind = kind_of<id, i>;
      if constexpr (kind == Kind::fd) {
        gated |= is_gated(std::get<i>(arguments));
      } else if constexpr (kind == Kind::closed_fd || kind == Kind::target_fd) {
        gated |= is_known_as_gated(std::get<i>(arguments));
      } else if constexpr (kind == Kind::stream) {
        if (std::get<i>(arguments) != nullptr) gated |= is_gated(descriptor_of(std::get<i>(arguments)));
      } else if constexpr (kind == Kind::closed_stream) {
        if (std::get<i>(arguments) != nullptr)
          gated |= is_known_as_gated(descriptor_of(std::get<i>(arguments)));
      } else if constexpr (kind == Kind::new_aio_list) {
        auto* list = std::get<i>(arguments);
        for (int k = 0; list != nullptr && k < std::get<i + 1>(arguments); ++k)
          gated |= list[k] != nullptr && is_gated(list[k]->aio_fildes);
      }
    });
    return gated;
  }

  static uint64_t vector_bytes(const iovec* vector, int n) {
    if (n <= 0 || n > 1024 || !record::readable(vector, sizeof *vector * static_cast<size_t>(n))) return 0;
    uint64_t sum = 0;
    for (int i = 0; i < n; ++i) sum += vector[i].iov_len;
    return sum;
  }

  /// Bytes that the call may move; unknown_size where only the library knows.
  uint64_t planned() const {
    if constexpr (!moves_bytes || record::has_kind<id>({Kind::new_aio_list})) {
      return unknown_size;
    } else {
      uint64_t bytes = 1;
      bool known = false;
      for_each([&]<size_t i>() {
        constexpr Kind kind = kind_of<id, i>;
        if constexpr (kind == Kind::size) {
          bytes *= static_cast<uint64_t>(std::get<i>(arguments));
          known = true;
        } else if constexpr (kind == Kind::iov_in || kind == Kind::iov_out) {
          bytes = vector_bytes(std::get<i>(arguments), std::get<i + 1>(arguments));
          known = true;
        }
      });
      return known ? bytes : 1;
    }
  }

  /// Bytes that the call has moved, as far as its row tells.
  template <class R>
  uint64_t moved(R result) const {
    constexpr Kind kind = record::RowOf<id>::result_kind;
    if constexpr (kind == Kind::read_bytes || kind == Kind::written_bytes) {
      return result > 0 ? static_cast<uint64_t>(result) : 0;
    } else if constexpr (kind == Kind::items) {
      return static_cast<uint64_t>(result) * std::get<find(Kind::size)>(arguments);
    } else if constexpr (kind == Kind::character || kind == Kind::integer) {
      return 1;
    } else if constexpr (kind == Kind::text_end && std::is_same_v<R, char*>) {
      return result == nullptr ? 0 : std::strlen(result);
    } else if constexpr (kind == Kind::eof_status && find(Kind::moved_in) < count) {
      return result < 0 ? 0 : std::strlen(std::get<find(Kind::moved_in)>(arguments));
    } else if constexpr (kind == Kind::status && find(Kind::size) < count) {
      return result < 0 ? 0 : planned();
    } else {
      return 0;
    }
  }

  /// Whatever had the numbers is gone. Before the call: another thread may get the number at once.
  void forget_closed() const {
    for_each([&]<size_t i>() {
      constexpr Kind kind = kind_of<id, i>;
      if constexpr (kind == Kind::closed_fd || kind == Kind::target_fd) {
        forget(std::get<i>(arguments));
      } else if constexpr (kind == Kind::closed_stream) {
        if (std::get<i>(arguments) != nullptr) forget(descriptor_of(std::get<i>(arguments)));
      }
    });
  }
};

/// Makes the call `real(arguments...)` on behalf of row `id`, when it is the job's turn.
template <RowId id, Role role = Role::transfer, class Real, class... A>
inline auto intercept(Real real, const void* /*site*/, const char* /*frame*/, A... arguments) {
  using R = decltype(real(arguments...));
  Slot* slot = enter();
  if (slot == nullptr) [[unlikely]]
    return real(arguments...);
  const std::tuple<A...> values(arguments...);
  const GatedCall<id, A...> call{values};
  if (!call.concerns_gate()) {
    if constexpr (role == Role::release) call.forget_closed();
    return real(arguments...);
  }
  if constexpr (role == Role::release) call.forget_closed();
  Running running(*slot, call.moves_bytes);
  if constexpr (role == Role::transfer) {
    if (running.outermost() && state_of(own_page->word.load(std::memory_order_relaxed)) == GateState::closed)
        [[unlikely]]
      wait_for_turn(*slot, call.planned());
  }
  if constexpr (std::is_void_v<R>) {
    real(arguments...);
  } else {
    R result = real(arguments...);
    if constexpr (role == Role::transfer) running.moved(call.moved(result));
    return result;
  }
}

}  // namespace refrain::gate
