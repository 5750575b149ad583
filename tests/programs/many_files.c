// Holds many files open at once: `many_files COUNT`. Runs into the limit if COUNT is too high for it, and
// says where.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int count = argc > 1 ? atoi(argv[1]) : 5000;
  int* fds = calloc((size_t)count, sizeof *fds);
  char name[32];
  int opened = 0;
  for (; opened < count; ++opened) {
    snprintf(name, sizeof name, "f%d", opened);
    fds[opened] = open(name, O_CREAT | O_RDWR, 0644);
    if (fds[opened] < 0) {
      printf("after %d files: %s\n", opened, strerror(errno));
      break;
    }
  }
  for (int i = 0; i < opened; ++i)
    if (pwrite(fds[i], &i, sizeof i, 4 * i) != sizeof i) abort();
  // With the limit reached, calls go on as ever.
  FILE* stream = fopen("stream", "w");
  printf("one more: %s\n", stream == NULL ? strerror(errno) : "open");
  if (stream != NULL) fclose(stream);
  char block[512] = {0};
  for (int i = 0; i < 20000; ++i)
    if (write(fds[i % opened], block, (size_t)(i * 7 % 512)) < 0) abort();
  for (int i = 0; i < opened; i += 2) close(fds[i]);
  for (int i = 0; i < opened; i += 2) {
    snprintf(name, sizeof name, "f%d", i);
    fds[i] = open(name, O_RDONLY);
    if (fds[i] < 0) abort();
  }
  for (int i = 0; i < opened; ++i) close(fds[i]);
  return 0;
}
