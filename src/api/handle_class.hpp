// Classes of handles, each with slots of its own: HANDLE(class, name in traces, C type, properties...) in the
// layers' handles.def.
#pragma once

#include <cstdint>
#include <string_view>

namespace refrain::api {

enum class HandleClass : uint8_t {
#define HANDLE(name, ...) name,
#include "api/layers.def"
  end
};

struct HandleFacts {
  std::string_view name{};  ///< in traces
  std::string_view type{};  ///< in C
  bool is_file = false;     ///< an open file, or a folder
  bool is_carrier = false;  ///< what its calls do, they do to other handles
  /// Handles of both classes depend on each other: a part of a trace keeps all of them or none.
  HandleClass belongs_with = HandleClass::end;
  bool may_be_known = false;       ///< a call may return one that exists already
  bool counts_references = false;  ///< a handle opened twice stays valid until it is closed twice
};

inline constexpr HandleFacts handle_facts[] = {
#define HANDLE(handle_class, text, c_type, ...) \
  HandleFacts{.name = text, .type = c_type __VA_OPT__(, ) __VA_ARGS__},
#include "api/layers.def"
    HandleFacts{},
};

constexpr const HandleFacts& facts_of(HandleClass c) { return handle_facts[static_cast<size_t>(c)]; }
/// The class of this name in traces; `end` if there is none.
constexpr HandleClass handle_class_named(std::string_view name) {
  size_t i = 0;
  while (i < static_cast<size_t>(HandleClass::end) && handle_facts[i].name != name) ++i;
  return static_cast<HandleClass>(i);
}

}  // namespace refrain::api
