/* Objects that MPI gives out again while they are held, as it counts them: groups and error handlers. Each
 * time is freed by itself, in one order or another, and the object is used in between. */
#include <mpi.h>
#include <stdio.h>

enum { times = 5 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group groups[times], part;
  MPI_Comm comm;
  for (int i = 0; i < times; ++i) MPI_Comm_group(MPI_COMM_WORLD, &groups[i]);
  MPI_Group_free(&groups[0]);
  MPI_Group_incl(groups[1], 1, (int[]){0}, &part);
  MPI_Group_free(&groups[3]);
  MPI_Comm_create(MPI_COMM_WORLD, part, &comm);
  MPI_Comm_group(MPI_COMM_WORLD, &groups[0]);
  MPI_Group_free(&groups[4]);
  MPI_Group_free(&groups[1]);
  MPI_Group_free(&part);
  if (comm != MPI_COMM_NULL) {
    MPI_File file;
    MPI_Errhandler first, second;
    MPI_File_open(comm, "held.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_Comm_get_errhandler(comm, &first);
    MPI_Comm_get_errhandler(comm, &second);
    MPI_Errhandler_free(&first);
    MPI_File_write_at(file, 0, "held", 4, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_Errhandler_free(&second);
    MPI_File_close(&file);
    MPI_Comm_free(&comm);
  }
  MPI_Group_free(&groups[2]);
  MPI_Group_free(&groups[0]);
  MPI_Finalize();
  puts("done");
  return 0;
}
