// Links of all sorts, paths relative to folders that are open, and back; with an argument, a request to a
// file that is more than a question.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static int must(int result, const char* call) {
  if (result < 0) {
    perror(call);
    exit(1);
  }
  return result;
}
#define MUST(call) must((call), #call)

int main(int argc, char** argv) {
  (void)argv;
  int file = MUST(open("file", O_WRONLY | O_CREAT, 0644));
  if (argc > 1) {
    long flags = 0;
    MUST(ioctl(file, FS_IOC_GETFLAGS, &flags));
    MUST(ioctl(file, FS_IOC_SETFLAGS, &flags));
  }
  MUST(close(file));
  MUST(mkdir("a", 0755));
  MUST(mkdir("a/b", 0755));
  int deep = MUST(open("a/b", O_RDONLY | O_DIRECTORY));
  MUST(symlink("a/b", "straight"));
  MUST(symlinkat("../../file", deep, "up"));
  MUST(symlinkat("/etc/nothing", deep, "absolute"));
  MUST(close(MUST(openat(deep, "../beside", O_WRONLY | O_CREAT, 0644))));
  MUST(close(MUST(openat(deep, "up", O_RDONLY))));
  MUST(chdir("a/b"));
  MUST(close(MUST(open("../../file", O_RDONLY))));
  MUST(rename("up", "other"));
  MUST(rename("other", "up"));
  MUST(linkat(deep, "../beside", AT_FDCWD, "here", 0));
  struct stat status;
  MUST(lstat("absolute", &status));
  MUST(fchdir(deep));
  MUST(unlinkat(deep, "here", 0));
  MUST(close(deep));
  FILE* nameless = tmpfile();
  if (nameless == NULL || fwrite("text", 1, 4, nameless) != 4) return 1;
  MUST(fclose(nameless));
  return 0;
}
