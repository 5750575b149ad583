// Names with many numbers in them, as of trees of folders: files in the leaves of one, by loops.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { depth = 5, width = 3, files = 8 };

static void fill(char* path, int length, int level, int number) {
  if (mkdir(path, 0755) != 0) perror(path);
  for (int i = 0; level == depth && i < files; ++i) {
    snprintf(path + length, 64, "/file.mdtest.00000.%d", number * files + i);
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0644);
    if (fd < 0 || write(fd, path, 8) != 8 || close(fd) != 0) perror(path);
  }
  for (int i = 0; level < depth && i < width; ++i) {
    int child = number * width + i + 1;
    fill(path, length + snprintf(path + length, 64, "/mdtest_tree.%d.%d.%d", level, i, child), level + 1,
         child);
  }
  path[length] = 0;
}

int main(void) {
  char path[1024] = "test-dir.0-0";
  fill(path, 12, 0, 0);
  return 0;
}
