// Every rank writes its blocks to one file, ten rounds of them. `mpi_offset RANK ROUND SHIFT` moves one block
// of one rank by that many bytes.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { block = 64, rounds = 10 };

int main(int argc, char** argv) {
  MPI_File file = MPI_FILE_NULL;
  int rank = 0;
  int ranks = 0;
  char data[block];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int odd_rank = argc > 3 ? atoi(argv[1]) : -1;
  const int odd_round = argc > 3 ? atoi(argv[2]) : -1;
  const MPI_Offset shift = argc > 3 ? atoi(argv[3]) : 0;
  memset(data, 'a' + rank % 26, sizeof data);
  if (MPI_File_open(MPI_COMM_WORLD, "blocks", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) != 0)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int round = 0; round < rounds; ++round) {
    MPI_Offset offset = ((MPI_Offset)round * ranks + rank) * block;
    if (rank == odd_rank && round == odd_round) offset += shift;
    MPI_File_write_at(file, offset, data, block, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
