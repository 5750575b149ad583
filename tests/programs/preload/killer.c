// Kills the program KILL_PROGRAM, as a crash or a batch system would: by SIGKILL, in its KILL_AT-th call that
// writes to a file; of a parallel job, only rank KILL_RANK. Preloaded behind the recorder, so that the call
// in which the process dies has begun and not ended.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int is(const char* value, const char* variable) {
  const char* wanted = getenv(variable);
  return value == NULL || (wanted != NULL && strcmp(value, wanted) == 0);
}

// Some launchers follow links: python3 and python3.13 are the same.
static int is_program(void) {
  const char* wanted = getenv("KILL_PROGRAM");
  const char* name = program_invocation_short_name;
  return wanted != NULL && *wanted != 0 && strncmp(wanted, name, strlen(name)) == 0;
}

static void count(void) {
  static long calls;
  if (!is_program() || !is(getenv("OMPI_COMM_WORLD_RANK"), "KILL_RANK")) return;
  if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) == atol(getenv("KILL_AT"))) kill(getpid(), SIGKILL);
}

// Each calls what it stands before.
#define BEFORE(type, name, parameters, arguments)               \
  type name parameters;                                         \
  type name parameters {                                        \
    static type(*real) parameters;                              \
    if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, #name); \
    count();                                                    \
    return real arguments;                                      \
  }
BEFORE(ssize_t, pwrite, (int fd, const void* data, size_t size, off_t offset), (fd, data, size, offset))
BEFORE(ssize_t, pwrite64, (int fd, const void* data, size_t size, off64_t offset), (fd, data, size, offset))
BEFORE(ssize_t, pwritev, (int fd, const struct iovec* list, int size, off_t offset), (fd, list, size, offset))
BEFORE(size_t, fwrite, (const void* data, size_t size, size_t n, FILE* file), (data, size, n, file))
BEFORE(int, fseeko, (FILE * file, off_t offset, int whence), (file, offset, whence))

// MPI writes to its own pipes, too, and as often as it likes.
ssize_t write(int fd, const void* data, size_t size) {
  static ssize_t (*real)(int, const void*, size_t);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "write");
  if (fd > STDERR_FILENO && getenv("OMPI_COMM_WORLD_RANK") == NULL) count();
  return real(fd, data, size);
}
