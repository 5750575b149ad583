/* An MPI library that nobody knows, as far as unknown_mpi.c needs it. */
struct object;
typedef struct object* MPI_Comm;
typedef struct object* MPI_File;
typedef struct object* MPI_Info;
typedef struct object* MPI_Datatype;
typedef struct object* MPI_Status;

int MPI_Init(int* argc, char*** argv);
int MPI_Finalize(void);
int MPI_Get_library_version(char* version, int* length);
int MPI_File_open(MPI_Comm comm, const char* name, int amode, MPI_Info info, MPI_File* file);
int MPI_File_write_at(MPI_File file, long offset, const void* data, int count, MPI_Datatype type,
                      MPI_Status* status);
int MPI_File_close(MPI_File* file);
