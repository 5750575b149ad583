/* The binary interface of the MPI standard (5.0), as far as a small program needs it: handles are pointers of
 * which the predefined ones have fixed values. */
#include <stdint.h>

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset;
typedef int64_t MPI_Count;
typedef struct {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int internal[5];
} MPI_Status;
typedef struct communicator* MPI_Comm;
typedef struct datatype* MPI_Datatype;
typedef struct file* MPI_File;
typedef struct info* MPI_Info;
typedef struct operation* MPI_Op;

#define MPI_COMM_NULL ((MPI_Comm)0x100)
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_FILE_NULL ((MPI_File)0x118)
#define MPI_INFO_NULL ((MPI_Info)0x130)
#define MPI_DOUBLE ((MPI_Datatype)0x214)
#define MPI_BYTE ((MPI_Datatype)0x247)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_DISPLACEMENT_CURRENT ((MPI_Offset)-1)
enum { MPI_MODE_CREATE = 2, MPI_MODE_RDONLY = 16, MPI_MODE_RDWR = 32 };
enum { MPI_ERR_NO_SUCH_FILE = 42, MPI_ERR_IO = 35 };

int MPI_Init(int* argc, char*** argv);
int MPI_Finalize(void);
int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype* made);
int MPI_Type_commit(MPI_Datatype* type);
int MPI_Type_free(MPI_Datatype* type);
int MPI_File_open(MPI_Comm comm, const char* name, int amode, MPI_Info info, MPI_File* file);
int MPI_File_write_at(MPI_File file, MPI_Offset at, const void* data, int count, MPI_Datatype type,
                      MPI_Status* status);
int MPI_File_read_at(MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type,
                     MPI_Status* status);
int MPI_File_set_view(MPI_File file, MPI_Offset at, MPI_Datatype element, MPI_Datatype type, const char* data,
                      MPI_Info info);
int MPI_File_close(MPI_File* file);
