// One intercepted call of a library (MPI, HDF5), seen as machine words. These libraries have hundreds of
// functions that matter; instead of one template instance per function, as for the system calls below
// them, one interpreter per library reads the kinds of the row's arguments at run time.
//
// An interpreter is a type with two static functions:
//   bool before(LibraryCall&)                  looks at handles; false: make the call, record nothing
//   void after(LibraryCall&, uint64_t result)  names what was made, forgets what was closed, emits the event
#pragma once

#include <bit>
#include <type_traits>

#include "api/expand.hpp"
#include "record/emit.hpp"
#include "record/real.hpp"

namespace refrain::record {

struct LibraryCall {
  static constexpr size_t max_arguments = 16;
  Lane& lane;
  api::RowId id;
  const uint64_t* words;  ///< the arguments: integers sign-extended, pointers and floating bits as they are
  size_t count;
  Outcome outcome;
  Handle handles[max_arguments] = {};  ///< for the interpreter: of arguments that are handles
  Handle made = {};                    ///< by the call
  int64_t known = 0;                   ///< for the interpreter: a size found out before the call

  const api::Row& row() const { return api::row(id); }
  api::Kind kind(size_t i) const { return row().arguments[i].kind; }
  int64_t integer(size_t i) const { return static_cast<int64_t>(words[i]); }
  template <class T>
  T* pointer(size_t i) const {
    return reinterpret_cast<T*>(words[i]);
  }
};

template <class T>
uint64_t word_of(T value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<uint64_t>(value);
  else if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint64_t>(static_cast<double>(value));
  else if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<uint64_t>(value);
  else
    return static_cast<uint64_t>(static_cast<int64_t>(value));
}

/// Makes the call on behalf of row `id`; exceptions and cancellation may pass through.
template <class Interpreter, class R, class... A>
inline R intercept_library(api::RowId id, R (*real)(A...), const void* site, const char* frame,
                           A... arguments) {
  Lane* lane = enter(frame);
  if (lane == nullptr) [[unlikely]]
    return real(arguments...);
  const uint64_t words[] = {word_of(arguments)..., 0};
  static_assert(sizeof...(A) <= LibraryCall::max_arguments);
  LibraryCall call{.lane = *lane, .id = id, .words = words, .count = sizeof...(A), .outcome = {.site = site}};
  bool wanted;
  {
    Busy busy(*lane, frame);
    wanted = Interpreter::before(call);
  }
  if (!wanted) return real(arguments...);
  Running running(*lane, frame);
  call.outcome.outer = running.outer();
  call.outcome.start_ticks = ticks();
  if constexpr (std::is_void_v<R>) {
    real(arguments...);
    call.outcome.end_ticks = ticks();
    running.leave();
    Busy busy(*lane, frame);
    Interpreter::after(call, 0);
  } else {
    R result = real(arguments...);
    call.outcome.end_ticks = ticks();
    running.leave();
    Busy busy(*lane, frame);
    Interpreter::after(call, word_of(result));
    return result;
  }
}

// The hook of a row, under its own symbol; `interpreter` as above.
#define RF_LIBRARY_HOOK(interpreter, layer, name, group, result, ...)                                  \
  using type_##name = RF_RESULT_TYPE result(RF_LIST(RF_ARG_TYPE, __VA_ARGS__));                        \
  RF_LIBRARY_REAL(name, type_##name)                                                                   \
  RF_HOOK RF_RESULT_TYPE result hook_##name(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) RF_SYMBOL(name); \
  RF_RESULT_TYPE result hook_##name(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) {                        \
    return intercept_library<interpreter>(api::RowId::layer##_##name, real_##name(), RF_SITE,          \
                                          RF_FRAME __VA_OPT__(, ) RF_LIST(RF_ARG_NAME, __VA_ARGS__));  \
  }

}  // namespace refrain::record
