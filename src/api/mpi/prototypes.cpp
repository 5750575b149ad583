// Holds the rows of the layers mpiio and mpi, the table of communication and the table of a library against
// that library's mpi.h. Compiled for each that is here.
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "api/expand_rows.hpp"
#include "api/kinds.hpp"

namespace refrain::api {
namespace {

#define RF_CHECK(name, result, ...)                                                                     \
  [[maybe_unused]] constexpr RF_RESULT_TYPE result (*check_##name)(RF_LIST(RF_ARG_TYPE, __VA_ARGS__)) = \
      &::name;
#define API(layer, name, group, result, ...) RF_CHECK(name, result, __VA_ARGS__)
#define API_HAND(layer, name, group, result, ...) RF_CHECK(name, result, __VA_ARGS__)
#include "api/mpi/rows.def"
#include "api/mpiio/rows.def"
#if MPI_VERSION >= 4
#include "api/mpi/large_rows.def"
#include "api/mpiio/large_rows.def"
#endif
#include "api/undefine_rows.def"

template <class... A>
constexpr size_t arguments_of(int (*)(A...)) {
  return sizeof...(A);
}
#define COMMUNICATION(symbol, type, arguments) static_assert(arguments_of(&::symbol) == arguments);
#include "api/mpi/communication.def"
#undef COMMUNICATION
#define MEETING(symbol, arguments, communicator) static_assert(arguments_of(&::symbol) == arguments);
#include "api/mpi/meetings.def"
#undef MEETING

// The table of this library. One whose constants differ from names.def says so; its handles are compared by
// number, those of Open MPI by the variable whose address they are.
#ifdef OPEN_MPI
#define FLAG(kind, name, value, bits) static_assert(static_cast<int>(name) == value);
#define CASE(kind, name, value) static_assert(static_cast<int>(name) == value);
#include "api/mpi/names.def"
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) global
#define RF_STRING(x) RF_STRING_OF(x)
#define RF_STRING_OF(x) #x
#define AT(name, variable) static_assert(std::string_view(RF_STRING(name)) == #variable);
#define THIS_LIBRARY "api/mpi/open_mpi.def"
#else
// Pointers are no constants to the compiler. Numbers may be negative.
#define IS(name, value) \
  static_assert(!std::is_integral_v<decltype(name)> || ((uint64_t)(name)&0xffffffff) == value);
#define VALUE(kind, name, value) static_assert(static_cast<int>(name) == value);
#define FLAG_VALUE(kind, name, value) static_assert(static_cast<int>(name) == value);
#ifdef MPICH_VERSION
#define THIS_LIBRARY "api/mpi/mpich.def"
#else
#define THIS_LIBRARY "api/mpi/standard_abi.def"
#endif
#endif
#define MADE_BY(combiner, value, function) static_assert(combiner == value);
#define MPI_LIBRARY(...)
#define MPI_LIBRARY_END
#include THIS_LIBRARY

}  // namespace
}  // namespace refrain::api
