// What an argument or a result of a recorded function *means*. A row of the tables (LAYER/rows.def) gives one
// kind to each; recording, printing, replaying and generating all follow from it. Each layer lists its kinds
// in kinds.def:
//
//   KIND(name, what it means, form, properties...)
//   HANDLE_KIND(name, what it means, form, class of the handle, what the call does to it, properties...)
//
// Properties are those of KindFacts. No code depends on the order of kinds.
#pragma once

#include <cstdint>
#include <string_view>

#include "api/forms.hpp"
#include "api/handle_class.hpp"

namespace refrain::api {

enum class Kind : uint16_t {
#define KIND(name, ...) name,
#define HANDLE_KIND(name, ...) name,
#include "api/layers.def"
  end
};

/// What a call does to a handle that it is given or gives.
enum class Use : uint8_t {
  none,     ///< it is no handle
  given,    ///< takes it
  behind,   ///< takes it by address
  ends,     ///< closes or frees it
  made,     ///< makes it
  told,     ///< tells it; it may be there already
  target,   ///< makes another under its number
  several,  ///< takes a list of them
};

/// How many operands describe an argument.
enum class Operands : uint8_t {
  by_form,        ///< as many as arguments of its form have
  maybe,          ///< one, unless the call had no such argument
  with_contents,  ///< one, and, if they are known, what the elements hold; both come last
  members,        ///< one for each file of a driver with several, or one for all
  until_text,     ///< several, the last of which is a string, or one for all
  rest,           ///< all that are left
};

/// How the result of a failed call differs from others.
enum class Fails : uint8_t { negative, nonzero, null, map_failed, never };

/// How a number is written where it has no name.
enum class Spelling : uint8_t { hexadecimal, octal, decimal, real };

/// Which argument says the type of a value.
enum class TypedBy : uint8_t { nothing, before, behind, first };

struct KindFacts {
  Form form = Form::name;
  HandleClass handle = HandleClass::end;
  Use use = Use::none;
  Operands operands = Operands::by_form;
  Fails fails = Fails::negative;  ///< of results
  std::string_view check{};       ///< what the kernels' macros that look at such a result end with
  Spelling spelling = Spelling::hexadecimal;
  Kind named_like = Kind::end;  ///< has the names of this kind
  bool asks = false;            ///< to describe it, something must be asked or looked up before the call
  bool fills = false;           ///< memory that the call fills, not what it takes
  bool counts_bytes = false;    ///< memory whose bytes, as many as were moved, are a part of the trace
  bool is_size = false;         ///< says how large the memory of a neighbor is
  TypedBy typed_by = TypedBy::nothing;
  std::string_view name{}, meaning{};
};

inline constexpr KindFacts kind_facts[] = {
#define KIND(kind, text, how, ...) \
  KindFacts{.form = Form::how, __VA_ARGS__ __VA_OPT__(, ).name = #kind, .meaning = text},
#define HANDLE_KIND(kind, text, how, handle_class, what, ...) \
  KindFacts{.form = Form::how,                                \
            .handle = HandleClass::handle_class,              \
            .use = Use::what,                                 \
            __VA_ARGS__ __VA_OPT__(, ).name = #kind,          \
            .meaning = text},
#include "api/layers.def"
    KindFacts{},
};

constexpr const KindFacts& facts_of(Kind kind) { return kind_facts[static_cast<size_t>(kind)]; }

constexpr Form form_of(Kind kind) { return facts_of(kind).form; }
/// Whether the argument names a file that the call is about.
constexpr bool is_path(Kind kind) { return facts_of(kind).form == Form::path; }
/// Whether the handle of such an argument is no more when the call is over.
constexpr bool ends(Kind kind) { return facts_of(kind).use == Use::ends; }
/// Whether the argument is one handle that must be there before the call.
constexpr bool takes_handle(Kind kind) {
  Use use = facts_of(kind).use;
  return use == Use::given || use == Use::behind || use == Use::ends || use == Use::target;
}

}  // namespace refrain::api
