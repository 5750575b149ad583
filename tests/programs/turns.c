// A job that alternates between computing and writing, and tells when it wrote:
//
//   turns NAME PHASES WRITES [BYTES [COMPUTE_MS [FLAGS]]]
//
// For every phase it prints "NAME begin end": nanoseconds since the system started, when the first write of
// the phase had returned and when the last one was about to be made, so that both lie inside the phase.
// Flags: 'd' says itself when phases begin and end, 's' uses stdio, 'f' does every phase in a forked child,
// 't' in a thread, 'v' starts a program by vfork between phases, 'h' writes in a signal handler, 'w' waits in
// the middle of a phase until the file NAME.go is there.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../src/gate/refrain_gate.h"

static const char* name;
static int writes;
static size_t bytes = 65536;
static const char* flags = "";
static char* data;
static int fd;
static int phase;

static void die(const char* what) {
  perror(what);
  exit(2);
}

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void rest(int ms) {
  struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
  while (nanosleep(&t, &t) != 0) {
  }
}

static void wait_for_go(void) {
  char path[200];
  snprintf(path, sizeof path, "%s.go", name);
  while (access(path, F_OK) != 0) rest(10);
}

static void write_posix(long at) {
  if (pwrite(fd, data, bytes, at * (long)bytes) != (ssize_t)bytes) die("pwrite");
}

static void on_signal(int number) {
  (void)number;
  for (int i = 0; i < writes; ++i) write_posix((long)phase * writes + i);
}

static void write_some(void) {
  long long begin = 0, end = 0;
  FILE* stream = NULL;
  if (strchr(flags, 'd')) refrain_phase_begin(bytes * (size_t)writes);
  if (strchr(flags, 's')) {
    char path[200];
    snprintf(path, sizeof path, "%s.stdio", name);
    stream = fopen(path, phase == 0 ? "w" : "a");
    if (!stream) die(path);
  }
  for (int i = 0; i < writes; ++i) {
    if (i == writes - 1) end = now();
    if (strchr(flags, 'h')) {
      if (i == 0) raise(SIGUSR1);
    } else if (stream) {
      if (fwrite(data, 1, bytes, stream) != bytes || fflush(stream) != 0) die("fwrite");
    } else {
      write_posix((long)phase * writes + i);
    }
    if (i == 0) begin = now();
    if (i == 0 && strchr(flags, 'w')) wait_for_go();
    if (i < writes - 2) rest(2);
  }
  if (stream && fclose(stream) != 0) die("fclose");
  if (strchr(flags, 'd')) refrain_phase_end();
  printf("%s %lld %lld\n", name, begin, end);
  fflush(stdout);
}

static void* in_thread(void* unused) {
  (void)unused;
  write_some();
  return NULL;
}

static void start_program(void) {
  pid_t child = vfork();
  if (child < 0) die("vfork");
  if (child == 0) {
    dup2(STDOUT_FILENO, fd);  // in our memory, but not our descriptor
    execl("/bin/true", "true", (char*)NULL);
    _exit(1);
  }
  waitpid(child, NULL, 0);
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  name = argv[1];
  int phases = atoi(argv[2]);
  writes = atoi(argv[3]);
  if (argc > 4) bytes = strtoul(argv[4], NULL, 10);
  int compute = argc > 5 ? atoi(argv[5]) : 30;
  if (argc > 6) flags = argv[6];
  data = calloc(1, bytes);
  char path[200];
  snprintf(path, sizeof path, "%s.dat", name);
  fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd < 0 || !data) die(path);
  if (strchr(flags, 'h')) signal(SIGUSR1, on_signal);
  for (phase = 0; phase < phases; ++phase) {
    rest(compute);
    if (strchr(flags, 'v')) start_program();
    if (strchr(flags, 'f')) {
      pid_t child = fork();
      if (child < 0) die("fork");
      if (child == 0) {
        write_some();
        _exit(0);
      }
      int status = 0;
      if (waitpid(child, &status, 0) != child || status != 0) return 3;
    } else if (strchr(flags, 't')) {
      pthread_t thread;
      if (pthread_create(&thread, NULL, in_thread, NULL) != 0) die("pthread_create");
      pthread_join(thread, NULL);
    } else {
      write_some();
    }
  }
  return close(fd) == 0 ? 7 : 2;
}
