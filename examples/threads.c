// Four threads write interleaved blocks of one shared file, each through a descriptor of its own, and a
// private log per thread beside it. Which thread comes first differs from run to run; what each one does
// doesn't.
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { thread_count = 4, blocks = 200, block_bytes = 4096 };

static void die(const char* what) {
  perror(what);
  exit(EXIT_FAILURE);
}

static void* writer(void* argument) {
  int me = (int)(intptr_t)argument;
  char name[64];
  snprintf(name, sizeof name, "writer_%d.log", me);
  FILE* log = fopen(name, "w");
  int fd = open("shared.dat", O_WRONLY);
  if (log == NULL || fd < 0) die("open");

  char block[block_bytes];
  memset(block, 'a' + me, sizeof block);
  for (int b = 0; b < blocks; ++b) {
    off_t offset = ((off_t)b * thread_count + me) * block_bytes;
    if (pwrite(fd, block, sizeof block, offset) != (ssize_t)sizeof block) die("pwrite");
    if (b % 50 == 0) fprintf(log, "block %d done\n", b);
  }
  if (close(fd) != 0 || fclose(log) != 0) die("close");
  return NULL;
}

int main(void) {
  int fd = open("shared.dat", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0 || ftruncate(fd, (off_t)thread_count * blocks * block_bytes) != 0) die("shared.dat");
  pthread_t threads[thread_count];
  for (intptr_t t = 0; t < thread_count; ++t) {
    if (pthread_create(&threads[t], NULL, writer, (void*)t) != 0) die("pthread_create");
  }
  for (int t = 0; t < thread_count; ++t) pthread_join(threads[t], NULL);
  if (fsync(fd) != 0 || close(fd) != 0) die("shared.dat");
  printf("%d threads wrote %d blocks each\n", thread_count, blocks);
  return 0;
}
