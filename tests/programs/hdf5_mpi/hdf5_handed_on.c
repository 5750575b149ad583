/* Four ranks write one file, one after another, and then once more: who is done sends a message to the next.
 * Each writes another amount, so that where things lie in the file depends on the order, which is that of the
 * ranks or, with `down`, the opposite. With `more` the file is there, and all add to it. With `beside`, all
 * ranks also write a file together through MPI-IO, before and after that; lists of properties are made for
 * every opening. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { in_group = 4, rounds = 3 };
static double data[10000];

static hid_t good(hid_t id) {
  if (id < 0) MPI_Abort(MPI_COMM_WORLD, 1);
  return id;
}

static void write_part(hid_t file, int rank, int round) {
  char name[64];
  snprintf(name, sizeof name, "part_%d_%d", round, rank);
  hid_t group = good(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  for (int i = 0; i <= rank; ++i) {
    hid_t space = good(H5Screate_simple(1, (hsize_t[]){(hsize_t)(17 * rank + 100 * i + 1)}, NULL));
    snprintf(name, sizeof name, "values_%d", i);
    hid_t set =
        good(H5Dcreate2(group, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    good(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    H5Dclose(set);
    H5Sclose(space);
  }
  H5Gclose(group);
}

/* A list of properties of a file that one rank opens, or all together. */
static hid_t properties(int together) {
  hid_t list = good(H5Pcreate(H5P_FILE_ACCESS));
  if (together) good(H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL));
  hid_t copy = good(H5Pcopy(list));
  H5Pclose(list);
  return copy;
}

static void write_together(const char* name) {
  hid_t list = properties(1);
  H5Fclose(good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list)));
  H5Pclose(list);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0, baton = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int first = rank / in_group * in_group, last = first + in_group < size ? first + in_group - 1 : size - 1;
  int down = argc > 1 && strcmp(argv[1], "down") == 0, more = argc > 1 && strcmp(argv[1], "more") == 0;
  int beside = argc > 1 && strcmp(argv[1], "beside") == 0;
  int step = down ? -1 : 1, begin = down ? last : first, end = down ? first : last;
  char name[32];
  snprintf(name, sizeof name, "dump_%d.h5", rank / in_group);
  if (beside) write_together("before.h5");
  for (int round = 0; round < rounds; ++round) {
    if (rank != begin)
      MPI_Recv(&baton, 1, MPI_INT, rank - step, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (round > 0 && begin != end)
      MPI_Recv(&baton, 1, MPI_INT, end, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    hid_t list = beside ? properties(0) : H5P_DEFAULT;
    hid_t file =
        good(rank == begin && round == 0 && !more ? H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)
                                                  : H5Fopen(name, H5F_ACC_RDWR, list));
    write_part(file, rank, more ? rounds + round : round);
    H5Fclose(file);
    if (beside) H5Pclose(list);
    if (rank != end)
      MPI_Send(&baton, 1, MPI_INT, rank + step, round, MPI_COMM_WORLD);
    else if (round + 1 < rounds && begin != end)
      MPI_Send(&baton, 1, MPI_INT, begin, round + 1, MPI_COMM_WORLD);
  }
  if (beside) write_together("after.h5");
  MPI_Finalize();
  return 0;
}
