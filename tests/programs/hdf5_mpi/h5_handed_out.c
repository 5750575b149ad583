// HDF5 hands out copies of the communicator and the info object that it was given. The program uses and frees
// them.
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call) checked((long long)(call), #call)
static hid_t checked(long long result, const char* call) {
  if (result < 0) {
    fprintf(stderr, "%s failed\n", call);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return (hid_t)result;
}

int main(int argc, char** argv) {
  MPI_Info info = MPI_INFO_NULL, infos[2];
  MPI_Comm comms[2];
  MPI_File file = MPI_FILE_NULL;
  MPI_Init(&argc, &argv);
  MPI_Info_create(&info);
  MPI_Info_set(info, "striping_unit", "65536");
  hid_t list = MUST(H5Pcreate(H5P_FILE_ACCESS));
  MUST(H5Pset_fapl_mpio(list, MPI_COMM_WORLD, info));
  MPI_Info_free(&info);
  for (int i = 0; i < 2; ++i) MUST(H5Pget_fapl_mpio(list, &comms[i], &infos[i]));
  MUST(H5Pget_fapl_mpio(list, NULL, NULL));
  MPI_File_open(comms[1], "common", MPI_MODE_CREATE | MPI_MODE_WRONLY, infos[1], &file);
  MPI_File_close(&file);
  for (int i = 0; i < 2; ++i) {
    MPI_Comm_free(&comms[i]);
    MPI_Info_free(&infos[i]);
  }
  // Without an info object, there is none to be handed out.
  MUST(H5Pset_fapl_mpio(list, MPI_COMM_SELF, MPI_INFO_NULL));
  MUST(H5Pget_fapl_mpio(list, &comms[0], &infos[0]));
  MPI_Comm_free(&comms[0]);
  MUST(H5Pclose(list));
  MPI_Finalize();
  return 0;
}
