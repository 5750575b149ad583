// The hooks of the layers mpiio and mpi: those that follow from their rows, and beginning and end of MPI by
// hand.
#include "api/mpi/words.hpp"
#include "record/in_place.hpp"
#include "record/mpi_call.hpp"
#include "record/mpi_real.hpp"
#include "record/mpi_transfer.hpp"
#include "record/process_end.hpp"

namespace refrain::record {
using namespace mpi_words;  // what the types of rows are here
namespace {

RF_OWN_MPI(MPI_Comm_rank, int(uint64_t, int*))
RF_OWN_MPI(MPI_Comm_size, int(uint64_t, int*))
RF_OWN_MPI(MPI_Comm_get_parent, int(uint64_t*))

template <api::RowId id>
constexpr MpiRow mpi_row{id, RowOf<id>::kinds.data() + 1, api::traits_of_row<id>};

/// Rank and size in MPI_COMM_WORLD, whatever the launcher put into the environment. A spawned process has a
/// world of its own, whose ranks are not those of the job that is recorded.
void note_own_rank() {
  const api::MpiLibrary* library = mpi_library();
  if (library == nullptr) return;
  uint64_t world = own_predefined(*library, "MPI_COMM_WORLD");
  uint64_t nobody = own_predefined(*library, "MPI_COMM_NULL");
  int rank = 0, size = 0;
  uint64_t parent = nobody;
  if (own_MPI_Comm_rank()(world, &rank) != 0 || own_MPI_Comm_size()(world, &size) != 0) return;
  own_MPI_Comm_get_parent()(&parent);
  bool spawned = parent != nobody;
  set_world(spawned ? -1 : rank, spawned ? 0 : size);
  if (!spawned) after_mpi_init(static_cast<uint32_t>(rank), static_cast<uint32_t>(size));
}

/// What MPI does to start up is not the application's I/O.
template <class... A>
int start_mpi(const MpiRow& row, int (*real)(A...), const void* site, const char* frame, A... arguments) {
  Lane* lane = enter(frame);
  if (lane == nullptr || lane->inside_mpi) return real(arguments...);
  const uint64_t words[] = {word_of(arguments)..., 0};
  const api::MpiLibrary* library = mpi_library();
  static constexpr api::MpiLibrary any{};  // nothing about handles is in these rows
  MpiCall call(*lane, library != nullptr ? *library : any, row, words, sizeof...(A), site);
  Quiet quiet(*lane);
  before_mpi_init();
  bool outer = lane->depth == 0;
  uint64_t start = ticks();
  int result = real(arguments...);
  uint64_t end = ticks();
  Busy busy(*lane, frame);
  if (result == 0) note_own_rank();
  if (call.before() == MpiCall::Plan::record) call.after(result, outer, start, end);
  return result;
}

/// Makes the call on behalf of its row, the short way if there is one.
template <api::RowId id, class... A>
inline int intercept_row(const MpiRow& row, int (*real)(A...), const void* site, const char* frame,
                         A... arguments) {
  if constexpr (MpiTransfer<id>::fits()) {
    OwnStatus own;
    const api::MpiLibrary* library = mpi_library();
    return intercept_transfer<id>(library, row, real, site, frame, own.in_place_of(library, arguments)...);
  } else {
    return intercept_mpi(row, real, site, frame, arguments...);
  }
}

/// Emits the event of a call after which there may be no chance to.
template <class... A>
void record_ahead(Lane& lane, const api::MpiLibrary& library, const MpiRow& row, const void* site,
                  const char* frame, A... arguments) {
  const uint64_t words[] = {word_of(arguments)..., 0};
  Busy busy(lane, frame);
  MpiCall(lane, library, row, words, sizeof...(A), site).emit_ahead();
}

/// The event stands before the end it records, so that it is part of what the ranks merge there.
int finish_mpi(int (*real)(), const void* site, const char* frame) {
  Lane* lane = enter(frame);
  if (lane == nullptr || lane->inside_mpi) return real();
  static constexpr api::MpiLibrary any{};
  record_ahead(*lane, any, mpi_row<api::RowId::mpi_MPI_Finalize>, site, frame);
  merge_in_place(*lane, frame);
  Quiet quiet(*lane);
  return real();
}

int abort_mpi(int (*real)(MPI_Comm, int), const void* site, const char* frame, MPI_Comm comm, int code) {
  Lane* lane = enter(frame);
  if (lane == nullptr || lane->inside_mpi) return real(comm, code);
  if (const api::MpiLibrary* library = mpi_library())
    record_ahead(*lane, *library, mpi_row<api::RowId::mpi_MPI_Abort>, site, frame, comm, code);
  before_abort();
  Quiet quiet(*lane);
  return real(comm, code);
}

void note_address(int64_t address, const char* frame) {
  Lane* lane = enter(frame);
  if (lane == nullptr || lane->inside_mpi) return;
  Busy busy(*lane, frame);
  try {
    lane->asked_addresses.add(address);
  } catch (const std::exception&) {
    lane->header().lost_unknown.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace

#define RF_MPI_SYMBOL(function, symbol, type, declarations, call)       \
  RF_LIBRARY_REAL(symbol, type)                                         \
  RF_HOOK int hook_##symbol declarations RF_SYMBOL(symbol);             \
  int hook_##symbol declarations {                                      \
    [[maybe_unused]] const MpiRow& row = mpi_row<api::RowId::function>; \
    [[maybe_unused]] auto real = real_##symbol();                       \
    return call;                                                        \
  }
// Every function has two symbols. Tools define the first and call the second, Fortran enters through the
// second.
#define RF_MPI_HOOK(layer, name, group, result, ...)                                                \
  using type_##name = int(RF_LIST(RF_ARG_TYPE, __VA_ARGS__));                                       \
  RF_MPI_SYMBOL(layer##_##name, name, type_##name, (RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)),      \
                intercept_row<api::RowId::layer##_##name>(                                          \
                    row, real, RF_SITE, RF_FRAME __VA_OPT__(, ) RF_LIST(RF_ARG_NAME, __VA_ARGS__))) \
  RF_MPI_SYMBOL(layer##_##name, P##name, type_##name, (RF_LIST(RF_ARG_DECLARATION, __VA_ARGS__)),   \
                intercept_row<api::RowId::layer##_##name>(                                          \
                    row, real, RF_SITE, RF_FRAME __VA_OPT__(, ) RF_LIST(RF_ARG_NAME, __VA_ARGS__)))

#define API(layer, name, ...) RF_MPI_HOOK(layer, name, __VA_ARGS__)
#include "api/mpi/large_rows.def"
#include "api/mpi/rows.def"
#include "api/mpiio/large_rows.def"
#include "api/mpiio/rows.def"
#include "api/undefine_rows.def"

#define RF_BOTH_SYMBOLS(name, type, declarations, call)     \
  RF_MPI_SYMBOL(mpi_##name, name, type, declarations, call) \
  RF_MPI_SYMBOL(mpi_##name, P##name, type, declarations, call)
RF_BOTH_SYMBOLS(MPI_Init, int(int*, char***), (int* argc, char*** argv),
                start_mpi(row, real, RF_SITE, RF_FRAME, argc, argv))
RF_BOTH_SYMBOLS(MPI_Init_thread, int(int*, char***, int, int*),
                (int* argc, char*** argv, int required, int* provided),
                start_mpi(row, real, RF_SITE, RF_FRAME, argc, argv, required, provided))
RF_BOTH_SYMBOLS(MPI_Finalize, int(), (), finish_mpi(real, RF_SITE, RF_FRAME))
RF_BOTH_SYMBOLS(MPI_Abort, int(MPI_Comm, int), (MPI_Comm comm, int code),
                abort_mpi(real, RF_SITE, RF_FRAME, comm, code))

// What datatypes over memory are made of; see mpi_addresses.hpp.
#define RF_ADDRESS(symbol)                                                           \
  RF_LIBRARY_REAL(symbol, int(const void*, MPI_Aint*))                               \
  RF_HOOK int hook_##symbol(const void* place, MPI_Aint* address) RF_SYMBOL(symbol); \
  int hook_##symbol(const void* place, MPI_Aint* address) {                          \
    int result = real_##symbol()(place, address);                                    \
    if (result == 0) note_address(reinterpret_cast<int64_t>(place), RF_FRAME);       \
    return result;                                                                   \
  }
RF_ADDRESS(MPI_Get_address)
RF_ADDRESS(PMPI_Get_address)

#define API_ALIAS(layer, symbol, function) \
  RF_ALIAS_HOOK(symbol, function) RF_ALIAS_HOOK(P##symbol, P##function)
#include "api/mpi/rows.def"
#include "api/mpiio/rows.def"
#include "api/undefine_rows.def"

}  // namespace refrain::record
