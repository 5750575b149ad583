// Each rank writes its part of a file through io_uring, eight blocks in flight, and reads it back.
#include <fcntl.h>
#include <liburing.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { depth = 8, blocks = 24, block = 4096 };

static int take(struct io_uring* ring) {
  struct io_uring_cqe* c;
  if (io_uring_wait_cqe(ring, &c) != 0) return -1;
  int result = c->res;
  io_uring_cqe_seen(ring, c);
  return result;
}

int main(int count, char** arguments) {
  static char data[block];
  struct io_uring ring;
  int rank, bad = 0;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int fd = open("shared.bin", O_RDWR | O_CREAT, 0644);
  if (fd < 0 || io_uring_queue_init(depth, &ring, 0) != 0) MPI_Abort(MPI_COMM_WORLD, 77);
  memset(data, 'a' + rank % 26, sizeof data);
  long first = (long)rank * blocks * block;
  for (int writes = 1; writes >= 0; --writes)
    for (int at = 0; at < blocks; at += depth) {
      for (int i = 0; i < depth; ++i) {
        struct io_uring_sqe* e = io_uring_get_sqe(&ring);
        long offset = first + (long)(at + i) * block;
        if (writes)
          io_uring_prep_write(e, fd, data, block, (__u64)offset);
        else
          io_uring_prep_read(e, fd, data, block, (__u64)offset);
      }
      bad += io_uring_submit(&ring) != depth;
      for (int i = 0; i < depth; ++i) bad += take(&ring) != block;
    }
  io_uring_queue_exit(&ring);
  close(fd);
  int all = 0;
  MPI_Reduce(&bad, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) puts(all == 0 ? "all good" : "not good");
  MPI_Finalize();
  return 0;
}
