// A library that starts threads before main(), as UCX does: one reads a file of its own over and over, and
// many make their first call about when main() begins.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int look(void) {
  char text[16];
  int fd = open("/etc/hostname", O_RDONLY);
  return fd >= 0 && read(fd, text, sizeof text) >= 0 && close(fd) == 0;
}

static void* look_once(void* nothing) {
  look();
  return nothing;
}

static void* look_on(void* nothing) {
  for (;;) look();
  return nothing;
}

static void start(void* (*run)(void*)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, NULL) == 0) pthread_detach(thread);
}

__attribute__((constructor)) static void begin(void) {
  start(look_on);
  for (int i = 0; i < 60; ++i) start(look_once);
}
