// The rows as data.
#include "api/table.hpp"

#include <array>
#include <unordered_map>

#include "api/expand_rows.hpp"

namespace refrain::api {
namespace {

// Functions, and no conversions in the tables themselves: compilers look at all names so far for each.
constexpr Argument argument(const char* type, const char* name, Kind kind) { return {type, name, kind}; }

struct RowNames {
  const char *layer, *name, *group, *result_type;
};
struct RowForm {
  bool by_hand, is_function, placed;
};
constexpr Row made_row(RowId id, RowNames names, Kind result, const Argument* arguments, size_t count,
                       RowForm form) {
  return {id,
          names.layer,
          names.name,
          names.group,
          names.result_type,
          result,
          std::span<const Argument>(arguments, count),
          form.by_hand,
          form.is_function,
          form.placed,
          row_traits[static_cast<size_t>(id)]};
}

#define RF_ARGUMENT(type, name, kind) argument(#type, #name, Kind::kind)
// The first element only keeps an empty list from being ill-formed.
#define RF_ARGUMENTS(layer, name, ...)                                         \
  constexpr Argument arguments_##layer##_##name[] = {Argument{} __VA_OPT__(, ) \
                                                         RF_LIST(RF_ARGUMENT, __VA_ARGS__)};
#define API(layer, name, group, result, ...) RF_ARGUMENTS(layer, name, __VA_ARGS__)
#define API_HAND(layer, name, group, result, ...) RF_ARGUMENTS(layer, name, __VA_ARGS__)
#define API_PLACED(layer, name, group, result, ...) RF_ARGUMENTS(layer, name, __VA_ARGS__)
#define API_EVENT(layer, name, group, result, ...) RF_ARGUMENTS(layer, name, __VA_ARGS__)
#include "api/layers.def"

#define RF_TEXT(x) RF_TEXT_OF(x)
#define RF_TEXT_OF(x) #x
#define RF_ROW(layer, name, group, result, ...)                                            \
  made_row(RowId::layer##_##name, {#layer, #name, #group, RF_TEXT(RF_RESULT_TYPE result)}, \
           RF_RESULT_KIND result, arguments_##layer##_##name + 1,                          \
           sizeof arguments_##layer##_##name / sizeof(Argument) - 1, {__VA_ARGS__}),
#define API(layer, name, group, result, ...) RF_ROW(layer, name, group, result, false, true, false)
#define API_HAND(layer, name, group, result, ...) RF_ROW(layer, name, group, result, true, true, false)
#define API_PLACED(layer, name, group, result, ...) RF_ROW(layer, name, group, result, false, true, true)
#define API_EVENT(layer, name, group, result, ...) RF_ROW(layer, name, group, result, false, false, false)
constexpr Row all_rows[] = {
#include "api/layers.def"
};

/// Rows, with the version that they came with before those that didn't always exist.
struct Mark {
  RowId row;
  std::string_view version;
};
constexpr Mark marks[] = {
#define API(layer, name, ...) {RowId::layer##_##name, {}},
#define API_HAND(layer, name, ...) {RowId::layer##_##name, {}},
#define API_PLACED(layer, name, ...) {RowId::layer##_##name, {}},
#define API_EVENT(layer, name, ...) {RowId::layer##_##name, {}},
#define API_FROM(layer, version) {RowId::end, #version},
#include "api/layers.def"
};
constexpr auto versions = [] {
  std::array<std::string_view, std::size(all_rows)> table;
  std::string_view version;
  for (const Mark& mark : marks) {
    if (mark.row == RowId::end)
      version = mark.version;
    else
      table[static_cast<size_t>(mark.row)] = version;
  }
  return table;
}();

constexpr Alias all_aliases[] = {
#define API(...)
#define API_ALIAS(layer, symbol, function) Alias{#layer, #symbol, #function},
#define API_ALIAS_HAND(layer, symbol, function) Alias{#layer, #symbol, #function},
#include "api/layers.def"
#define SECOND_SYMBOL(layer, symbol, function) Alias{#layer, #symbol, #function},
#include "api/layers.def"
};

constexpr std::string_view all_watched[] = {
#define WATCHED(symbol) #symbol,
#include "api/layers.def"
};

}  // namespace

std::span<const Row> rows() { return all_rows; }
std::string_view since(RowId id) { return versions[static_cast<size_t>(id)]; }
std::span<const Alias> aliases() { return all_aliases; }
std::span<const std::string_view> watched() { return all_watched; }

const Row* find_row(std::string_view function) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const Row*> map;
    for (const Row& row : all_rows) map[row.name] = &row;
    return map;
  }();
  auto found = by_name.find(function);
  return found == by_name.end() ? nullptr : found->second;
}

HandleClass memory_class(Traits traits, bool region) {
  if (traits.has(Trait::keeps_reference)) return HandleClass::h5_any_reference;
  if (traits.has(Trait::keeps_type)) return HandleClass::h5_encoded_type;
  if (traits.has(Trait::keeps_space)) return HandleClass::h5_encoded_space;
  if (traits.has(Trait::keeps_list)) return HandleClass::h5_encoded_list;
  if (traits.has(Trait::keeps_link)) return HandleClass::h5_link_value;
  return region ? HandleClass::h5_region : HandleClass::h5_reference;
}

Traits traits_of(std::string_view function) {
  const Row* row = find_row(function);
  return row == nullptr ? Traits() : row->traits;
}

}  // namespace refrain::api
