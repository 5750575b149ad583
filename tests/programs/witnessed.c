// Plain POSIX I/O with all kinds of sizes and offsets, for comparison with what the kernel sees.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
  static char block[65536];
  struct iovec parts[3] = {{block, 10}, {block, 2000}, {block, 300}};
  unsigned random = 7;
  int data = open("data", O_CREAT | O_RDWR | O_TRUNC, 0640);
  int other = creat("other", 0600);
  for (int i = 0; i < 200; ++i) {
    random = random * 1103515245 + 12345;
    size_t size = random >> 16 & 0x3fff;
    off_t offset = random >> 8 & 0xfffff;
    if (pwrite(data, block, size, offset) < 0) abort();
    if (i % 3 == 0 && pread(data, block, size, offset / 2) < 0) abort();
    if (i % 5 == 0) lseek(data, offset, SEEK_SET);
    if (i % 7 == 0 && read(data, block, size) < 0) abort();
    if (i % 11 == 0 && writev(other, parts, i % 3 + 1) < 0) abort();
    if (i % 13 == 0 && preadv(data, parts, 2, offset) < 0) abort();
    if (i % 17 == 0 && pwritev(data, parts, 3, offset) < 0) abort();
    if (i % 19 == 0 && write(other, block, size) < 0) abort();
    if (i % 23 == 0 && ftruncate(data, offset) != 0) abort();
    if (i % 29 == 0 && fsync(other) != 0) abort();
  }
  if (lseek(data, -1, SEEK_SET) != -1 || read(other, block, 10) != -1) abort();
  int copy = dup(data);
  close(data);
  if (fallocate(copy, 0, 0, 2000000) != 0 || fdatasync(copy) != 0) abort();
  close(copy);
  close(other);
  for (int i = 0; i < 20; ++i) {
    char name[32];
    snprintf(name, sizeof name, "part.%03d", i);
    int fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_APPEND, 0644);
    if (write(fd, block, (size_t)i * 100) < 0) abort();
    close(fd);
    if (open(name, O_CREAT | O_EXCL, 0600) != -1) abort();
  }
  return 0;
}
