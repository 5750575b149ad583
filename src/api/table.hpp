// The functions we know, as data: what `refrain api` lists and `refrain link-flags` wraps. The same rows
// (LAYER/rows.def) are expanded into hooks by src/record.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "api/kinds.hpp"
#include "api/layers.hpp"
#include "api/traits.hpp"

namespace refrain::api {

/// Every row has a number within one build. Traces store names, never these numbers.
enum class RowId : uint16_t {
#define API(layer, name, ...) layer##_##name,
#define API_HAND(layer, name, ...) layer##_##name,
#define API_PLACED(layer, name, ...) layer##_##name,
#define API_EVENT(layer, name, ...) layer##_##name,
#include "api/layers.def"
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
  bool by_hand;      ///< its hook is written by hand
  bool is_function;  ///< false for events the recorder adds itself
  bool placed;       ///< its symbol takes the caller's file, function and line before the arguments
  Traits traits;

  bool is(Trait trait) const { return traits.has(trait); }
};

struct Alias {
  std::string_view layer, symbol, function;
};

/// All rows, in the order of RowId.
std::span<const Row> rows();
/// The first version of the library that has the function, "1.12"; empty if all have it that Refrain knows.
std::string_view since(RowId id);
/// Other symbols of the functions in rows.
std::span<const Alias> aliases();
/// The row of a function of any layer; null if there is none.
const Row* find_row(std::string_view function);
/// The traits of a function; none if it has no row.
Traits traits_of(std::string_view function);
/// The handle class of the memory that one function of HDF5 fills and another reads. `region`: the memory
/// holds a reference to a region.
HandleClass memory_class(Traits traits, bool region);
/// Symbols that are hooked without being recorded (watched.def).
std::span<const std::string_view> watched();

/// The traits that rows name, at compile time.
namespace named_traits {
using namespace trait_names;
struct Named {
  RowId row;
  Traits traits;
};
inline constexpr Named all[] = {
#define API_IS(layer, name, ...) {RowId::layer##_##name, {__VA_ARGS__}},
#define API(...)
#include "api/layers.def"
};
}  // namespace named_traits
inline constexpr auto row_traits = [] {
  std::array<Traits, static_cast<size_t>(RowId::end)> table{};
  for (Traits& traits : table) traits = Traits{};  // or GCC leaves it for later, and then can't
  for (const named_traits::Named& named : named_traits::all)
    table[static_cast<size_t>(named.row)] = named.traits;
  return table;
}();
template <RowId id>
constexpr const Traits& traits_of_row = row_traits[static_cast<size_t>(id)];

inline const Row& row(RowId id) { return rows()[static_cast<size_t>(id)]; }

}  // namespace refrain::api
