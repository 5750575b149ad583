// Uses files that may or may not have been there: `found_files make` makes those that are, plain calls use
// them. What is opened with O_CREAT alone stays what it is, and what was found by asking, removed, or made a
// link to counts as well.
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char block[8192];

static int opened(const char* path, int flags) {
  int fd = open(path, flags, 0644);
  if (fd < 0) perror(path);
  return fd;
}
static void make(const char* path, size_t bytes) {
  int fd = opened(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (write(fd, block, bytes) != (ssize_t)bytes) perror(path);
  close(fd);
}

int main(int argc, char** argv) {
  memset(block, 'x', sizeof block);
  if (argc > 1 && strcmp(argv[1], "make") == 0) {
    make("state", 4);
    make("log", 100);
    make("asked", 10);
    make("old", 10);
    return 0;
  }
  struct stat status;
  long sum = 0;
  int fd = opened("state", O_RDWR | O_CREAT);  // as Fortran's OPEN does
  sum += read(fd, block, sizeof block);
  sum += lseek(fd, 0, SEEK_SET);
  sum += write(fd, block, 1000);
  sum += lseek(fd, 0, SEEK_SET);
  sum += read(fd, block, sizeof block);
  close(fd);

  fd = opened("log", O_RDWR | O_CREAT | O_APPEND);
  sum += write(fd, block, 10);
  sum += lseek(fd, 0, SEEK_END);
  close(fd);

  sum += stat("asked", &status);
  fd = opened("asked", O_RDWR | O_CREAT);
  sum += write(fd, block, 20);
  close(fd);

  sum += unlink("old");
  fd = opened("old", O_WRONLY | O_CREAT);
  sum += write(fd, block, 30);
  close(fd);

  fd = opened("new", O_RDWR | O_CREAT);  // was not there
  sum += read(fd, block, sizeof block);
  sum += write(fd, block, 50);
  sum += pread(fd, block, sizeof block, 0);
  close(fd);

  mkdir("run", 0755);
  sum += symlink("run", "now");
  make("run/out", 60);
  fd = opened("now/out", O_RDONLY);
  sum += read(fd, block, sizeof block);
  close(fd);
  printf("%ld\n", sum);
  return 0;
}
