// Writes, then takes a megabyte of memory; fails if there isn't any: `address_space [size]` prints how much
// address space it has in kB, too.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_size(void) {
  char line[256];
  FILE* status = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, status) != NULL)
    if (strncmp(line, "VmSize:", 7) == 0) printf("%ld\n", strtol(line + 7, NULL, 10));
  fclose(status);
}

int main(int argc, char** argv) {
  (void)argv;
  int file = open("data", O_CREAT | O_WRONLY, 0644);
  for (int i = 0; i < 5000; ++i)
    if (write(file, "data", 4) != 4) return 4;
  close(file);
  char* block = malloc(1 << 20);
  if (block == NULL) return 3;
  memset(block, 1, 1 << 20);
  if (argc > 1) print_size();
  return 0;
}
