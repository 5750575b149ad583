// Holds the rows of the layers mpiio and mpi, the table of communication and the numbers behind names against
// mpi.h. Compiled only where there is one.
#define OMPI_SKIP_MPICXX
#include <mpi.h>

#include <cstddef>
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

#define FLAG(kind, name, value, bits) static_assert(static_cast<int>(name) == value);
#define CASE(kind, name, value) static_assert(static_cast<int>(name) == value);
#include "api/mpi/names.def"

}  // namespace
}  // namespace refrain::api
