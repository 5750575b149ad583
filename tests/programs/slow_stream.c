// Writes and reads 8 bytes at a time by streams whose own functions take 3 ms for each 4096 bytes, 20 times
// each way; prints how many of these there were.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

static int slow;

static void pass(void) {
  struct timespec pause = {0, 3000000};
  while (nanosleep(&pause, &pause) != 0) {
  }
  ++slow;
}
static ssize_t take(void* cookie, const char* data, size_t size) {
  (void)cookie, (void)data;
  pass();
  return (ssize_t)size;
}
static ssize_t give(void* cookie, char* data, size_t size) {
  (void)cookie;
  pass();
  memset(data, 'x', size);
  return (ssize_t)size;
}

int main(void) {
  static char in_buffer[4096], out_buffer[4096];
  cookie_io_functions_t functions = {.read = give, .write = take};
  FILE* out = fopencookie(NULL, "w", functions);
  FILE* in = fopencookie(NULL, "r", functions);
  if (out == NULL || in == NULL) return 1;
  setvbuf(out, out_buffer, _IOFBF, sizeof out_buffer);
  setvbuf(in, in_buffer, _IOFBF, sizeof in_buffer);
  char data[8] = {0};
  for (int i = 0; i < 20 * 512 + 1; ++i)
    if (fwrite(data, sizeof data, 1, out) != 1) return 1;
  int written = slow;
  for (int i = 0; i < 19 * 512 + 1; ++i)
    if (fread(data, sizeof data, 1, in) != 1) return 1;
  printf("%d %d\n", written, slow - written);
  fclose(in);
  fclose(out);
  return 0;
}
