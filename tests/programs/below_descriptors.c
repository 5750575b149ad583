// Names files relative to folders that it has open, upwards too, and moves on to another folder. What is
// below /proc is looked at in the same way.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int below(int folder, const char* path, int flags) {
  int fd = openat(folder, path, flags, 0644);
  if (fd < 0) perror(path);
  return fd;
}

int main(void) {
  char text[64];
  struct stat status;
  mkdir("a", 0755);
  mkdir("a/b", 0755);
  int inner = below(AT_FDCWD, "a/b", O_RDONLY | O_DIRECTORY);
  int outer = below(inner, "..", O_RDONLY | O_DIRECTORY);
  int file = below(outer, "x", O_WRONLY | O_CREAT);
  if (write(file, "text", 4) != 4) perror("x");
  int start = below(outer, "../a/..", O_RDONLY | O_DIRECTORY);
  if (fstatat(inner, "../x", &status, 0) != 0) perror("../x");
  int again = below(start, "a/x", O_RDONLY);
  if (read(again, text, sizeof text) != 4) perror("a/x");

  int root = below(AT_FDCWD, "/", O_RDONLY | O_DIRECTORY);
  int seen = below(root, "proc/self/status", O_RDONLY);
  if (read(seen, text, sizeof text) <= 0) perror("status");
  int beside = below(root, "usr/../proc/meminfo", O_RDONLY);
  if (read(beside, text, sizeof text) <= 0) perror("meminfo");
  if (chdir("a") != 0 || mkdir("c", 0755) != 0) perror("a");
  puts("done");
  return 0;
}
