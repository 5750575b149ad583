// Threads that write files of their own and blocks of a shared one, in rounds of threads that come and go.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { at_once = 4, rounds = 10, blocks = 50, block_bytes = 512 };

static int shared_fd;

static void* writer(void* argument) {
  long number = (long)argument;
  char name[32], block[block_bytes];
  snprintf(name, sizeof name, "own_%ld", number);
  memset(block, (int)('a' + number % 26), sizeof block);
  int fd = open(name, O_CREAT | O_WRONLY, 0644);
  for (long i = 0; i < blocks; ++i) {
    if (write(fd, block, sizeof block) != sizeof block) abort();
    if (pwrite(shared_fd, block, sizeof block, (number * blocks + i) * block_bytes) != sizeof block) abort();
  }
  close(fd);
  return NULL;
}

int main(void) {
  shared_fd = open("shared", O_CREAT | O_RDWR, 0644);
  // Side by side, then one after the other.
  pthread_t threads[at_once];
  for (long i = 0; i < at_once; ++i) pthread_create(&threads[i], NULL, writer, (void*)i);
  for (long i = 0; i < at_once; ++i) pthread_join(threads[i], NULL);
  for (long i = at_once; i < at_once + rounds; ++i) {
    pthread_create(&threads[0], NULL, writer, (void*)i);
    pthread_join(threads[0], NULL);
  }
  close(shared_fd);
  puts("done");
  return 0;
}
