/* A program with an MPI library that Refrain has no table of, which is part of it if LIBRARY is defined, and
 * otherwise what uses it. Whoever looked behind its handles would crash: they are not addresses. */
#include "unknown_mpi.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#ifdef LIBRARY
int MPI_Init(int* argc, char*** argv) { return (void)argc, (void)argv, 0; }
int MPI_Finalize(void) { return 0; }
int PMPI_Get_library_version(char* version, int* length) {
  strcpy(version, "Nobody's MPI 1.0");
  *length = (int)strlen(version);
  return 0;
}
int MPI_Get_library_version(char* version, int* length) { return PMPI_Get_library_version(version, length); }
int MPI_File_open(MPI_Comm comm, const char* name, int amode, MPI_Info info, MPI_File* file) {
  (void)comm, (void)amode, (void)info;
  *file = (MPI_File)(long)(open(name, O_CREAT | O_RDWR, 0644) + 1);
  return 0;
}
int MPI_File_write_at(MPI_File file, long offset, const void* data, int count, MPI_Datatype type,
                      MPI_Status* status) {
  (void)type, (void)status;
  return pwrite((int)(long)file - 1, data, (size_t)count, offset) == count ? 0 : 1;
}
int MPI_File_close(MPI_File* file) { return close((int)(long)*file - 1); }
#else
int main(int argc, char** argv) {
  MPI_File file;
  MPI_Init(&argc, &argv);
  if (MPI_File_open((MPI_Comm)7L, "data", 9, (MPI_Info)3L, &file) != 0) return 1;
  for (int i = 0; i < 4; ++i)
    if (MPI_File_write_at(file, 8L * i, "refrain", 8, (MPI_Datatype)5L, (MPI_Status*)1L) != 0) return 1;
  MPI_File_close(&file);
  return MPI_Finalize();
}
#endif
