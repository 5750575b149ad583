// Adaptive mesh refinement, as far as its files are concerned: every step refines a random number of patches
// of random sizes, so that neither trip counts nor lengths follow a rule. The seed is fixed: each run is the
// same.
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { steps = 12, levels = 3, most_patches = 20, cell_bytes = 64, most_cells = 512 };

static uint64_t seed = 20240229;

/// A number below `limit`, by a linear congruential generator.
static unsigned draw(unsigned limit) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % limit;
}

static void die(const char* what) {
  perror(what);
  exit(EXIT_FAILURE);
}

static void put(int fd, const void* data, size_t bytes) {
  if (write(fd, data, bytes) != (ssize_t)bytes) die("write");
}

static void write_level(int fd, int level, const char* cells) {
  unsigned patches = 1 + draw(most_patches);
  uint32_t header[2] = {(uint32_t)level, patches};
  put(fd, header, sizeof header);
  for (unsigned p = 0; p < patches; ++p) {
    uint32_t count = 1 + draw(most_cells);
    put(fd, &count, sizeof count);
    put(fd, cells, (size_t)count * cell_bytes);
  }
}

int main(void) {
  static char cells[most_cells * cell_bytes];
  for (int step = 0; step < steps; ++step) {
    char name[64];
    snprintf(name, sizeof name, "amr_%03d.plt", step);
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) die(name);
    for (int level = 0; level < levels; ++level) write_level(fd, level, cells);
    // Every third step is also the one to restart from.
    if (step % 3 == 2) {
      unlink("amr_restart");
      if (symlink(name, "amr_restart") != 0) die("amr_restart");
    }
    if (close(fd) != 0) die(name);
  }
  printf("%d steps of %d levels written\n", steps, levels);
  return 0;
}
