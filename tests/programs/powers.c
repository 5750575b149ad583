/* Sizes that grow by a factor: every write is twice as long as the one before, and begins where that ended;
 * every level of a pyramid has four times as many blocks as the one above it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char data[1 << 16];

static void doubling(int turns) {
  int fd = open("doubling.bin", O_RDWR | O_CREAT | O_TRUNC, 0644);
  for (int i = 0; i < turns; ++i)
    if (pwrite(fd, data, 16u << i, 16 << i) < 0) exit(1);
  for (int i = 0; i < turns; ++i)
    if (pread(fd, data, 16u << i, (16 << i) - 16) < 0) exit(1);
  close(fd);
}

static void pyramid(int levels) {
  for (int i = 0, blocks = 2; i < levels; ++i, blocks *= 4) {
    int fd = open("pyramid.bin", O_WRONLY | O_CREAT, 0644);
    for (int j = 0; j < blocks; ++j)
      if (pwrite(fd, data, 32, 32 * j + 10000 * i) < 0) exit(1);
    close(fd);
  }
}

int main(int argc, char** argv) {
  int turns = argc > 1 ? atoi(argv[1]) : 6;
  doubling(turns);
  pyramid(turns < 6 ? turns : 6);
  printf("%d turns\n", turns);
  return 0;
}
