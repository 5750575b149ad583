static inline void no_operation(void* a, void* b, int* n, MPI_Datatype* type) {
  (void)a, (void)b, (void)n, (void)type;
}
static inline void no_comm_handler(MPI_Comm* comm, int* error, ...) { (void)comm, (void)error; }
static inline void no_file_handler(MPI_File* file, int* error, ...) { (void)file, (void)error; }
static inline int comm_idup(MPI_Comm comm, MPI_Comm* made) {
  MPI_Request request;
  int result = MPI_Comm_idup(comm, made, &request);
  quiet(1);
  if (result == MPI_SUCCESS) MPI_Wait(&request, MPI_STATUS_IGNORE);
  quiet(0);
  return result;
}
static inline int no_conversion(void* a, MPI_Datatype type, int count, void* b, MPI_Offset at, void* extra) {
  return (void)a, (void)type, (void)count, (void)b, (void)at, (void)extra, MPI_SUCCESS;
}
static inline int no_extent(MPI_Datatype type, MPI_Aint* extent, void* extra) {
  return (void)type, (void)extent, (void)extra, MPI_SUCCESS;
}
