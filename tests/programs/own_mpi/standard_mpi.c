/* A library with the MPI standard's binary interface, for one process, if LIBRARY is defined; otherwise a
 * program that uses it. Every function has both of its symbols, as in any MPI library. */
#include "standard_mpi.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef LIBRARY
#define BOTH(name, declarations, call) \
  int P##name declarations;            \
  int name declarations { return P##name call; }
#define FUNCTION(name, declarations, call) BOTH(name, declarations, call) int P##name declarations

struct datatype {
  int size;
};
struct file {
  int fd;
};
static int begun, ended;

static int size_of(MPI_Datatype type) {
  return type == MPI_BYTE ? 1 : type == MPI_DOUBLE ? 8 : (intptr_t)type < 0x1000 ? 4 : type->size;
}

FUNCTION(MPI_Get_library_version, (char* version, int* length), (version, length)) {
  strcpy(version, "MPICH Version: 5.0, by its words");
  *length = (int)strlen(version);
  return 0;
}
FUNCTION(MPI_Init, (int* argc, char*** argv), (argc, argv)) { return (void)argc, (void)argv, begun = 1, 0; }
FUNCTION(MPI_Finalize, (void), ()) { return ended = 1, 0; }
FUNCTION(MPI_Initialized, (int* flag), (flag)) { return *flag = begun, 0; }
FUNCTION(MPI_Finalized, (int* flag), (flag)) { return *flag = ended, 0; }
FUNCTION(MPI_Comm_rank, (MPI_Comm comm, int* rank), (comm, rank)) { return (void)comm, *rank = 0, 0; }
FUNCTION(MPI_Comm_size, (MPI_Comm comm, int* size), (comm, size)) { return (void)comm, *size = 1, 0; }
FUNCTION(MPI_Comm_get_parent, (MPI_Comm * parent), (parent)) { return *parent = MPI_COMM_NULL, 0; }
FUNCTION(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made)) { return *made = comm, 0; }
FUNCTION(MPI_Barrier, (MPI_Comm comm), (comm)) { return (void)comm, 0; }
FUNCTION(MPI_Allreduce, (const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
         (mine, all, count, type, op, comm)) {
  (void)op, (void)comm;
  memcpy(all, mine, (size_t)count * (size_t)size_of(type));
  return 0;
}
FUNCTION(MPI_Abort, (MPI_Comm comm, int code), (comm, code)) { return (void)comm, _exit(code), 0; }
FUNCTION(MPI_Error_class, (int code, int* class), (code, class)) { return *class = code & 0xff, 0; }
FUNCTION(MPI_Error_string, (int code, char* text, int* length), (code, text, length)) {
  *length = sprintf(text, "error %d", code);
  return 0;
}
FUNCTION(MPI_Type_size, (MPI_Datatype type, int* size), (type, size)) { return *size = size_of(type), 0; }
FUNCTION(MPI_Type_get_extent, (MPI_Datatype type, MPI_Aint* low, MPI_Aint* extent), (type, low, extent)) {
  return *low = 0, *extent = size_of(type), 0;
}
FUNCTION(MPI_Type_get_true_extent, (MPI_Datatype type, MPI_Aint* low, MPI_Aint* extent),
         (type, low, extent)) {
  return *low = 0, *extent = size_of(type), 0;
}
FUNCTION(MPI_Type_contiguous, (int count, MPI_Datatype type, MPI_Datatype* made), (count, type, made)) {
  *made = malloc(sizeof **made);
  (*made)->size = count * size_of(type);
  return 0;
}
FUNCTION(MPI_Type_commit, (MPI_Datatype * type), (type)) { return (void)type, 0; }
FUNCTION(MPI_Type_free, (MPI_Datatype * type), (type)) { return free(*type), *type = NULL, 0; }
FUNCTION(MPI_Get_elements_x, (const MPI_Status* status, MPI_Datatype type, MPI_Count* count),
         (status, type, count)) {
  return (void)type, *count = status->internal[3], 0;
}
FUNCTION(MPI_Status_set_elements_x, (MPI_Status * status, MPI_Datatype type, MPI_Count count),
         (status, type, count)) {
  return (void)type, status->internal[3] = (int)count, 0;
}
FUNCTION(MPI_File_open, (MPI_Comm comm, const char* name, int amode, MPI_Info info, MPI_File* file),
         (comm, name, amode, info, file)) {
  (void)comm, (void)info;
  int fd =
      open(name, (amode & MPI_MODE_CREATE ? O_CREAT : 0) | (amode & MPI_MODE_RDWR ? O_RDWR : O_RDONLY), 0644);
  if (fd < 0) return 0x100 + MPI_ERR_NO_SUCH_FILE;
  *file = malloc(sizeof **file);
  (*file)->fd = fd;
  return 0;
}
static int moved(MPI_Status* status, ssize_t bytes) {
  if (bytes < 0) return 0x100 + MPI_ERR_IO;
  if (status) status->internal[3] = (int)bytes;
  return 0;
}
FUNCTION(MPI_File_write_at,
         (MPI_File file, MPI_Offset at, const void* data, int count, MPI_Datatype type, MPI_Status* status),
         (file, at, data, count, type, status)) {
  return moved(status, pwrite(file->fd, data, (size_t)count * (size_t)size_of(type), at));
}
FUNCTION(MPI_File_read_at,
         (MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type, MPI_Status* status),
         (file, at, data, count, type, status)) {
  return moved(status, pread(file->fd, data, (size_t)count * (size_t)size_of(type), at));
}
/* Knows only the view of all that is there. */
FUNCTION(MPI_File_set_view,
         (MPI_File file, MPI_Offset at, MPI_Datatype element, MPI_Datatype type, const char* data,
          MPI_Info info),
         (file, at, element, type, data, info)) {
  (void)file, (void)element, (void)type, (void)data, (void)info;
  return at == MPI_DISPLACEMENT_CURRENT ? 0 : 0x100 + MPI_ERR_IO;
}
FUNCTION(MPI_File_close, (MPI_File * file), (file)) {
  int result = close((*file)->fd);
  free(*file);
  *file = MPI_FILE_NULL;
  return result;
}
#else
int main(int argc, char** argv) {
  MPI_File file;
  MPI_Datatype pair;
  double data[4] = {1, 2, 3, 4};
  MPI_Init(&argc, &argv);
  if (MPI_File_open(MPI_COMM_WORLD, "absent", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == 0) return 1;
  if (MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != 0)
    return 1;
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  for (int i = 0; i < 4; ++i) MPI_File_write_at(file, 32 * i, data, 2, pair, MPI_STATUS_IGNORE);
  MPI_Status status;
  MPI_File_read_at(file, 96, data, 4, pair, &status); /* half of it is there */
  MPI_File_write_at(file, 128, "refrain", 8, MPI_BYTE, &status);
  MPI_Type_free(&pair);
  if (MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL) != 0)
    return 1;
  MPI_File_close(&file);
  return MPI_Finalize();
}
#endif
