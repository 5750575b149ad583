// What a hook does: decides whether the call counts, makes it, and records what it was. Exceptions and thread
// cancellation may pass through (the frames restore what they changed), so nothing here is noexcept.
#pragma once

#include "record/copied.hpp"
#include "record/intercepted_call.hpp"
#include "record/mapped_stores.hpp"
#include "record/own_descriptors.hpp"
#include "record/seen_bytes.hpp"

namespace refrain::record {

/// Asking whether a request is done, and hearing that it isn't, depends on timing: such events are left out.
template <RowId id, class R>
bool worth_recording(R result) {
  if constexpr (id == RowId::posix_aio_error) return result != EINPROGRESS;
  return true;
}

template <class CallType>
void watch_made(CallType& call, const void* made, bool outer) {
  auto& [address, length, protection, flags, fd, offset] = call.arguments;
  watch_stores(call.made, made, length, protection, flags, fd, outer);
}

/// Stores into what a call is about, or maps something else over.
template <RowId id, class CallType>
void settle_before(CallType& call, Settler by) {
  auto what = std::get<0>(call.arguments);
  if constexpr (std::is_integral_v<decltype(what)>) {
    settle_stores_of(call.lane, what, by);
  } else {
    if constexpr (api::traits_of_row<id>.has(Trait::maps_file))
      if ((std::get<3>(call.arguments) & MAP_FIXED) == 0) return;
    settle_stores(call.lane, what, std::get<1>(call.arguments), by);
  }
}

/// The event of a call that looks otherwise than the last one from its site. Of a copy: as long as nobody
/// asks where the call itself is, it needs no place in memory.
template <RowId id, class CallType, class R>
[[gnu::noinline, gnu::cold]] void emit_other(CallType call, R result, Outcome outcome) {
  emit(
      call.lane, id, outcome, [&](auto& v) { call.describe(v); },
      [&](auto& v) { call.describe_result(v, result); });
}

/// Inlined: what it gets would be written to memory in small pieces, and read in larger ones, which waits.
template <RowId id, class R, class CallType>
[[gnu::always_inline]] inline void record(CallType& call, R result, Outcome& outcome, bool wanted,
                                          const char* frame) {
  Busy busy(call.lane, frame);
  outcome.error = call.error_of(result, busy.saved_errno());
  call.error = outcome.error;
  call.faulted = outcome.error == EFAULT;
  if constexpr (CallType::names_paths)
    if (call.path_seen) wanted = call.judge_paths() && wanted;
  constexpr bool maps = api::traits_of_row<id>.has(Trait::maps_file);
  if constexpr (maps)  // whatever was mapped there isn't any more
    if (outcome.error == 0) forget_stores(result, std::get<1>(call.arguments));
  if constexpr (makes_handle<id>)
    if (outcome.error == 0) wanted &= call.name_made(result);
  if constexpr (maps)
    if (outcome.error == 0) watch_made(call, result, outcome.outer);
  if constexpr (api::traits_of_row<id>.has(Trait::unmaps_file))
    if (outcome.error == 0) {
      forget_stores(std::get<0>(call.arguments), std::get<1>(call.arguments));
      end_map(call.lane, shared.maps.remove(std::get<0>(call.arguments), std::get<1>(call.arguments)));
    }
  if (!wanted || !worth_recording<id>(result)) return;
  if constexpr (CallType::names_paths)
    if (outcome.error == 0 && call.path_seen) call.note_names();
  call.moved = bytes_moved<id>(call.arguments, result);
  outcome.bracket = call.bracket();
  emit_repeated(
      call.lane, id, outcome, [&](auto& v) __attribute__((always_inline)) { call.describe(v); },
      [&](auto& v) __attribute__((always_inline)) { call.describe_result(v, result); },
      [&]() __attribute__((always_inline)) { emit_other<id>(call, result, outcome); });
}

/// Whether the call may put something else where a file was.
template <RowId id>
constexpr bool changes_names = api::traits_of_row<id>.has_any({Trait::makes_file, Trait::removes_file,
                                                               Trait::renames_file, Trait::links_file,
                                                               Trait::enters_folder}) &&
                               !api::traits_of_row<id>.has(Trait::opens_file);
struct NoChange {};

/// Makes a call that isn't recorded.
template <RowId id, class Real, class... A>
inline auto pass(Lane* lane, Real real, A... arguments) {
  if constexpr (!moves_data<id>() || std::is_void_v<decltype(real(arguments...))>) {
    return real(arguments...);
  } else {
    auto result = real(arguments...);
    seen::Both bytes = bytes_seen<id>(result, arguments...);
    if (lane != nullptr)
      lane->seen.add(bytes.read, bytes.written);
    else
      seen_without_lane.add_shared(bytes.read, bytes.written);
    return result;
  }
}

/// Whether calls of the row may read from pipes or write to them.
template <RowId id>
constexpr bool uses_pipes = has_kind<id>({Kind::stream, Kind::read_bytes, Kind::written_bytes});

/// A call that isn't recorded, on a pipe.
template <RowId id, class Real, class... A>
auto pass_on_pipe(Lane& lane, Handle pipe, Real real, A... arguments) {
  auto result = pass<id>(&lane, real, arguments...);
  bool at_end = false;
  auto look = [&](auto value) {
    if constexpr (std::is_same_v<decltype(value), FILE*>) at_end |= value != nullptr && real::at_end(value);
  };
  (look(arguments), ...);
  if constexpr (std::is_integral_v<decltype(result)>) {
    if (RowOf<id>::result_kind == Kind::read_bytes && !has_kind<id>({Kind::stream})) at_end = result == 0;
    if (RowOf<id>::result_kind == Kind::read_bytes || RowOf<id>::result_kind == Kind::written_bytes)
      if (result < 0) return result;
  }
  note_pipe_used(lane, pipe, at_end);
  return result;
}

template <RowId id, class CallType>
BufferPlace place_in_buffer(const CallType& call) {
  constexpr size_t stream = CallType::find(Kind::stream);
  return BufferPlace::of(std::get<stream>(call.arguments), copies_out<id>);
}

/// When a call ended that began with its stream at `before`.
template <RowId id, class CallType, class R>
[[gnu::always_inline]] inline uint64_t end_of_copy(CallType& call, const BufferPlace& before, R result,
                                                   uint64_t start_ticks) {
  uint64_t bytes = bytes_of_copy<id>(call.arguments, result);
  if (!before.only_copied(place_in_buffer<id>(call), bytes)) return ticks();
  return call.lane.copy_times.end_of(way_of_copy<id>, bytes, start_ticks, ticks);
}

/// Makes the call `real(arguments...)` on behalf of row `id` and records it.
template <RowId id, class Real, class... A>
inline auto intercept(Real real, const void* site, const char* frame, A... arguments) {
  using R = decltype(real(arguments...));
  if constexpr (id == RowId::posix_close) {
    if ((is_own_descriptor(arguments) || ...)) {
      errno = EBADF;
      return R{-1};
    }
  }
  [[maybe_unused]] std::conditional_t<changes_names<id>, NamesChange, NoChange> change;
  Lane* lane = enter(frame);
  if (lane == nullptr) [[unlikely]]
    return pass<id>(nullptr, real, arguments...);
  Call<id, A...> call(*lane, arguments...);
  bool wanted = call.look();
  if constexpr (api::traits_of_row<id>.has(Trait::settles_stores)) settle_before<id>(call, {site, frame});
  constexpr bool matters = makes_handle<id> || closes_handle<id> || call.is(Trait::unmaps_file);
  if (!wanted && !matters) {
    if constexpr (uses_pipes<id> && !std::is_void_v<R>)
      if (Handle pipe = call.pipe(); is_pipe(pipe)) [[unlikely]]
        return pass_on_pipe<id>(*lane, pipe, real, arguments...);
    return pass<id>(lane, real, arguments...);
  }
  if constexpr (closes_handle<id>) {
    if (Handle pipe = call.pipe(); is_pipe(pipe)) [[unlikely]]
      note_pipe_closed(*lane, pipe);
    Undisturbed undisturbed(*lane, frame);
    call.release_closed();
  }
  Running running(*lane, frame);
  Outcome outcome{.site = site, .outer = running.outer()};
  [[maybe_unused]] BufferPlace before;
  if constexpr (may_only_copy<id>) before = place_in_buffer<id>(call);
  outcome.start_ticks = ticks();
  if constexpr (std::is_void_v<R>) {
    real(arguments...);
    outcome.end_ticks = ticks();
    running.leave();
    record<id>(call, 0, outcome, wanted, frame);
  } else {
    R result = real(arguments...);
    if constexpr (may_only_copy<id>)
      outcome.end_ticks = end_of_copy<id>(call, before, result, outcome.start_ticks);
    else
      outcome.end_ticks = ticks();
    running.leave();
    if constexpr (moves_data<id>()) {
      seen::Both bytes = bytes_seen<id>(result, arguments...);
      lane->seen.add(bytes.read, bytes.written);
    }
    record<id>(call, result, outcome, wanted, frame);
    return result;
  }
}

}  // namespace refrain::record
