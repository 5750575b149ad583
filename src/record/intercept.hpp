// What a hook does: decides whether the call counts, makes it, and records what it was. Exceptions and thread
// cancellation may pass through (the frames restore what they changed), so nothing here is noexcept.
#pragma once

#include "part/kept_folder.hpp"
#include "record/intercepted_call.hpp"
#include "record/seen_bytes.hpp"

namespace refrain::record {

/// Asking whether a request is done, and hearing that it isn't, depends on timing: such events are left out.
template <RowId id, class R>
bool worth_recording(R result) {
  if constexpr (id == RowId::posix_aio_error) return result != EINPROGRESS;
  return true;
}

template <RowId id, class R, class CallType>
void record(CallType& call, R result, Outcome outcome, bool wanted, const char* frame) {
  Busy busy(call.lane, frame);
  outcome.error = call.error_of(result, busy.saved_errno());
  call.error = outcome.error;
  call.faulted = outcome.error == EFAULT;
  if (call.path_seen) wanted = call.judge_paths() && wanted;
  if (outcome.error == 0 && makes_handle<id>) wanted &= call.name_made(result);
  if constexpr (api::traits_of_row<id>.has(Trait::unmaps_file))
    if (outcome.error == 0)
      free_slot(shared.maps.remove(std::get<0>(call.arguments), std::get<1>(call.arguments)));
  if (!wanted || !worth_recording<id>(result)) return;
  if (outcome.error == 0 && call.path_seen) call.note_names();
  call.moved = bytes_moved<id>(call.arguments, result);
  outcome.bracket = call.bracket();
  emit(
      call.lane, id, outcome, [&](auto& v) { call.describe(v); },
      [&](auto& v) { call.describe_result(v, result); });
}

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

/// Makes the call `real(arguments...)` on behalf of row `id` and records it.
template <RowId id, class Real, class... A>
inline auto intercept(Real real, const void* site, const char* frame, A... arguments) {
  using R = decltype(real(arguments...));
  if constexpr (id == RowId::posix_close) {
    if (((arguments >= 0 && arguments == kept_folder()) || ...)) {
      errno = EBADF;
      return R{-1};
    }
  }
  Lane* lane = enter(frame);
  if (lane == nullptr) [[unlikely]]
    return pass<id>(nullptr, real, arguments...);
  Call<id, A...> call(*lane, arguments...);
  bool wanted = call.look();
  if (!wanted && !makes_handle<id> && !closes_handle<id>) return pass<id>(lane, real, arguments...);
  if constexpr (closes_handle<id>) call.release_closed();
  Running running(*lane, frame);
  Outcome outcome{.site = site, .outer = running.outer()};
  outcome.start_ticks = ticks();
  if constexpr (std::is_void_v<R>) {
    real(arguments...);
    outcome.end_ticks = ticks();
    running.leave();
    record<id>(call, 0, outcome, wanted, frame);
  } else {
    R result = real(arguments...);
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
