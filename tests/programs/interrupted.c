// I/O in signal handlers, while the program does I/O itself: `interrupted handler|jump|cancel|errno|cookie`.
//   handler  a fast timer whose handler appends to a log
//   jump     handlers that jump out of waiting that would never end, and out of busy writing
//   cancel   threads that are cancelled in a loop of reads and writes
//   errno    what errno is before and after calls that work and calls that fail
//   cookie   a stream whose write function writes to two files
// What it prints does not depend on when signals arrive.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static int log_fd;
static volatile sig_atomic_t ticks;

static void every(long us) {
  struct itimerval timer = {{0, us}, {0, us}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

static void tick(int signal) {
  (void)signal;
  int saved = errno;
  if (ticks < 50 && write(log_fd, "tick\n", 5) == 5) ++ticks;
  errno = saved;
}

static int in_handlers(void) {
  struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  every(1000);
  char block[64] = {0};
  int fd = open("data", O_CREAT | O_RDWR, 0644);
  long offset = 0;
  for (int i = 0; i < 2000 || ticks < 50; ++i) {
    if (i < 2000 && pwrite(fd, block, sizeof block, offset) != sizeof block) abort();
    offset += 64;
    if (i >= 2000) usleep(100);
  }
  every(0);
  close(fd);
  printf("%d ticks\n", (int)ticks);
  return 0;
}

static sigjmp_buf back;
static volatile sig_atomic_t may_jump;

static void jump(int signal) {
  (void)signal;
  if (may_jump) siglongjmp(back, 1);
}

// Deeper on the stack than the call that was left.
static __attribute__((noinline)) void write_deep(int fd, int depth) {
  volatile char frame[256] = {0};
  if (depth > 0)
    write_deep(fd, depth - 1 + frame[3]);
  else if (write(fd, "after\n", 6) != 6)
    abort();
}

static int by_jumping(void) {
  struct sigaction action = {.sa_handler = jump};
  sigaction(SIGALRM, &action, NULL);
  int mine = open("locked", O_CREAT | O_RDWR, 0644);
  int waiting = open("locked", O_RDWR);
  if (flock(mine, LOCK_EX) != 0) abort();
  int fd = open("data", O_CREAT | O_RDWR, 0644);
  int scratch = open("scratch", O_CREAT | O_RDWR, 0644);
  for (int i = 0; i < 100; ++i)
    if (write(scratch, "x", 1) != 1) abort();
  for (volatile int i = 0; i < 5; ++i) {
    if (sigsetjmp(back, 1) == 0) {
      may_jump = 1;
      every(2000);
      if (flock(waiting, LOCK_EX) == 0) abort();
    }
    may_jump = 0;
    every(0);
    write_deep(fd, i);
  }
  // Out of the middle of recording, sooner or later.
  for (volatile int i = 0; i < 100; ++i) {
    if (sigsetjmp(back, 1) == 0) {
      may_jump = 1;
      every(300);
      for (;;)
        if (pwrite(scratch, "x", 1, random() % 100) != 1) abort();
    }
    may_jump = 0;
    every(0);
    write_deep(fd, i % 7);
  }
  puts("jumped 105 times");
  return 0;
}

static void* endless(void* argument) {
  int fd = *(int*)argument;
  char block[64] = {0};
  for (;;) {
    if (pwrite(fd, block, sizeof block, 0) < 0) abort();
    if (pread(fd, block, sizeof block, 0) < 0) abort();
  }
  return NULL;
}

static int by_cancelling(void) {
  int fd = open("data", O_CREAT | O_RDWR, 0644);
  const char block[64] = {0};  // the file is the same whether threads come to write it or not
  if (pwrite(fd, block, sizeof block, 0) < 0) abort();
  for (int i = 0; i < 20; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, endless, &fd);
    usleep(500);
    pthread_cancel(thread);
    void* result;
    pthread_join(thread, &result);
    if (result != PTHREAD_CANCELED) abort();
  }
  close(fd);
  puts("cancelled 20 threads");
  return 0;
}

static int of_errno(void) {
  char byte = 0;
  errno = 1234;
  int fd = open("data", O_CREAT | O_RDWR, 0644);
  printf("open %d\n", errno);
  for (int i = 0; i < 5000; ++i) {
    if (pwrite(fd, &byte, 1, i % 7 * (i % 13)) != 1) abort();
    if (errno != 1234) abort();
  }
  struct stat info;
  fstat(fd, &info);
  FILE* stream = fopen("stream", "w");
  fputs("text", stream);
  fclose(stream);
  close(fd);
  printf("working calls leave %d\n", errno);
  printf("%d %s\n", open("no/such/file", O_RDONLY), strerror(errno));
  printf("%d %s\n", (int)write(fd, &byte, 1), strerror(errno));
  printf("%d %s\n", (int)read(-1, &byte, 1), strerror(errno));
  printf("%d %s\n", mkdir(".", 0755), strerror(errno));
  printf("%d %s\n", rmdir("data"), strerror(errno));
  printf("%d %s\n", fopen("no/such/file", "r") != NULL, strerror(errno));
  printf("%d %s\n", close(fd), strerror(errno));
  printf("%d %s\n", dup2(0, -1), strerror(errno));
  printf("%d %s\n", (int)lseek(0, -1, 77), strerror(errno));
  return 0;
}

static ssize_t write_cookie(void* cookie, const char* data, size_t size) {
  int* fds = cookie;
  if (write(fds[0], data, size) < 0) return 0;
  return write(fds[1], data, size);
}

static int by_cookie(void) {
  int fds[2] = {open("first", O_CREAT | O_WRONLY, 0644), open("second", O_CREAT | O_WRONLY, 0644)};
  FILE* outside = fopen("outside", "w");
  FILE* stream = fopencookie(fds, "w", (cookie_io_functions_t){.write = write_cookie});
  setvbuf(stream, NULL, _IONBF, 0);
  for (int i = 0; i < 10; ++i) {
    fprintf(outside, "line %d\n", i);
    fprintf(stream, "line %d\n", i);
  }
  fclose(stream);
  fclose(outside);
  puts("done");
  return 0;
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    int (*run)(void);
  } modes[] = {{"handler", in_handlers},
               {"jump", by_jumping},
               {"cancel", by_cancelling},
               {"errno", of_errno},
               {"cookie", by_cookie}};
  log_fd = open("log", O_CREAT | O_WRONLY | O_APPEND, 0644);
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i)
    if (argc > 1 && strcmp(argv[1], modes[i].name) == 0) return modes[i].run();
  return 2;
}
