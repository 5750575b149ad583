// Writes and reads files through io_uring: eight entries in flight, vectors, registered buffers and files,
// files that are opened and closed by entries, links between them, names. With an argument, only the first of
// these, in a file of this name.
#define _GNU_SOURCE
#include <fcntl.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { depth = 8, blocks = 32, block = 4096 };

static struct io_uring ring;
static char written[depth][block];
static _Alignas(4096) char got[blocks][block];

static void must(int good, const char* what) {
  if (good) return;
  printf("%s failed\n", what);
  exit(1);
}

static struct io_uring_sqe* entry(void) {
  struct io_uring_sqe* e = io_uring_get_sqe(&ring);
  must(e != NULL, "io_uring_get_sqe");
  return e;
}

static int take(void) {
  struct io_uring_cqe* c;
  must(io_uring_wait_cqe(&ring, &c) == 0, "io_uring_wait_cqe");
  int result = c->res;
  io_uring_cqe_seen(&ring, c);
  return result;
}

/* Submits what was prepared and takes all its completions: the result of the last. */
static int all(int count) {
  int last = 0;
  must(io_uring_submit(&ring) == count, "io_uring_submit");
  for (int i = 0; i < count; ++i) {
    last = take();
    must(last >= 0, "an entry");
  }
  return last;
}

static void pipeline(int fd) {
  int next = 0;
  for (; next < depth; ++next) {
    struct io_uring_sqe* e = entry();
    memset(written[next], 'a' + next, block);
    io_uring_prep_write(e, fd, written[next], block, (long)next * block);
  }
  must(io_uring_submit(&ring) == depth, "io_uring_submit");
  for (int done = 0; done < blocks; ++done) {
    must(take() == block, "a write");
    if (next == blocks) continue;
    io_uring_prep_write(entry(), fd, written[next % depth], block, (long)next * block);
    must(io_uring_submit(&ring) == 1, "io_uring_submit");
    ++next;
  }
}

static void read_back(int fd) {
  for (int at = 0; at < blocks; at += depth) {
    for (int i = 0; i < depth; ++i)
      io_uring_prep_read(entry(), fd, got[at + i], block, (long)(at + i) * block);
    must(io_uring_submit_and_wait(&ring, depth) == depth, "io_uring_submit_and_wait");
    for (int i = 0; i < depth; ++i) must(take() == block, "a read");
  }
  for (int i = 0; i < blocks; ++i) must(got[i][17] == 'a' + i % depth, "comparing");
}

static void vectors(int fd) {
  struct iovec out[3] = {{written[0], 100}, {written[1], 200}, {written[2], 300}},
               in[2] = {{got[0], 256}, {got[1], 344}};
  io_uring_prep_writev(entry(), fd, out, 3, 8192);
  must(all(1) == 600, "a vector");
  io_uring_prep_readv(entry(), fd, in, 2, 8192);
  must(all(1) == 600 && got[0][99] == 'a' && got[0][100] == 'b' && got[1][343] == 'c', "a vector");
}

static void registered(int fd) {
  static char room[2][2 * block];
  struct iovec buffers[2] = {{room[0], sizeof room[0]}, {room[1], sizeof room[1]}};
  int own = open("gone.dat", O_RDWR | O_CREAT | O_TRUNC, 0644);
  int files[3] = {fd, own, -1};
  memset(room[0], 'x', sizeof room[0]);
  must(io_uring_register_buffers(&ring, buffers, 2) == 0, "io_uring_register_buffers");
  must(io_uring_register_files(&ring, files, 3) == 0, "io_uring_register_files");
  close(own); /* stays among those that are registered */
  for (int i = 0; i < 4; ++i) {
    struct io_uring_sqe* e = entry();
    io_uring_prep_write_fixed(e, i % 2, room[0], 2 * block, (long)i * 2 * block, 0);
    e->flags |= IOSQE_FIXED_FILE;
    must(all(1) == 2 * block, "a write");
  }
  struct io_uring_sqe* e = entry();
  io_uring_prep_read_fixed(e, fd, room[1], block, block, 1);
  must(all(1) == block && room[1][5] == 'x', "a read");
  must(io_uring_unregister_files(&ring) == 0, "io_uring_unregister_files");
  must(io_uring_unregister_buffers(&ring) == 0, "io_uring_unregister_buffers");
}

static void linked(int fd) {
  struct io_uring_sqe* e = entry();
  io_uring_prep_write(e, fd, written[3], 1000, 200000);
  e->flags |= IOSQE_IO_LINK;
  io_uring_prep_fsync(entry(), fd, IORING_FSYNC_DATASYNC);
  all(2);
  io_uring_prep_fsync(entry(), fd, 0);
  all(1);
}

static void opened(int number) {
  char name[40];
  struct statx status;
  snprintf(name, sizeof name, "by_ring_%d.dat", number);
  io_uring_prep_openat(entry(), AT_FDCWD, name, O_RDWR | O_CREAT | O_TRUNC, 0644);
  int fd = all(1);
  io_uring_prep_fallocate(entry(), fd, 0, 0, 3 * block);
  all(1);
  io_uring_prep_write(entry(), fd, written[number % depth], block, 0);
  all(1);
  io_uring_prep_statx(entry(), AT_FDCWD, name, 0, STATX_SIZE, &status);
  all(1);
  must(status.stx_size == 3 * block, "statx");
  io_uring_prep_close(entry(), fd);
  all(1);
}

/* The descriptor is used before the completion is taken. */
static void used_at_once(void) {
  struct io_uring_cqe* c;
  io_uring_prep_openat(entry(), AT_FDCWD, "at_once.dat", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  must(io_uring_submit(&ring) == 1, "io_uring_submit");
  must(io_uring_wait_cqe(&ring, &c) == 0, "io_uring_wait_cqe");
  int fd = c->res;
  must(pwrite(fd, written[4], 500, 0) == 500, "pwrite");
  io_uring_cqe_seen(&ring, c);
  close(fd);
}

static void names(void) {
  io_uring_prep_mkdirat(entry(), AT_FDCWD, "folder", 0755);
  all(1);
  io_uring_prep_unlinkat(entry(), AT_FDCWD, "by_ring_1.dat", 0);
  all(1);
  io_uring_prep_nop(entry());
  all(1);
  io_uring_prep_madvise(entry(), got, sizeof got, MADV_NORMAL); /* is not repeated */
  all(1);
}

int main(int count, char** arguments) {
  const char* name = count > 1 ? arguments[1] : "data.bin";
  if (io_uring_queue_init(depth, &ring, 0) != 0) {
    puts("there is no io_uring here");
    return 77;
  }
  int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
  must(fd >= 0, "open");
  pipeline(fd);
  read_back(fd);
  if (count == 1) {
    vectors(fd);
    registered(fd);
    linked(fd);
    for (int i = 0; i < 4; ++i) opened(i);
    used_at_once();
    names();
  }
  close(fd);
  io_uring_queue_exit(&ring);
  puts("all good");
  return 0;
}
