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

/// What a call does to a handle that it takes or returns.
enum class Use : uint8_t {
  none,      ///< the argument is not a handle
  given,     ///< takes it by value
  behind,    ///< takes it by address
  ends,      ///< closes or frees it
  made,      ///< creates it
  reported,  ///< returns one that may exist already
  target,    ///< replaces it by another of the same number, as dup2 does
  several,   ///< takes a list of handles
};

/// How many operands describe an argument.
enum class Operands : uint8_t {
  by_form,        ///< as many as arguments of its form have
  maybe,          ///< one; none if the call was made without the argument
  with_contents,  ///< one, then the contents of elements if these are known; both come last
  members,        ///< one for each file of a driver with several, or one for all
  until_text,     ///< several up to and including a string, or one for all
  rest,           ///< all remaining ones
};

/// What the result of a failed call looks like.
enum class Fails : uint8_t { negative, nonzero, null, map_failed, never };

/// How a number without a name is written.
enum class Spelling : uint8_t { hexadecimal, octal, decimal, real };

/// Which argument gives the type of a value.
enum class TypedBy : uint8_t { nothing, before, behind, first };

struct KindFacts {
  Form form = Form::name;
  HandleClass handle = HandleClass::end;
  Use use = Use::none;
  Operands operands = Operands::by_form;
  Fails fails = Fails::negative;  ///< of results
  std::string_view check{};       ///< last part of the name of the kernels' macros that check such a result
  Spelling spelling = Spelling::hexadecimal;
  Kind named_like = Kind::end;  ///< shares the names of this kind
  bool asks = false;            ///< describing it takes a query or a lookup before the call
  bool fills = false;           ///< memory that the call fills; otherwise, memory that it reads
  bool counts_bytes = false;    ///< memory whose transferred bytes are counted in the trace
  bool is_size = false;         ///< gives the size of the memory that the nearest buffer argument points to
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
/// Whether the argument is the path of a file that the call works on.
constexpr bool is_path(Kind kind) { return facts_of(kind).form == Form::path; }
/// Whether the call ends the handle.
constexpr bool ends(Kind kind) { return facts_of(kind).use == Use::ends; }
/// Whether the argument is one handle that must exist before the call.
constexpr bool takes_handle(Kind kind) {
  Use use = facts_of(kind).use;
  return use == Use::given || use == Use::behind || use == Use::ends || use == Use::target;
}

}  // namespace refrain::api
