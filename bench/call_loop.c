/* The loop that recording is measured on: many small calls to a file on tmpfs.
 *
 *   call_loop pwrite|threads|open|fwrite CALLS FILE
 *
 * prints the median nanoseconds per call over batches of 1,000 calls, and the peak memory in kilobytes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { batch = 1000, thread_count = 4 };

struct work {
  const char* kind;
  const char* file;
  long calls;
  double* batches;
};

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void fail(const char* what) {
  perror(what);
  exit(1);
}

static void* run(void* argument) {
  struct work* w = argument;
  char buffer[8] = {0};
  int fd = open(w->file, O_RDWR | O_CREAT, 0600);
  if (fd < 0) fail("open");
  FILE* stream = fopen(w->file, "r+");
  if (stream == NULL) fail("fopen");
  for (long b = 0; b < w->calls / batch; ++b) {
    double start = now_ns();
    if (strcmp(w->kind, "open") == 0) {
      for (long i = 0; i < batch / 2; ++i) {
        int other = open(w->file, O_RDONLY);
        if (other < 0 || close(other) != 0) fail("open");
      }
    } else if (strcmp(w->kind, "fwrite") == 0) {
      for (long i = 0; i < batch; ++i)
        if (fwrite(buffer, sizeof buffer, 1, stream) != 1) fail("fwrite");
    } else {
      for (long i = 0; i < batch; ++i)
        if (pwrite(fd, buffer, sizeof buffer, (b * batch + i) * 8) != sizeof buffer) fail("pwrite");
    }
    w->batches[b] = (now_ns() - start) / batch;
  }
  fclose(stream);
  close(fd);
  return NULL;
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: call_loop pwrite|threads|open|fwrite CALLS FILE\n");
    return 2;
  }
  long calls = atol(argv[2]);
  long batches = calls / batch;
  int threads = strcmp(argv[1], "threads") == 0 ? thread_count : 1;
  double* times = calloc((size_t)(batches * threads) + 1, sizeof *times);
  struct work work[thread_count];
  pthread_t ids[thread_count];
  for (int t = 0; t < threads; ++t) {
    work[t] = (struct work){argv[1], argv[3], calls, times + t * batches};
    if (threads > 1)
      pthread_create(&ids[t], NULL, run, &work[t]);
    else
      run(&work[t]);
  }
  for (int t = 0; threads > 1 && t < threads; ++t) pthread_join(ids[t], NULL);
  qsort(times, (size_t)(batches * threads), sizeof *times, compare);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%.1f %ld\n", batches ? times[batches * threads / 2] : 0.0, usage.ru_maxrss);
  free(times);
  return 0;
}
