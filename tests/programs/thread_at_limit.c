// A thread that starts to write when no more files can be opened, while the main thread goes on.
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int shared_fd;

static void write_some(long first) {
  for (long i = first; i < first + 100; ++i)
    if (pwrite(shared_fd, "block", 5, 5 * i) != 5) abort();
}

static void* writer(void* argument) {
  write_some(100);
  return argument;
}

int main(void) {
  shared_fd = open("shared", O_CREAT | O_RDWR, 0644);
  write_some(0);
  int last = shared_fd, fd;
  while ((fd = open("shared", O_RDONLY)) >= 0) last = fd;
  pthread_t thread;
  if (pthread_create(&thread, NULL, writer, NULL) != 0) return 1;
  pthread_join(thread, NULL);
  write_some(200);
  while (last > shared_fd) close(last--);
  write_some(300);
  return 0;
}
