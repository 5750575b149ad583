/* A program that writes 8,000 bytes to one file, 8 at a time, and ends in some way: what a tool knows
 * afterwards is what survived.
 *
 *   peer_endings return|kill|abort|_exit|fork|threads FILE */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { writes = 1000, thread_count = 4 };

static int file;

static void write_range(long from, long to) {
  char data[8] = {0};
  for (long i = from; i < to; ++i)
    if (pwrite(file, data, sizeof data, i * (long)sizeof data) != sizeof data) exit(1);
}

static void* write_share(void* argument) {
  long share = *(long*)argument;
  write_range(share * writes / thread_count, (share + 1) * writes / thread_count);
  return NULL;
}

static void write_in_threads(void) {
  pthread_t threads[thread_count];
  long shares[thread_count];
  for (long t = 0; t < thread_count; ++t) {
    shares[t] = t;
    pthread_create(&threads[t], NULL, write_share, &shares[t]);
  }
  for (int t = 0; t < thread_count; ++t) pthread_join(threads[t], NULL);
}

/* Half by the parent, half by its child. */
static void write_in_two_processes(void) {
  pid_t child = fork();
  if (child == 0) {
    write_range(writes / 2, writes);
    exit(0);
  }
  write_range(0, writes / 2);
  waitpid(child, NULL, 0);
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: peer_endings return|kill|abort|_exit|fork|threads FILE\n");
    return 2;
  }
  const char* way = argv[1];
  file = open(argv[2], O_RDWR | O_CREAT, 0600);
  if (file < 0) return 1;
  if (strcmp(way, "threads") == 0)
    write_in_threads();
  else if (strcmp(way, "fork") == 0)
    write_in_two_processes();
  else
    write_range(0, writes);
  if (strcmp(way, "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(way, "abort") == 0) abort();
  if (strcmp(way, "_exit") == 0) _exit(0);
  return 0;
}
