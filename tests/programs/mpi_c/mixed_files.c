/* Data among much else: a log that is open all the time, a small input, files that aren't there, a folder,
 * checkpoints that are renamed when they are complete, one file of all ranks, and handles whose numbers
 * depend on all of that. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char data[1 << 16];

static void write_checkpoint(int step, int rank, FILE* log) {
  char name[64], temporary[80];
  snprintf(name, sizeof name, "out/ckpt_%d_%d", step, rank);
  snprintf(temporary, sizeof temporary, "%s.tmp", name);
  int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  int copy = dup(fd);
  int other = open("notes", O_WRONLY | O_CREAT | O_APPEND, 0644);
  for (int i = 0; i < 4 + step; ++i)
    if (write(i % 2 ? fd : copy, data, sizeof data) < 0) abort();
  if (write(other, data, 5) < 0) abort();
  fsync(fd);
  close(copy);
  close(fd);
  close(other);
  rename(temporary, name);
  fprintf(log, "step %d is in %s\n", step, name);
}

int main(int argc, char** argv) {
  int rank = 0, size = 0;
  struct stat info;
  const char* probed[] = {"lib/a.so", "lib/b.so", "missing.conf"};
  for (int i = 0; i < 3; ++i) (void)!stat(probed[i], &info);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) mkdir("out", 0755);
  if (rank == 0) mkdir("empty", 0755);
  MPI_Barrier(MPI_COMM_WORLD);
  char name[32];
  snprintf(name, sizeof name, "log.%d", rank);
  FILE* log = fopen(name, "w");
  FILE* input = fopen("input", "r");
  char line[100];
  while (fgets(line, sizeof line, input)) fputs(line, log);
  fclose(input);

  MPI_Comm half;
  MPI_Datatype type;
  MPI_File file, small;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Type_vector(4, 100, 100 * size, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  snprintf(name, sizeof name, "small.%d", rank % 2);
  MPI_File_open(half, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &small);
  MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, rank * 800, MPI_DOUBLE, type, "native", MPI_INFO_NULL);
  for (int step = 0; step < 5; ++step) {
    write_checkpoint(step, rank, log);
    if (rank == 0) fprintf(log, "rank 0 is in %d\n", fileno(log) < 0);
    MPI_File_write_at(small, rank * 8, data, 8, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_write_all(file, data, 8000 / (step + 1), MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&small);
  MPI_File_close(&file);
  MPI_Type_free(&type);
  MPI_Comm_free(&half);
  fclose(log);
  MPI_Finalize();
  return 0;
}
