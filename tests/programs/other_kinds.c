/* Opens the same name again and again, where there is a file, a pipe, a link to one, and a file of another
 * folder: only what is done to files is recorded. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void must(int result, const char* what) {
  if (result >= 0) return;
  perror(what);
  exit(1);
}

static void use(const char* name, const char* bytes, size_t size) {
  int fd = open(name, O_RDWR | O_CREAT, 0600);
  must(fd, name);
  must((int)write(fd, bytes, size), "write");
  must(close(fd), "close");
}

static void use_twice(const char* name, const char* bytes, size_t size) {
  use(name, bytes, size);
  use(name, bytes, size);
}

int main(void) {
  use_twice("thing", "file", 4);
  must(rename("thing", "kept"), "rename");
  must(mkfifo("thing", 0600), "mkfifo");
  use_twice("thing", "pipe!", 5);

  must(rename("thing", "pipe"), "rename");
  use_twice("thing", "a file", 6);
  must(unlink("thing"), "unlink");
  must(symlink("pipe", "thing"), "symlink");
  use_twice("thing", "the pipe", 8);

  must(mkdir("folder", 0700), "mkdir");
  must(chdir("folder"), "chdir");
  use_twice("thing", "another", 7);
  int up = open("..", O_RDONLY | O_DIRECTORY);
  must(up, "..");
  must(fchdir(up), "fchdir");
  must(close(up), "close");
  use_twice("thing", "once more", 9);
  puts("files and pipes by one name");
  return 0;
}
