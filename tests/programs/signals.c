// Signal handlers that do I/O, as fast as a timer goes: `signals MODE [TICKS]`.
//   first    children whose first call is interrupted by a handler that writes
//   write    a handler that writes while the program writes
//   inside   a handler that writes while the program waits in flock, and ends the waiting
//   jump     a handler that jumps out of writing
//   nested   handlers on a stack of their own that interrupt each other and themselves
//   threads  threads that write and are sent signals by each other
// What it prints does not depend on when signals arrive; how many calls it made is in the file `counts`.
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
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int log_fd, data_fd, lock_fd;
static long wanted = 200;
static volatile sig_atomic_t ticks;
static long calls;

static void check(int good) {
  if (!good) abort();
}

static void every(long us) {
  struct itimerval timer = {{0, us}, {0, us}};
  check(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

static void on(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  check(sigaction(signal, &action, NULL) == 0);
  struct sigaction now;
  check(sigaction(signal, NULL, &now) == 0 && now.sa_handler == handler && (now.sa_flags & SA_SIGINFO) == 0);
}

static void write_counts(const char* format, long first, long second) {
  FILE* counts = fopen("counts", "w");
  fprintf(counts, format, first, second);
  check(fclose(counts) == 0);
}

static void tick(int signal) {
  (void)signal;
  int saved = errno;
  if (ticks < wanted) {
    check(write(log_fd, "tick\n", 5) == 5);
    ++ticks;
  }
  errno = saved;
}

static int first(void) {
  for (long i = 0; i < wanted; ++i) {
    pid_t child = fork();
    check(child >= 0);
    if (child == 0) {
      wanted = 100;
      on(SIGALRM, tick, SA_RESTART);
      every(30 + i % 50);
      check(pwrite(data_fd, "x", 1, 0) == 1);
      every(0);
      _exit(0);
    }
    int status;
    check(waitpid(child, &status, 0) == child && status == 0);
  }
  puts("all children ended");
  return 0;
}

static int writing(void) {
  check(signal(SIGALRM, tick) == SIG_DFL && signal(SIGALRM, tick) == tick);
  every(1000);
  for (; ticks < wanted; ++calls) check(pwrite(data_fd, "data", 4, calls % 100 * 4) == 4);
  every(0);
  write_counts("%ld pwrite\n%ld write\n", calls, ticks);
  puts("written");
  return 0;
}

static volatile sig_atomic_t unlocked;

static void tick_and_unlock(int signal) {
  tick(signal);
  if (ticks < wanted) return;
  check(flock(lock_fd, LOCK_UN) == 0);
  ++unlocked;
}

static int inside(void) {
  int waiting = open("lock", O_RDWR);
  check(flock(lock_fd, LOCK_EX) == 0);
  on(SIGALRM, tick_and_unlock, SA_RESTART);
  every(500);
  check(flock(waiting, LOCK_EX) == 0);
  every(0);
  write_counts("%ld flock\n%ld write\n", 2 + unlocked, ticks);
  puts("waited");
  return 0;
}

static sigjmp_buf back;

static void jump(int signal) {
  tick(signal);
  siglongjmp(back, 1);
}

static int jumping(void) {
  on(SIGALRM, jump, 0);
  every(1000);
  if (sigsetjmp(back, 1) == 0 || ticks < wanted)
    for (;; ++calls) check(pwrite(data_fd, "data", 4, calls % 100 * 4) == 4);
  every(0);
  write_counts("%ld pwrite\n%ld write\n", calls, ticks);
  puts("jumped");
  return 0;
}

static void again(int signal) {
  static volatile sig_atomic_t depth;
  tick(signal);
  if (depth < 3) {
    ++depth;
    raise(depth % 2 ? SIGUSR1 : SIGALRM);
    --depth;
  }
}

static int nested(void) {
  stack_t stack = {.ss_sp = malloc(1 << 17), .ss_size = 1 << 17};
  check(sigaltstack(&stack, NULL) == 0);
  on(SIGALRM, again, SA_NODEFER | SA_ONSTACK | SA_RESTART);
  on(SIGUSR1, again, SA_NODEFER | SA_ONSTACK | SA_RESTART);
  every(1000);
  for (; ticks < wanted; ++calls) check(pwrite(data_fd, "data", 4, calls % 100 * 4) == 4);
  every(0);
  write_counts("%ld pwrite\n%ld write\n", calls, ticks);
  puts("nested");
  return 0;
}

enum { thread_count = 4 };
static pthread_t threads[thread_count];
static volatile int started, stop;
static __thread long thread_calls, thread_ticks;
static long all_calls, all_ticks;

static void thread_tick(int signal) {
  (void)signal;
  int saved = errno;
  check(write(log_fd, "tick\n", 5) == 5);
  ++thread_ticks;
  errno = saved;
}

static void* work(void* unused) {
  __atomic_add_fetch(&started, 1, __ATOMIC_SEQ_CST);
  for (; !stop; ++thread_calls) check(pwrite(data_fd, "data", 4, thread_calls % 100 * 4) == 4);
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  __atomic_add_fetch(&all_calls, thread_calls, __ATOMIC_SEQ_CST);
  __atomic_add_fetch(&all_ticks, thread_ticks, __ATOMIC_SEQ_CST);
  return unused;
}

static int threading(void) {
  on(SIGUSR1, thread_tick, SA_RESTART);
  for (int i = 0; i < thread_count; ++i) check(pthread_create(&threads[i], NULL, work, NULL) == 0);
  while (started < thread_count) usleep(100);
  for (long i = 0; i < wanted; ++i) {
    check(pthread_kill(threads[i % thread_count], SIGUSR1) == 0);
    usleep(300);
  }
  stop = 1;
  for (int i = 0; i < thread_count; ++i) check(pthread_join(threads[i], NULL) == 0);
  write_counts("%ld pwrite\n%ld write\n", all_calls, all_ticks);
  puts("joined");
  return 0;
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    int (*run)(void);
  } modes[] = {{"first", first},  {"write", writing}, {"inside", inside},
               {"jump", jumping}, {"nested", nested}, {"threads", threading}};
  if (argc > 2) wanted = atol(argv[2]);
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i) {
    if (argc < 2 || strcmp(argv[1], modes[i].name) != 0) continue;
    log_fd = open("log", O_CREAT | O_WRONLY | O_APPEND, 0644);
    data_fd = open("data", O_CREAT | O_RDWR, 0644);
    lock_fd = open("lock", O_CREAT | O_RDWR, 0644);
    return modes[i].run();
  }
  return 2;
}
