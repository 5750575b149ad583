/* A job of bench/disk_turns: computes, then moves data between memory and a disk, and again.
 *
 *   disk_writer FILE PHASES COMPUTE_MS MIB CHUNK_KIB direct|flush|sync [OTHER]
 *
 * Each phase writes MIB mebibytes over FILE from its beginning, CHUNK_KIB at once, then reads as much of
 * OTHER, a file of another job, past the cache. `direct` writes past the cache (O_DIRECT), `flush` into it,
 * with an fsync at the end of the phase, `sync` with an fdatasync after each chunk. Computing is slept: there
 * are more jobs than cores. Prints the seconds inside phases. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void fail(const char* what) {
  fprintf(stderr, "disk_writer: %s: %s\n", what, strerror(errno));
  exit(1);
}

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void compute(long ms) {
  struct timespec t = {ms / 1000, ms % 1000 * 1000000};
  while (nanosleep(&t, &t) != 0 && errno == EINTR) {
  }
}

struct phase {
  const char *file, *mode, *other;
  size_t bytes, chunk;
  void* buffer;
};

static void write_file(const struct phase* p) {
  int direct = strcmp(p->mode, "direct") == 0, sync = strcmp(p->mode, "sync") == 0;
  int fd = open(p->file, O_WRONLY | O_CREAT | (direct ? O_DIRECT : 0), 0600);
  if (fd < 0) fail(p->file);
  for (size_t at = 0; at < p->bytes; at += p->chunk) {
    if (pwrite(fd, p->buffer, p->chunk, (off_t)at) != (ssize_t)p->chunk) fail(p->file);
    if (sync && fdatasync(fd) != 0) fail(p->file);
  }
  if (fsync(fd) != 0 || close(fd) != 0) fail(p->file);
}

static void read_other(const struct phase* p) {
  int fd = open(p->other, O_RDONLY | O_DIRECT);
  if (fd < 0) fail(p->other);
  for (size_t at = 0; at < p->bytes; at += p->chunk)
    if (pread(fd, p->buffer, p->chunk, (off_t)at) < 0) fail(p->other);
  if (close(fd) != 0) fail(p->other);
}

int main(int argc, char** argv) {
  if (argc != 7 && argc != 8) {
    fprintf(stderr, "usage: disk_writer FILE PHASES COMPUTE_MS MIB CHUNK_KIB direct|flush|sync [OTHER]\n");
    return 2;
  }
  struct phase p = {.file = argv[1], .mode = argv[6], .other = argc == 8 ? argv[7] : NULL};
  p.bytes = strtoul(argv[4], NULL, 10) << 20;
  p.chunk = strtoul(argv[5], NULL, 10) << 10;
  if (p.chunk == 0 || p.chunk % 4096 != 0 || p.bytes % p.chunk != 0) {
    fprintf(stderr, "disk_writer: MIB must be a multiple of CHUNK_KIB, and that of 4\n");
    return 2;
  }
  if (posix_memalign(&p.buffer, 4096, p.chunk) != 0) fail("memory");
  memset(p.buffer, 'x', p.chunk);
  double inside = 0;
  for (long i = 0, phases = atol(argv[2]); i < phases; ++i) {
    compute(atol(argv[3]));
    double start = now_s();
    write_file(&p);
    if (p.other != NULL) read_other(&p);
    inside += now_s() - start;
  }
  printf("%.3f\n", inside);
  free(p.buffer);
  return 0;
}
