// I/O on small stacks: the first calls of all in a signal handler with a stack of its own that has 6 KB to
// spare, as crash reporters do it, and in threads with the smallest stack there is. Below each stack lies a
// page that no one may touch.
#define _GNU_SOURCE
#include <aio.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

static char* guarded(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) / page * page;
  char* memory = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(memory, page, PROT_NONE);
  return memory + page;
}

static void report(int signal) {
  (void)signal;
  struct iovec parts[2] = {{"handler", 7}, {" writes\n", 8}};
  struct stat info;
  if (write(2, "first call of all\n", 18) != 18) abort();
  if (writev(2, parts, 2) != 15) abort();
  int fd = open("by_handler", O_CREAT | O_WRONLY | O_APPEND, 0644);
  if (writev(fd, parts, 2) != 15 || fstat(fd, &info) != 0) abort();
  const struct aiocb* none[1] = {NULL};
  if (aio_suspend(none, 1, &(struct timespec){0, 1}) == 1) abort();
  close(fd);
}

static void* writer(void* argument) {
  int fd = open("by_thread", O_CREAT | O_WRONLY | O_APPEND, 0644);
  unsigned random = 1;
  for (int i = 0; i < 5000; ++i) {
    random = random * 1103515245 + 12345;
    if (write(fd, "0123456789abcdef", random >> 28) < 0) abort();
    if (random >> 20 & 1) lseek(fd, random >> 25, SEEK_SET);
  }
  close(fd);
  return argument;
}

int main(void) {
  size_t frame = getauxval(AT_MINSIGSTKSZ), size = (frame ? frame : 8192) + 6144;
  stack_t stack = {.ss_sp = guarded(size), .ss_size = size};
  if (sigaltstack(&stack, NULL) != 0) abort();
  struct sigaction action = {.sa_handler = report, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  for (int i = 0; i < 3; ++i) raise(SIGUSR1);

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (size_t)sysconf(_SC_THREAD_STACK_MIN));
  pthread_t thread;
  if (pthread_create(&thread, &attributes, writer, NULL) != 0) abort();
  pthread_join(thread, NULL);
  return 0;
}
