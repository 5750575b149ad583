// What a replay can't do again as it was and has stand-ins for: names that the library makes up, streams that
// consist of the program's own functions, a request whose argument is another descriptor.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MUST(condition)                                     \
  if (!(condition)) {                                       \
    fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
    exit(1);                                                \
  }

static void temporary_names(void) {
  for (int i = 0; i < 3; ++i) {
    char name[] = "part_XXXXXX", with_end[] = "part_XXXXXX.txt", renamed[32];
    int fd = mkstemp(name);
    MUST(fd >= 0 && write(fd, "temporary\n", 10) == 10 && close(fd) == 0);
    fd = open(name, O_RDONLY);
    MUST(fd >= 0 && close(fd) == 0);
    snprintf(renamed, sizeof renamed, "kept_%d", i);
    MUST(rename(name, renamed) == 0);
    fd = mkostemps(with_end, 4, O_APPEND);
    MUST(fd >= 0 && write(fd, "gone\n", 5) == 5 && close(fd) == 0);
    MUST(unlink(with_end) == 0);
  }
  char nowhere[] = "no/such/folder_XXXXXX";
  MUST(mkstemp(nowhere) < 0);
}

static size_t taken;
static ssize_t take(void* cookie, const char* data, size_t size) {
  (void)cookie, (void)data;
  taken += size;
  return (ssize_t)size;
}
static ssize_t give(void* cookie, char* data, size_t size) {
  (void)cookie;
  memset(data, 'x', size);
  return (ssize_t)size;
}

static void own_streams(void) {
  char data[100];
  FILE* out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = take});
  MUST(out && fwrite("0123456789", 1, 10, out) == 10 && fputs("line\n", out) >= 0);
  MUST(fclose(out) == 0 && taken == 15);
  FILE* in = fopencookie(NULL, "r", (cookie_io_functions_t){.read = give});
  MUST(in && fread(data, 10, 10, in) == 10 && fgetc(in) == 'x' && fclose(in) == 0);
}

/// Most file systems can't do that, and say so.
static void clone(void) {
  int from = open("kept_0", O_RDONLY), to = open("clone", O_WRONLY | O_CREAT, 0644);
  MUST(from >= 0 && to >= 0);
  (void)!ioctl(to, _IOW(0x94, 9, int), from);
  MUST(close(to) == 0 && close(from) == 0);
}

int main(void) {
  temporary_names();
  own_streams();
  clone();
  return 0;
}
