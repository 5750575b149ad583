// Writes a known number of blocks, mixed with calls that do not repeat, then ends in the way asked for:
// `sudden_end kill|segv|abort|_exit|return BLOCKS`.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void end(const char* how) {
  int* volatile nowhere = (int*)8;
  if (strcmp(how, "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(how, "segv") == 0) *nowhere = 1;
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "_exit") == 0) _exit(6);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  long blocks = atol(argv[2]);
  char block[256];
  memset(block, 'x', sizeof block);
  unsigned random = 1;
  int fd = open("data", O_CREAT | O_RDWR, 0644);
  for (long i = 0; i < blocks; ++i) {
    random = random * 1103515245 + 12345;
    if (pwrite(fd, block, random >> 24, (random >> 8) % 100000) < 0) return 1;
    if (random >> 16 & 1 && write(fd, block, 7) != 7) return 1;
    if (i % 1000 == 0) {
      char name[32];
      snprintf(name, sizeof name, "step_%ld", i);
      close(open(name, O_CREAT | O_WRONLY, 0644));
    }
  }
  dprintf(1, "%ld blocks\n", blocks);
  end(argv[1]);
  return 0;
}
