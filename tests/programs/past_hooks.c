/* I/O that goes past every hook of the C library, and much that doesn't:
     past_hooks raw      1 MiB written and 512 KiB read by system calls of its own
     past_hooks quick    the same in a child that ends by _exit
     past_hooks threads  the same in four threads, a quarter each
     past_hooks ring     asks the kernel for a ring of io_uring; exits with 77 if there is none
     past_hooks seen     all kinds of calls that are seen */
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { block = 64 << 10, blocks = 16 };
static char buffer[block];

static void check(int ok, const char* what) {
  if (ok) return;
  perror(what);
  exit(1);
}

static void raw_io(int first, int count) {
  int fd = open("raw.dat", O_RDWR | O_CREAT, 0600);
  check(fd >= 0, "open");
  for (int i = first; i < first + count; ++i) {
    check(syscall(SYS_pwrite64, fd, buffer, (size_t)block, (long)i * block) == block, "pwrite64");
    if (i % 2 == 0)
      check(syscall(SYS_pread64, fd, buffer, (size_t)block, (long)i * block) == block, "pread64");
  }
  close(fd);
}

static void* quarter(void* number) {
  raw_io((int)(long)number * (blocks / 4), blocks / 4);
  return NULL;
}

static void by_descriptor(void) {
  int fd = open("seen.dat", O_RDWR | O_CREAT | O_TRUNC, 0600),
      copy = open("copy.dat", O_RDWR | O_CREAT, 0600);
  check(fd >= 0 && copy >= 0, "open");
  struct iovec two[2] = {{buffer, block / 2}, {buffer, block / 2}};
  for (int i = 0; i < blocks; ++i) {
    check(write(fd, buffer, block) == block, "write");
    check(pwrite(fd, buffer, block, (long)i * block) == block, "pwrite");
    check(pwritev(fd, two, 2, (long)i * block) == block, "pwritev");
    check(pread(fd, buffer, block, (long)i * block) == block, "pread");
    off_t from = (long)i * block;
    check(sendfile(copy, fd, &from, block) == block, "sendfile");
  }
  struct aiocb request = {.aio_fildes = fd, .aio_buf = buffer, .aio_nbytes = block};
  const struct aiocb* list[1] = {&request};
  for (int i = 0; i < blocks; ++i) {
    check(aio_read(&request) == 0, "aio_read");
    while (aio_error(&request) == EINPROGRESS) aio_suspend(list, 1, NULL);
    check(aio_return(&request) == block, "aio_return");
  }
  close(fd);
  close(copy);
  /* Not recorded, but seen. */
  int null = open("/dev/null", O_WRONLY), ends[2];
  for (int i = 0; i < blocks; ++i) check(write(null, buffer, block) == block, "write to /dev/null");
  close(null);
  check(pipe(ends) == 0, "pipe");
  for (int i = 0; i < 4 * blocks; ++i) {
    check(write(ends[1], buffer, block / 4) == block / 4, "write to a pipe");
    check(read(ends[0], buffer, block / 4) == block / 4, "read from a pipe");
  }
}

static void by_stream(void) {
  FILE* file = fopen("stream.dat", "w+");
  check(file != NULL, "fopen");
  for (int i = 0; i < 200000; ++i) fprintf(file, "line %d\n", i);
  for (int i = 0; i < 1000; ++i) fputs("some words that are put there\n", file);
  rewind(file);
  char line[100];
  while (fgets(line, sizeof line, file) != NULL) {
  }
  for (int i = 0; i < 1000; ++i) { /* each reads a whole buffer for eight bytes */
    fseek(file, (long)(i * 7919 % 200) * 10000, SEEK_SET);
    check(fread(line, 1, 8, file) == 8, "fread");
  }
  for (int i = 0; i < 100; ++i) check(fgetc(file) != EOF, "fgetc");
  fclose(file);
}

int main(int count, char** words) {
  const char* mode = count > 1 ? words[1] : "";
  if (strcmp(mode, "raw") == 0) {
    raw_io(0, blocks);
  } else if (strcmp(mode, "quick") == 0) {
    pid_t child = fork();
    if (child == 0) {
      raw_io(0, blocks);
      _exit(0);
    }
    waitpid(child, NULL, 0);
  } else if (strcmp(mode, "threads") == 0) {
    pthread_t threads[4];
    for (long i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, quarter, (void*)i);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  } else if (strcmp(mode, "ring") == 0) {
    char parameters[256] = {0};
    long ring = syscall(SYS_io_uring_setup, 4, parameters);
    if (ring < 0) return 77;
    close((int)ring);
  } else if (strcmp(mode, "seen") == 0) {
    by_descriptor();
    by_stream();
  } else {
    return 2;
  }
  return 0;
}
