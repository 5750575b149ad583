// Threads that hand files on: each writes one of its own, and when all have done so reads that of the next.
// What tells them when is a barrier, of which a trace holds nothing.
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { threads = 6, blocks = 20, block_bytes = 4096 };

static pthread_barrier_t all_written;
static long read_bytes[threads];

static void name_of(int number, char* name, size_t size) { snprintf(name, size, "part_%d", number); }

static void* work(void* argument) {
  int number = (int)(long)argument;
  char name[32], block[block_bytes];
  memset(block, 'a' + number, sizeof block);
  name_of(number, name, sizeof name);
  int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
  for (int i = 0; i < blocks; ++i) {
    if (write(fd, block, sizeof block) != (ssize_t)sizeof block) perror(name);
    if (number % 2 != 0) usleep(2000);
  }
  close(fd);
  pthread_barrier_wait(&all_written);
  name_of((number + 1) % threads, name, sizeof name);
  fd = open(name, O_RDONLY);
  for (int i = 0; i < blocks / 2; ++i) read_bytes[number] += read(fd, block, sizeof block);
  for (int i = blocks / 2; i < blocks; ++i)
    read_bytes[number] += pread(fd, block, sizeof block, (off_t)i * block_bytes);
  close(fd);
  FILE* stream = fopen(name, "r");
  for (int i = 0; i < blocks; ++i) read_bytes[number] += (long)fread(block, 1, sizeof block, stream);
  fclose(stream);
  return NULL;
}

int main(void) {
  pthread_t handles[threads];
  long sum = 0;
  pthread_barrier_init(&all_written, NULL, threads);
  for (long t = 0; t < threads; ++t) pthread_create(&handles[t], NULL, work, (void*)t);
  for (int t = 0; t < threads; ++t) pthread_join(handles[t], NULL);
  for (int t = 0; t < threads; ++t) sum += read_bytes[t];
  printf("%ld\n", sum);
  return 0;
}
