// One intercepted call of a library with hundreds of functions that matter (HDF5), seen as machine words.
// Instead of one template instance per function, as for the system calls below it, an interpreter reads the
// kinds of the row's arguments at run time.
//
// An interpreter is a type with three static functions:
//   bool enabled()                             whether its layer is recorded
//   bool before(LibraryCall&)                  looks at handles; false: make the call, record nothing
//   void after(LibraryCall&, uint64_t result)  names what was made, forgets what was closed, emits the event
#pragma once

#include <array>
#include <type_traits>

#include "base/bit_cast.hpp"
#include "record/emit.hpp"
#include "record/real.hpp"

namespace refrain::record {

/// What the kinds of a row say about all its calls, found at compile time.
struct RowPlan {
  api::RowId id;
  api::Kind result;
  const api::Kind* kinds;  ///< of the arguments
  uint8_t count;
  bool closes;      ///< an argument is an identifier that the call closes
  bool fills;       ///< an argument says where new identifiers go
  bool has_memory;  ///< an argument is memory that this call or another fills
  bool has_path;
  trace::Bracket bracket;
  uint16_t identifiers;  ///< bit i: argument i is an identifier that must exist already
  uint16_t questions;    ///< bit i: argument i needs a look at something else before the call
  api::Traits traits;
  bool has_effects;  ///< its success changes what is remembered of identifiers

  constexpr bool is(api::Trait trait) const { return traits.has(trait); }
};

/// Which kinds of arguments are identifiers of HDF5, by value. As a table: it is asked for every argument.
inline constexpr auto identifier_kinds = [] {
  std::array<bool, static_cast<size_t>(api::Kind::end)> table{};
  for (size_t kind = 0; kind < table.size(); ++kind) {
    const api::KindFacts& facts = api::kind_facts[kind];
    table[kind] = facts.form == api::Form::library_handle &&
                  api::facts_of(facts.handle).type == std::string_view("hid_t");
  }
  return table;
}();
constexpr bool is_identifier(api::Kind kind) { return identifier_kinds[static_cast<size_t>(kind)]; }

constexpr RowPlan plan_of(api::RowId id, const api::Traits& traits, api::Kind result, const api::Kind* kinds,
                          size_t count) {
  using api::Trait;
  RowPlan plan{
      .id = id,
      .result = result,
      .kinds = kinds,
      .count = static_cast<uint8_t>(count),
      .closes = false,
      .fills = false,
      .has_memory = false,
      .has_path = false,
      .bracket = trace::Bracket::neither,
      .identifiers = 0,
      .questions = 0,
      .traits = traits,
      .has_effects = traits.has_any({Trait::selects_hyperslab, Trait::changes_selection, Trait::changes_shape,
                                     Trait::changes_extent, Trait::sets_close_degree, Trait::reads_together,
                                     Trait::closes_file, Trait::ends_identifiers, Trait::ends_library})};
  for (size_t i = 0; i < count; ++i) {
    const api::KindFacts& facts = api::facts_of(kinds[i]);
    plan.closes |= facts.use == api::Use::ends;
    plan.fills |= facts.use == api::Use::made;
    plan.has_memory |= facts.form == api::Form::memory;
    plan.has_path |= facts.form == api::Form::path;
    if (is_identifier(kinds[i])) plan.identifiers |= static_cast<uint16_t>(1u << i);
    bool again = i > 0 && kinds[i] == kinds[i - 1] && kinds[i] == api::Kind::h5_coordinates;
    if (facts.asks && !again) plan.questions |= static_cast<uint16_t>(1u << i);
  }
  if (plan.closes) plan.bracket = trace::Bracket::closes;
  if (api::facts_of(result).use == api::Use::made) plan.bracket = trace::Bracket::opens;
  return plan;
}

struct LibraryCall {
  Lane& lane;
  const RowPlan& plan;
  const uint64_t* words;  ///< the arguments: integers sign-extended, pointers and floating bits as they are
  Handle* handles;        ///< for the interpreter: of arguments that are handles
  Outcome outcome = {};
  Handle made = {};           ///< by the call
  int64_t known = 0;          ///< for the interpreter: a size found out before the call
  bool has_contents = false;  ///< see hdf5_contents.hpp
  bool ignored = false;       ///< for the interpreter: an argument belongs to what is not recorded
  bool short_way = false;     ///< everything about the arguments was known; see hdf5_frequent.hpp

  size_t count() const { return plan.count; }
  api::RowId id() const { return plan.id; }
  api::Kind kind(size_t i) const { return plan.kinds[i]; }
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
  else if constexpr (std::is_class_v<T>)
    return bit_cast<std::array<uint64_t, sizeof(T) / sizeof(uint64_t)>>(value)[0];
  else if constexpr (std::is_same_v<T, float>)
    return bit_cast<uint64_t>(static_cast<double>(value));
  else if constexpr (std::is_floating_point_v<T>)
    return bit_cast<uint64_t>(value);
  else
    return static_cast<uint64_t>(static_cast<int64_t>(value));
}

/// The two halves of a call, once per interpreter, and when the library came back.
template <class Interpreter>
struct Around {
  static bool enabled() { return Interpreter::enabled(); }
  [[gnu::noinline]] static bool begin(LibraryCall& call, const char* frame) {
    Aside aside(call.lane);
    Busy busy(call.lane, frame);
    return Interpreter::before(call);
  }
  static uint64_t end_ticks(LibraryCall&, uint64_t) { return ticks(); }
  [[gnu::noinline]] static void end(LibraryCall& call, uint64_t result, const char* frame) {
    Busy busy(call.lane, frame);
    Interpreter::after(call, result);
  }
};

/// Makes the call on behalf of a row, with `Halves` around it; exceptions and cancellation may pass through.
template <class Halves, class Real, class... A>
inline auto intercept_library(const RowPlan& plan, Real real, const void* site, const char* frame,
                              A... arguments) {
  Lane* lane = enter(frame);
  if (lane == nullptr || !Halves::enabled()) [[unlikely]]
    return real(arguments...);
  const uint64_t words[] = {word_of(arguments)..., 0};
  Handle handles[sizeof...(A) + 1];
  LibraryCall call{
      .lane = *lane, .plan = plan, .words = words, .handles = handles, .outcome = {.site = site}};
  if (!Halves::begin(call, frame)) return real(arguments...);
  Running running(*lane, frame);
  call.outcome.outer = running.outer();
  call.outcome.start_ticks = ticks();
  auto result = real(arguments...);
  call.outcome.end_ticks = Halves::end_ticks(call, word_of(result));
  running.leave();
  Halves::end(call, word_of(result), frame);
  return result;
}

}  // namespace refrain::record
