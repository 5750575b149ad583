// A simulation that writes a checkpoint file every step: in it, each variable has a region of its own with
// room to grow, written in chunks at computed offsets behind a small header. The classic regular pattern:
// three nested loops.
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  steps = 10,
  variables = 4,
  chunks = 16,
  chunk_bytes = 65536,
  header_bytes = 4096,
  region_bytes = 2 << 20
};

static void die(const char* what) {
  perror(what);
  exit(EXIT_FAILURE);
}

static void put(int fd, const void* data, size_t bytes, off_t offset) {
  if (pwrite(fd, data, bytes, offset) != (ssize_t)bytes) die("pwrite");
}

static void write_checkpoint(int step, const unsigned char* field) {
  char name[64];
  snprintf(name, sizeof name, "ckpt_%04d.dat", step);
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0) die(name);

  char header[header_bytes] = {0};
  snprintf(header, sizeof header, "step %d variables %d bytes %d", step, variables, chunks * chunk_bytes);
  put(fd, header, sizeof header, 0);
  for (int v = 0; v < variables; ++v) {
    off_t region = header_bytes + (off_t)v * region_bytes;
    for (int c = 0; c < chunks; ++c) put(fd, field, chunk_bytes, region + (off_t)c * chunk_bytes);
  }
  if (fsync(fd) != 0) die("fsync");
  if (close(fd) != 0) die("close");
}

int main(void) {
  unsigned char* field = malloc(chunk_bytes);
  if (field == NULL) die("malloc");
  for (int step = 0; step < steps; ++step) {
    memset(field, step, chunk_bytes);
    write_checkpoint(step, field);
  }
  free(field);
  printf("%d checkpoints of %d variables written\n", steps, variables);
  return 0;
}
