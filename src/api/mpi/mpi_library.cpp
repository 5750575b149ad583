// Joins the tables of MPI libraries with the names that traces have; see mpi_library.hpp.
#include "api/mpi/mpi_library.hpp"

#include <dlfcn.h>

#include "api/names.hpp"

namespace refrain::api {
namespace {

constexpr MpiHandleName handle_names[] = {
#define PREDEFINED(handle_class, name) {HandleClass::handle_class, #name},
#include "api/mpi/predefined.def"
#undef PREDEFINED
};

struct NamedPlace {
  std::string_view name;
  MpiLibrary::Place place;
};

/// Puts a library's places in the order of names.
template <size_t count>
constexpr auto in_order(const NamedPlace (&places)[count]) {
  std::array<MpiLibrary::Place, std::size(handle_names)> out{};
  for (const NamedPlace& named : places) {
    size_t i = 0;
    while (handle_names[i].name != named.name) ++i;  // doesn't compile if there is no such handle
    out[i] = named.place;
  }
  return out;
}

#define MPI_LIBRARY(id, ...) \
  namespace id {             \
  constexpr NamedPlace named_places[] = {
#define AT(name, variable) {#name, {#variable, 0, false}},
#define IS(name, value) {#name, {nullptr, value, true}},
#define MPI_LIBRARY_END                           \
  }                                               \
  ;                                               \
  constexpr auto places = in_order(named_places); \
  }
#include "api/mpi/libraries.def"

#define MPI_LIBRARY(id, ...) \
  namespace id {             \
  constexpr MpiLibrary::Constant constants[] = {
#define VALUE(kind, name, value) {Kind::kind, #name, value},
#define FLAG_VALUE(kind, name, value) {Kind::kind, #name, value, true},
#define MPI_LIBRARY_END \
  { Kind::end, {}, 0 }  \
  }                     \
  ;                     \
  }
#include "api/mpi/libraries.def"

#define MPI_LIBRARY(id, ...) \
  namespace id {             \
  constexpr MpiLibrary::Maker makers[] = {
#define MADE_BY(combiner, value, function) {value, RowId::mpi_##function},
#define MPI_LIBRARY_END \
  }                     \
  ;                     \
  }
#include "api/mpi/libraries.def"

constexpr MpiLibrary with(MpiLibrary library, std::span<const MpiLibrary::Place> places,
                          std::span<const MpiLibrary::Constant> constants,
                          std::span<const MpiLibrary::Maker> makers) {
  library.places = places;
  library.constants = constants.first(constants.size() - 1);
  library.makers = makers;
  return library;
}

constexpr MpiLibrary libraries[] = {
#define MPI_LIBRARY(id, ...) with({__VA_ARGS__}, id::places, id::constants, id::makers),
#include "api/mpi/libraries.def"
};

/// The number that names.def has for a constant.
int64_t number_named(const MpiLibrary::Constant& c) {
  return static_cast<int32_t>(value_of(c.kind, c.name).value_or(0));
}

struct Numbers {
  int64_t from, to;
};

template <class NumbersOf>
int64_t translate(std::span<const MpiLibrary::Constant> constants, Kind kind, int64_t value,
                  NumbersOf numbers_of) {
  int64_t flags = 0;
  if (Kind other = facts_of(kind).named_like; other != Kind::end) kind = other;
  for (const MpiLibrary::Constant& c : constants) {
    if (c.kind != kind) continue;
    auto [from, to] = numbers_of(c);
    if (!c.is_flag && from == value) return to;
    if (!c.is_flag || (value & from) == 0) continue;
    value &= ~from;
    flags |= to;
  }
  return value | flags;
}

}  // namespace

std::span<const MpiHandleName> mpi_handle_names() { return handle_names; }
std::span<const MpiLibrary> mpi_libraries() { return libraries; }

int64_t MpiLibrary::to_named(Kind kind, int64_t value) const {
  return translate(constants, kind, value, [](const Constant& c) {
    return Numbers{c.value, number_named(c)};
  });
}

int64_t MpiLibrary::from_named(Kind kind, int64_t value) const {
  return translate(constants, kind, value, [](const Constant& c) {
    return Numbers{number_named(c), c.value};
  });
}

const MpiLibrary* find_mpi_library(std::string_view version, std::string_view file) {
  if (auto slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
  for (const MpiLibrary& library : libraries)
    if (library.file != nullptr && file.starts_with(library.file)) return &library;
  for (const MpiLibrary& library : libraries)
    for (const char* words : library.says)
      if (words != nullptr && version.find(words) != std::string_view::npos) return &library;
  return nullptr;
}

MpiIdentity identify_mpi_library(int (*get_version)(char*, int*)) {
  static char version[16'384];  // more than any MPI_MAX_LIBRARY_VERSION_STRING; the same whoever asks
  int length = 0;
  get_version(version, &length);
  Dl_info info{};
  bool is_file = dladdr(reinterpret_cast<const void*>(get_version), &info) != 0 && info.dli_fname != nullptr;
  return {version, find_mpi_library(version, is_file ? info.dli_fname : "")};
}

}  // namespace refrain::api
