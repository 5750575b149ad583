// Two writes with a sleep of 60 ms between them; prints the nanoseconds that passed from before the first to
// behind the second. `timed killed` ends by SIGKILL.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char** argv) {
  (void)argv;
  int fd = open("timed.dat", O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (fd < 0) return 1;
  struct timespec pause = {0, 60000000};
  long long start = now();
  if (pwrite(fd, "a", 1, 0) != 1) return 1;
  while (nanosleep(&pause, &pause) != 0) {
  }
  if (write(fd, "b", 1) != 1) return 1;
  printf("%lld\n", now() - start);
  fflush(stdout);
  if (argc > 1) raise(SIGKILL);
  return 0;
}
