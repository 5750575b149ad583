// A library that starts a thread before main(), as UCX does, which reads a file of its own over and over.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void* look(void* nothing) {
  char text[16];
  for (;;) {
    int fd = open("/etc/hostname", O_RDONLY);
    if (fd >= 0 && read(fd, text, sizeof text) >= 0) close(fd);
  }
  return nothing;
}

__attribute__((constructor)) static void begin(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, look, NULL) == 0) pthread_detach(thread);
}
