// The gate's hooks of layer mpiio. Every function has two symbols: tools define the first and call the
// second, Fortran enters through the second. The outermost call waits, before it meets other ranks; what MPI
// does inside never does.
#include "api/mpi/words.hpp"
#include "gate/entries.hpp"

namespace refrain::gate {
using namespace mpi_words;  // what the types of rows are here

#define RF_GATE_MPI_SYMBOL(function, symbol, role, result, ...)                                            \
  RF_REAL(symbol, type_##function)                                                                         \
  RF_HOOK RF_RESULT_TYPE result hook_##symbol(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) RF_SYMBOL(symbol); \
  RF_RESULT_TYPE result hook_##symbol(RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)) {                          \
    return intercept<RowId::mpiio_##function, Role::role>(                                                 \
        real_##symbol(), RF_SITE, RF_FRAME __VA_OPT__(, ) RF_LIST(RF_ARG_NAME, __VA_ARGS__));              \
  }
#define GATE_mpiio(name, role, result, ...)                                     \
  using type_##name = RF_RESULT_TYPE result(RF_LIST(RF_ARG_TYPE, __VA_ARGS__)); \
  RF_GATE_MPI_SYMBOL(name, name, role, result, __VA_ARGS__)                     \
  RF_GATE_MPI_SYMBOL(name, P##name, role, result, __VA_ARGS__)
#include "gate/hooks.def"

}  // namespace refrain::gate
