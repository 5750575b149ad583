// Ranks in groups of neighbors, the last of which is smaller: a file per group, one rank that writes for
// eight, a communicator of some ranks. And what the first rank gathers from all, in uneven parts.
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

enum { few = 4, many = 8, part = 1000, total = 5003 };

static int rank;
static int ranks;
static char data[1 << 16];

static void file_per_group(void) {
  MPI_Comm group;
  MPI_File file;
  int place, members;
  char name[64];
  MPI_Comm_split(MPI_COMM_WORLD, rank / few, rank, &group);
  MPI_Comm_rank(group, &place);
  MPI_Comm_size(group, &members);
  snprintf(name, sizeof name, "group_%03d", rank / few);
  MPI_File_open(group, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_set_size(file, (MPI_Offset)members * part * 3);
  for (int step = 0; step < 3; ++step)
    MPI_File_write_at_all(file, (MPI_Offset)(step * members + place) * part, data, part, MPI_BYTE,
                          MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Comm_free(&group);
}

static void one_for_eight(void) {
  MPI_Comm writers;
  MPI_File file;
  MPI_Comm_split(MPI_COMM_WORLD, rank % many == 0 ? 0 : MPI_UNDEFINED, rank, &writers);
  if (writers == MPI_COMM_NULL) return;
  int members = ranks - rank < many ? ranks - rank : many;
  MPI_File_open(writers, "eights", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_write_at_all(file, (MPI_Offset)rank * part, data, members * part, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Comm_free(&writers);
}

static void every_fourth(void) {
  int count = (ranks + few - 1) / few, *members = calloc((size_t)count, sizeof *members);
  MPI_Group all, some;
  MPI_Comm those;
  MPI_File file;
  for (int k = 0; k < count; ++k) members[k] = k * few;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, count, members, &some);
  MPI_Comm_create(MPI_COMM_WORLD, some, &those);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  free(members);
  if (those == MPI_COMM_NULL) return;
  MPI_File_open(those, "fourths", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_write_at(file, (MPI_Offset)(rank / few) * part, data, part, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Comm_free(&those);
}

static void gather(void) {
  int *counts = calloc((size_t)ranks, sizeof *counts), *starts = calloc((size_t)ranks, sizeof *starts);
  for (int k = 0, start = 0; k < ranks; start += counts[k++]) {
    counts[k] = total / ranks + (k < total % ranks);
    starts[k] = start;
  }
  char* all = calloc(total, 1);
  MPI_Gatherv(data, counts[rank], MPI_CHAR, all, counts, starts, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    struct iovec* pieces = calloc((size_t)ranks, sizeof *pieces);
    FILE* stream = fopen("parts", "wb");
    fwrite(counts, sizeof *counts, (size_t)ranks, stream);
    for (int k = 0; k < ranks; ++k) {
      fwrite(all + starts[k], 1, (size_t)counts[k], stream);
      pieces[k] = (struct iovec){all + starts[k], (size_t)counts[k]};
    }
    fclose(stream);
    int fd = open("pieces", O_CREAT | O_WRONLY, 0644);
    if (writev(fd, pieces, ranks) != total) MPI_Abort(MPI_COMM_WORLD, 1);
    close(fd);
    free(pieces);
  }
  free(all);
  free(starts);
  free(counts);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  file_per_group();
  one_for_eight();
  every_fourth();
  gather();
  MPI_Finalize();
  return 0;
}
