// The functions we know, as data: what `refrain api` lists and `refrain link-flags` wraps. The same rows
// (posix.def, stdio.def) are expanded into hooks by src/record.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "api/kinds.hpp"

namespace refrain::api {

/// Every row has a number within one build. Traces store names, never these numbers.
enum class RowId : uint16_t {
#define API(layer, name, ...) layer##_##name,
#define API_HAND(layer, name, ...) layer##_##name,
#define API_EVENT(layer, name, ...) layer##_##name,
#define API_ALIAS(...)
#define API_ALIAS_HAND(...)
#include "api/rows.def"
  end
};

struct Argument {
  std::string_view type, name;
  Kind kind;
};

struct Row {
  RowId id;
  std::string_view layer, name, group;
  std::string_view result_type;
  Kind result;
  std::span<const Argument> arguments;
  bool by_hand;      ///< the entry is written by hand
  bool is_function;  ///< false for events the recorder adds itself
};

struct Alias {
  std::string_view layer, symbol, function;
};

/// In the order of RowId.
std::span<const Row> rows();
/// Other symbols that lead to a row's function.
std::span<const Alias> aliases();
/// Symbols that are hooked without being recorded (watched.def).
std::span<const std::string_view> watched();
/// Layers in the order of the design.
std::span<const std::string_view> layers();

inline const Row& row(RowId id) { return rows()[static_cast<size_t>(id)]; }

}  // namespace refrain::api
