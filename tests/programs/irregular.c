/* Calls in an order without any rule, with sizes and offsets without any rule:  irregular CALLS
 * Writes its peak memory in kilobytes to the file `peak`. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t state = 88172645463325252u;

static uint64_t any(uint64_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % below;
}

static int one_call(int fd) {
  char buffer[64] = {0};
  struct stat info;
  off_t offset = (off_t)any(100000);
  switch (any(6)) {
    case 0:
      return pwrite(fd, buffer, any(64), offset) < 0;
    case 1:
      return pread(fd, buffer, any(64), offset) < 0;
    case 2:
      return lseek(fd, offset, SEEK_SET) < 0;
    case 3:
      return fstat(fd, &info) < 0;
    case 4:
      return write(fd, buffer, any(8)) < 0;
    default:
      return read(fd, buffer, any(8)) < 0;
  }
}

int main(int argc, char** argv) {
  long calls = argc > 1 ? atol(argv[1]) : 1000;
  int fd = open("data", O_RDWR | O_CREAT, 0600);
  if (fd < 0) return 1;
  for (long i = 0; i < calls; ++i)
    if (one_call(fd)) return 1;
  close(fd);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  FILE* out = fopen("peak", "w");
  if (out == NULL) return 1;
  fprintf(out, "%ld\n", usage.ru_maxrss);
  return fclose(out) != 0;
}
