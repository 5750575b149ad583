// Gives up rights between two halves of its writing: `confined MODE CALLS [irregular]`.
//   chroot    its way to files outside a folder
//   closed    the same, then closes all that may be open but its file
//   setuid    its privileges; then a thread writes, too, and so does a child
//   seteuid   its privileges, and takes them back, over and over
//   filter    all system calls but those that it needs: others are its end (seccomp)
//   seek      the same, then seeks where there is no rule
//   strict    all but read, write and exit
//   inherit   some system calls, then becomes cksum
// It makes CALLS calls of write, twice as many where others write, too. Sizes have no rule if that is wanted.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "close_many.h"

enum { nobody = 65534 };

static void check(int good) {
  if (!good) abort();
}

static int irregular;
static int file;

static void write_some(long calls, unsigned seed) {
  static const char block[64];
  for (long i = 0; i < calls; ++i) {
    seed = seed * 1664525 + 1013904223;
    size_t size = irregular ? 1 + (seed >> 8) % sizeof block : 10;
    check(write(file, block, size) == (ssize_t)size);
  }
}

static void* write_in_thread(void* calls) {
  write_some(*(long*)calls, 7);
  return NULL;
}

static void by_others(long calls) {
  long half = calls / 2;
  pthread_t thread;
  check(pthread_create(&thread, NULL, write_in_thread, &half) == 0);
  check(pthread_join(thread, NULL) == 0);
  pid_t child = fork();
  check(child >= 0);
  if (child == 0) {
    write_some(half, 8);
    exit(0);
  }
  int status;
  check(waitpid(child, &status, 0) == child && status == 0);
}

static void install(const struct sock_filter* filter, unsigned short length) {
  struct sock_fprog program = {.len = length, .filter = (struct sock_filter*)filter};
  check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  check(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0);
}

#define NUMBER BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define IF(number, action) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, action)
#define ELSE(action) BPF_STMT(BPF_RET | BPF_K, action)
#define ALLOW SECCOMP_RET_ALLOW
#define KILL SECCOMP_RET_KILL_PROCESS

static void allow_few(void) {
  static const struct sock_filter filter[] = {NUMBER,
                                              IF(SYS_read, ALLOW),
                                              IF(SYS_write, ALLOW),
                                              IF(SYS_close, ALLOW),
                                              IF(SYS_lseek, ALLOW),
                                              IF(SYS_exit_group, ALLOW),
                                              ELSE(KILL)};
  install(filter, sizeof filter / sizeof filter[0]);
}

static void forbid_some(void) {
  static const struct sock_filter filter[] = {NUMBER,
                                              IF(SYS_fallocate, KILL),
                                              IF(SYS_ftruncate, KILL),
                                              IF(SYS_rt_tgsigqueueinfo, KILL),
                                              IF(SYS_uname, KILL),
                                              ELSE(ALLOW)};
  install(filter, sizeof filter / sizeof filter[0]);
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const char* mode = argv[1];
  long calls = atol(argv[2]);
  irregular = argc > 3;
  file = open("data", O_CREAT | O_WRONLY, 0644);
  write_some(calls / 2, 1);
  if (strcmp(mode, "chroot") == 0) {
    check(mkdir("jail", 0755) == 0 && chroot("jail") == 0 && chdir("/") == 0);
    by_others(calls);
  } else if (strcmp(mode, "closed") == 0) {
    check(mkdir("jail", 0755) == 0 && chroot("jail") == 0 && chdir("/") == 0);
    int closed = 0;
    for (int fd = file + 1; fd < 2000; ++fd) closed += close(fd) == 0;
    printf("%d were open\n", closed);
    closefrom(file + 1);
    check(close_range((unsigned)file + 1, ~0u, 0) == 0);
  } else if (strcmp(mode, "setuid") == 0) {
    check(setuid(nobody) == 0);
    by_others(calls);
  } else if (strcmp(mode, "seteuid") == 0) {
    for (int i = 0; i < 10; ++i) {
      check(seteuid(nobody) == 0);
      write_some(calls / 20, 9);
      check(seteuid(0) == 0);
    }
    return 0;
  } else if (strcmp(mode, "filter") == 0) {
    allow_few();
    write_some(calls / 2, 2);
    check(close(file) == 0);
    _exit(0);
  } else if (strcmp(mode, "seek") == 0) {
    allow_few();
    unsigned long long place = 1;
    for (long i = 0; i < calls; ++i) {
      place = place * 6364136223846793005 + 1442695040888963407;
      check(lseek(file, (off_t)(place >> 24), SEEK_SET) >= 0);
    }
    _exit(0);
  } else if (strcmp(mode, "strict") == 0) {
    check(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0) == 0);
    write_some(calls / 2, 2);
    syscall(SYS_exit, 0);
  } else if (strcmp(mode, "inherit") == 0) {
    forbid_some();
    execlp("cksum", "cksum", "data", NULL);
    return 3;
  }
  write_some(calls / 2, 2);
  return 0;
}
