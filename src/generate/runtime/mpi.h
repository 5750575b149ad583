// Calls of MPI: checking them, waiting for data, lists of handles, stand-ins for functions of the
// application, and what a program derives from the number of ranks.
#include <mpi.h>  // MPI* PMPI*
static int mpi_on;
static inline void mpi_abandon(void) {
  if (mpi_on) MPI_Abort(MPI_COMM_WORLD, 1);
}
static inline void mpi_code(enum layer layer, int result, const char* call) {
  char reason[MPI_MAX_ERROR_STRING] = "";
  int length;
  if (!ended(layer, result != MPI_SUCCESS)) return;
  if (mpi_on) MPI_Error_string(result, reason, &length);
  stop(call, reason);
}
/* Libraries that don't tell how much they read leave what is in the status. */
static _Thread_local MPI_Status read_status;
static inline void mpi_expect(long long bytes) {
  quiet(1);
  MPI_Status_set_elements_x(&read_status, MPI_BYTE, bytes);
  quiet(0);
  expect(bytes);
}
static inline void mpi_brought(int result, const char* call) {
  MPI_Count bytes = 0;
  last_end = now();
  quiet(1);
  if (result == MPI_SUCCESS) MPI_Get_elements_x(&read_status, MPI_BYTE, &bytes);
  quiet(0);
  began += now() - last_end; /* this was no part of the call */
  to_read = bytes > 0 ? bytes : 0;
  if (result == MPI_SUCCESS) compared(to_read, call);
  mpi_code(mpiio, result, call);
}
/* Memory for elements of a type, wherever in them its data is. */
static inline char* mpi_room(char* (*memory)(long long), long long count, MPI_Datatype type,
                             long long* bytes) {
  MPI_Aint low, extent, true_low, true_extent;
  int size;
  MPI_Type_get_extent(type, &low, &extent);
  MPI_Type_get_true_extent(type, &true_low, &true_extent);
  MPI_Type_size(type, &size);
  *bytes = count > 0 ? count * size : 0;
  long long before = true_low < 0 ? -true_low : 0, turns = count > 0 ? count - 1 : 0;
  if (extent < 0) before += turns * -extent;
  long long all = before + true_low + true_extent + turns * (extent > 0 ? extent : 0);
  return memory(all > 0 ? all : 0) + before;
}
static inline char* mpi_memory_in(long long n) { return in(n); }
static inline char* mpi_memory_out(long long n) { return out(n); }
static inline void* mpi_in(long long count, MPI_Datatype type) {
  return mpi_room(mpi_memory_in, count, type, &to_read);
}
static inline void* mpi_out(long long count, MPI_Datatype type) {
  return mpi_room(mpi_memory_out, count, type, &to_write);
}
/* Each process is alone where the launcher is another MPI library's. */
static inline void check_launcher(int all) {
  const struct Launcher* started_by = own_launcher();
  long long started = started_by ? launcher_number(started_by->size) : 0;
  if (all > 1 || started <= 1) return;
  quiet(1);
  if (launcher_number(started_by->rank) == 0)
    dprintf(errors,
            KERNEL
            ": the launcher started %lld processes, but MPI sees one: it is not the launcher of the MPI "
            "library that this kernel was built with; build it with the launcher's mpicc\n",
            started);
  else
    sleep(1); /* a launcher may end everything when the first process ends */
  MPI_Finalize();
  exit(2);
}
/* Once MPI has started: who we are, and whether we are as many as the kernel was made for. */
static inline void kernel_ranks(void) {
  int me, all;
  mpi_on = 1;
  abandon = mpi_abandon;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  check_launcher(all);
  rank = me;
  nprocs = all;
  if (RANKS == 0 || nprocs == RANKS) return; /* 0: any number */
  quiet(1);
  if (rank == 0)
    dprintf(errors,
            KERNEL ": this kernel was made for %d ranks and can't run on %lld; start it with mpirun -n %d\n",
            RANKS, nprocs, RANKS);
  MPI_Finalize();
  exit(2);
}
/* Beginning and end of MPI where they are not among the recorded calls of this rank. */
static inline void mpi_quietly_on(void) {
  if (mpi_on) return;
  quiet(1);
  MPI_Init(NULL, NULL);
  quiet(0);
  kernel_ranks();
}
static inline void mpi_quietly_off(void) {
  int ended = 0;
  quiet(1);
  MPI_Finalized(&ended);
  if (!ended) MPI_Finalize();
}
/* Waits for data as data_there does; offsets are those of the view. */
static inline long long mpi_data_there(MPI_File file, long long at, long long bytes) {
  MPI_Offset position = at, begin = 0, size = 0;
  quiet(1);
  if (at < 0) MPI_File_get_position(file, &position);
  MPI_File_get_byte_offset(file, position, &begin);
  for (double end = now() + patience_for_files; bytes > 0 && !tired;) {
    if (MPI_File_get_size(file, &size) != MPI_SUCCESS || size >= begin + bytes) break;
    nap_until(end);
  }
  quiet(0);
  return bytes;
}
/* What the program derives from the number of ranks. */
static inline long long quotient_of(long long a, long long b) {
  if (b == 0) return 0;
  return b == -1 ? (long long)(0 - (unsigned long long)a) : a / b;
}
static inline long long remainder_of(long long a, long long b) { return b == 0 || b == -1 ? 0 : a % b; }
static inline long long root_of(long long a, int degree) {
  long long low = 0, high = degree == 2 ? 3037000500 : 2097152;
  while (a >= 1 && high - low > 1) {
    long long middle = low + (high - low) / 2, rest = a / middle;
    if (degree == 3) rest /= middle;
    if (middle > rest)
      high = middle;
    else
      low = middle;
  }
  return low;
}
static inline long long logarithm_of(long long a) {
  long long n = 0;
  while (a > 1) a /= 2, ++n;
  return n;
}
static inline long long largest_divisor(long long a, long long most) {
  long long best = 0;
  for (long long d = 1; d * d <= a; ++d) {
    if (a % d != 0) continue;
    if (d <= most && d > best) best = d;
    if (a / d <= most && a / d > best) best = a / d;
  }
  return best;
}
/* The grid of MPI_Dims_create. */
static inline long long extent_of(long long ranks, int dimensions, int i) {
  static _Thread_local struct {
    long long of;
    int extents[4];
  } known[4];
  if (known[dimensions].of != ranks) {
    for (int d = 0; d < 4; ++d) known[dimensions].extents[d] = 0;
    PMPI_Dims_create((int)ranks, dimensions, known[dimensions].extents);
    known[dimensions].of = ranks;
  }
  return known[dimensions].extents[i];
}
/* Requests by number, as the list that MPI takes. */
#define pick(all, ...) pick_of(all, sizeof(all) / sizeof *(all), __VA_ARGS__)
static inline MPI_Request* pick_of(const MPI_Request* all, size_t known, long long count,
                                   const long long* which) {
  MPI_Request* list = scratch((count + 1) * (long long)sizeof *list);
  for (long long i = 0; i < count; ++i)
    list[i] = which[i] < 0 ? MPI_REQUEST_NULL : all[slot_of(which[i], (long long)known)];
  return list;
}
/* Datatypes likewise. */
#define pick_types(all, ...) pick_types_of(all, sizeof(all) / sizeof *(all), __VA_ARGS__)
static inline MPI_Datatype* pick_types_of(const MPI_Datatype* all, size_t known, long long count,
                                          const long long* which) {
  MPI_Datatype* list = scratch((count + 1) * (long long)sizeof *list);
  for (long long i = 0; i < count; ++i) list[i] = all[slot_of(which[i], (long long)known)];
  return list;
}
static inline void no_operation(void* a, void* b, int* n, MPI_Datatype* type) {
  (void)a, (void)b, (void)n, (void)type;
}
static inline void no_comm_handler(MPI_Comm* comm, int* error, ...) { (void)comm, (void)error; }
static inline void no_file_handler(MPI_File* file, int* error, ...) { (void)file, (void)error; }
static inline int made_in_time(int result, MPI_Request* request) {
  quiet(1);
  if (result == MPI_SUCCESS) MPI_Wait(request, MPI_STATUS_IGNORE);
  quiet(0);
  return result;
}
static inline int comm_idup(MPI_Comm comm, MPI_Comm* made) {
  MPI_Request request;
  int result = MPI_Comm_idup(comm, made, &request);
  return made_in_time(result, &request);
}
static inline int comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
  MPI_Request request;
  int result = MPI_Comm_idup_with_info(comm, info, made, &request);
  return made_in_time(result, &request);
}
static inline int no_conversion(void* a, MPI_Datatype type, int count, void* b, MPI_Offset at, void* extra) {
  return (void)a, (void)type, (void)count, (void)b, (void)at, (void)extra, MPI_SUCCESS;
}
static inline int no_extent(MPI_Datatype type, MPI_Aint* extent, void* extra) {
  return (void)type, (void)extent, (void)extra, MPI_SUCCESS;
}
