// Names of MPI's flags, enumerators and error classes; see mpi_names.def.
#include "api/mpi_names.hpp"

#include <algorithm>

#include "api/name_table.hpp"

namespace refrain::api {
namespace {

constexpr Name all_mpi_names[] = {
#define MPI_FLAG(kind, name, value) flag_name(#name, value),
#define MPI_CASE(kind, name, value) case_name(#name, value),
#include "api/mpi_names.def"
};

constexpr Kind kinds[] = {
#define MPI_FLAG(kind, name, value) Kind::kind,
#define MPI_CASE(kind, name, value) Kind::kind,
#include "api/mpi_names.def"
};

/// What a call tells has the names of what it takes.
Kind given(Kind kind) {
  if (kind == Kind::out_amode) return Kind::amode;
  return kind == Kind::out_thread_level ? Kind::thread_level : kind;
}

}  // namespace

std::span<const Name> mpi_names_of(Kind kind) {
  auto first = std::find(std::begin(kinds), std::end(kinds), given(kind));
  auto end = std::find_if(first, std::end(kinds), [&](Kind k) { return k != given(kind); });
  return std::span(all_mpi_names)
      .subspan(static_cast<size_t>(first - kinds), static_cast<size_t>(end - first));
}

std::string mpi_error_name(int error_class) {
  for (const Name& name : mpi_names_of(Kind::mpi_error))
    if (static_cast<int>(name.value) == error_class) return std::string(name.text);
  return "MPI error " + std::to_string(error_class);
}

}  // namespace refrain::api
