/* A long start-up, then steps that write three files each, with some computing before the second of them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char data[1 << 17];

__attribute__((always_inline)) static inline void write_file(const char* kind, int step, int think_us) {
  char name[64];
  snprintf(name, sizeof name, "%s_%d", kind, step);
  int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (fd < 0) exit(1);
  /* Sizes of their own, so that none of this is a loop. */
  const size_t sizes[] = {17, 120, 4, 33, 1000, 250, 8, 77, 19, 300, 5000, 11};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    if (i == 5 && think_us > 0) usleep((unsigned)think_us);
    if (i % 3 == 0   ? write(fd, data, sizes[i]) < 0
        : i % 3 == 1 ? pwrite(fd, data, sizes[i] + (size_t)step, 0) < 0
                     : lseek(fd, (off_t)sizes[i], SEEK_SET) < 0)
      exit(1);
    if (i % 4 == 0) fsync(fd);
    if (i % 5 == 0) (void)!ftruncate(fd, (off_t)sizes[i] * 3);
  }
  if (write(fd, data, sizeof data) < 0) exit(1);
  close(fd);
}

int main(void) {
  struct stat info;
  const char* probed[] = {"a.conf",      "b/c.conf", "lib/x.so", "lib/y.so", "lib/z.so", "home/.rc",
                          "share/t.txt", "opt/u",    "var/v",    "w.so",     "etc/q"};
  for (size_t i = 0; i < sizeof probed / sizeof *probed; ++i) {
    (void)!stat(probed[i], &info);
    if (i % 2) (void)!access(probed[i], R_OK);
    if (i % 3) (void)!open(probed[i], O_RDONLY);
  }
  FILE* log = fopen("log", "w");
  fputs("starting\n", log);
  fprintf(log, "%d probes\n", 11);
  fputc('\n', log);
  fflush(log);
  for (int step = 0; step < 3; ++step) {
    write_file("first", step, 0);
    write_file("second", step, 60000);
    write_file("third", step, 0);
    fprintf(log, "step %d\n", step);
  }
  fclose(log);
  return 0;
}
