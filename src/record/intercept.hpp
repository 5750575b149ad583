// What a hook does: decides whether the call counts, makes it, and records what it was. Exceptions and thread
// cancellation may pass through (the frames restore what they changed), so nothing here is noexcept.
#pragma once

#include "part/kept_folder.hpp"
#include "record/intercepted_call.hpp"

namespace refrain::record {

/// Bytes that a stdio call moved, where the result alone doesn't say.
template <RowId id, class Tuple, class R>
int64_t bytes_moved(const Tuple& arguments, R result) {
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
    return real(arguments...);
  Call<id, A...> call(*lane, arguments...);
  bool wanted = call.look();
  if (!wanted && !makes_handle<id> && !closes_handle<id>) return real(arguments...);
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
    record<id>(call, result, outcome, wanted, frame);
    return result;
  }
}

}  // namespace refrain::record
