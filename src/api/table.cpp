// The rows as data.
#include "api/table.hpp"

#include <array>

#include "api/expand.hpp"

namespace refrain::api {
namespace {

#define RF_ARGUMENT(type, name, kind) \
  Argument { #type, #name, Kind::kind }
#define RF_ARGUMENTS(layer, name, ...)                                      \
  constexpr std::array arguments_##layer##_##name{Argument{} __VA_OPT__(, ) \
                                                      RF_LIST(RF_ARGUMENT, __VA_ARGS__)};
#define API(layer, name, group, result, ...) RF_ARGUMENTS(layer, name, __VA_ARGS__)
#define API_HAND(layer, name, group, result, ...) RF_ARGUMENTS(layer, name, __VA_ARGS__)
#define API_EVENT(layer, name, group, result, ...) RF_ARGUMENTS(layer, name, __VA_ARGS__)
#define API_ALIAS(...)
#define API_ALIAS_HAND(...)
#include "api/rows.def"

#define RF_TEXT(x) RF_TEXT_OF(x)
#define RF_TEXT_OF(x) #x
// The first element only keeps an empty list from being ill-formed.
#define RF_ROW(layer, name, group, result, by_hand, is_function)        \
  Row{RowId::layer##_##name,                                            \
      #layer,                                                           \
      #name,                                                            \
      #group,                                                           \
      RF_TEXT(RF_RESULT_TYPE result),                                   \
      RF_RESULT_KIND result,                                            \
      std::span<const Argument>(arguments_##layer##_##name).subspan(1), \
      by_hand,                                                          \
      is_function},
#define API(layer, name, group, result, ...) RF_ROW(layer, name, group, result, false, true)
#define API_HAND(layer, name, group, result, ...) RF_ROW(layer, name, group, result, true, true)
#define API_EVENT(layer, name, group, result, ...) RF_ROW(layer, name, group, result, false, false)
#define API_ALIAS(...)
#define API_ALIAS_HAND(...)
constexpr Row all_rows[] = {
#include "api/rows.def"
};

// MPI's functions have a second symbol.
#define RF_PROFILED_posix(...)
#define RF_PROFILED_stdio(...)
#define RF_PROFILED_hdf5(...)
#define RF_PROFILED_mpiio(symbol, function) Alias{"mpiio", "P" #symbol, #function},
#define RF_PROFILED_mpi(symbol, function) Alias{"mpi", "P" #symbol, #function},
#define API(layer, name, ...) RF_PROFILED_##layer(name, name)
#define API_HAND(layer, name, ...) RF_PROFILED_##layer(name, name)
#define API_EVENT(...)
#define API_ALIAS(layer, symbol, function) \
  Alias{#layer, #symbol, #function}, RF_PROFILED_##layer(symbol, function)
#define API_ALIAS_HAND(layer, symbol, function) Alias{#layer, #symbol, #function},
constexpr Alias all_aliases[] = {
#include "api/rows.def"
};

constexpr std::string_view all_watched[] = {
#define WATCHED(symbol) #symbol,
#include "api/watched.def"
#undef WATCHED
#define COMMUNICATION(symbol, ...) std::string_view(#symbol), std::string_view("P" #symbol),
#include "api/communication.def"
#undef COMMUNICATION
#define MEETING(symbol, ...) std::string_view(#symbol), std::string_view("P" #symbol),
#include "api/meetings.def"
#undef MEETING
#define FORTRAN(name) std::string_view(#name "_"), std::string_view(#name "_f08_"),
#include "api/fortran.def"
#undef FORTRAN
};

constexpr std::string_view all_layers[] = {"posix", "stdio", "mpiio", "mpi", "hdf5"};

struct KindText {
  std::string_view name, meaning;
};
constexpr KindText kind_texts[] = {
#define KIND(name, meaning) {#name, meaning},
    REFRAIN_KINDS(KIND)
#undef KIND
};

}  // namespace

std::span<const Row> rows() { return all_rows; }
std::span<const Alias> aliases() { return all_aliases; }
std::span<const std::string_view> watched() { return all_watched; }
std::span<const std::string_view> layers() { return all_layers; }
std::string_view kind_name(Kind kind) { return kind_texts[static_cast<size_t>(kind)].name; }
std::string_view kind_meaning(Kind kind) { return kind_texts[static_cast<size_t>(kind)].meaning; }

}  // namespace refrain::api
