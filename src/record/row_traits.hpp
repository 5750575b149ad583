// Rows as types: what the hooks are compiled from.
#pragma once

#include <array>

#include "api/expand_rows.hpp"
#include "api/table.hpp"

namespace refrain::record {

template <api::RowId id>
struct RowOf;

#define RF_ROW_TRAITS(layer, name, group, result, ...)                                                      \
  template <>                                                                                               \
  struct RowOf<api::RowId::layer##_##name> {                                                                \
    static constexpr api::Kind result_kind = RF_RESULT_KIND result;                                         \
    static constexpr std::array kinds{api::Kind::nothing __VA_OPT__(, ) RF_LIST(RF_ARG_KIND, __VA_ARGS__)}; \
  };
#define API(...) RF_ROW_TRAITS(__VA_ARGS__)
#define API_HAND(...) RF_ROW_TRAITS(__VA_ARGS__)
#define API_PLACED(...) RF_ROW_TRAITS(__VA_ARGS__)
#define API_EVENT(...) RF_ROW_TRAITS(__VA_ARGS__)
#include "api/layers.def"

/// Kind of argument `i` (the array's first element only keeps it from being empty).
template <api::RowId id, size_t i>
constexpr api::Kind kind_of = RowOf<id>::kinds[i + 1];

template <api::RowId id>
constexpr bool has_kind(std::initializer_list<api::Kind> wanted) {
  for (api::Kind w : wanted) {
    if (RowOf<id>::result_kind == w) return true;
    for (size_t i = 1; i < RowOf<id>::kinds.size(); ++i)
      if (RowOf<id>::kinds[i] == w) return true;
  }
  return false;
}

/// Whether the result or an argument is a handle with which the call does this.
template <api::RowId id>
constexpr bool has_use(api::Use use) {
  if (api::facts_of(RowOf<id>::result_kind).use == use) return true;
  for (api::Kind kind : RowOf<id>::kinds)
    if (api::facts_of(kind).use == use) return true;
  return false;
}
template <api::RowId id>
constexpr bool closes_handle = has_use<id>(api::Use::ends);
template <api::RowId id>
constexpr bool makes_handle = has_use<id>(api::Use::made) || has_use<id>(api::Use::reported) ||
                              has_kind<id>({api::Kind::new_aio_list, api::Kind::fcntl_argument});

}  // namespace refrain::record
