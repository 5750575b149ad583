// Which descriptor numbers does a program get? It writes them down: `descriptors MODE`.
//   plain        opens a few files
//   close_all    first closes every descriptor from 3 on, one by one
//   close_range  ... with close_range, then with closefrom after opening more
//   close_std    first closes standard input, output and error
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "close_many.h"

static char report[4096];

static void say(const char* what, int fd) {
  size_t used = strlen(report);
  snprintf(report + used, sizeof report - used, "%s %d\n", what, fd);
}

static void open_some(const char* when) {
  char name[64];
  for (int i = 0; i < 3; ++i) {
    snprintf(name, sizeof name, "%s_%d", when, i);
    int fd = open(name, O_CREAT | O_RDWR, 0644);
    say(name, fd);
    if (write(fd, name, strlen(name)) < 0) abort();
  }
  FILE* stream = fopen("stream", "a+");
  say("stream", fileno(stream));
  fputs(when, stream);
  fflush(stream);
  DIR* folder = opendir(".");
  say("folder", dirfd(folder));
  int ends[2];
  if (pipe(ends) != 0) abort();
  say("pipe", ends[0]);
  say("pipe", ends[1]);
  say("copy", dup(ends[0]));
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "plain";
  if (strcmp(mode, "close_all") == 0)
    for (int fd = 3; fd < 1024; ++fd) close(fd);
  if (strcmp(mode, "close_range") == 0) say("close_range", close_range(3, ~0u, 0));
  if (strcmp(mode, "close_std") == 0)
    for (int fd = 0; fd < 3; ++fd) close(fd);
  open_some("first");
  if (strcmp(mode, "close_all") == 0)
    for (int fd = 3; fd < 1024; ++fd) close(fd);
  if (strcmp(mode, "close_range") == 0) closefrom(3);
  open_some("second");
  int fd = open("report", O_CREAT | O_WRONLY, 0644);
  say("report", fd);
  if (write(fd, report, strlen(report)) < 0) abort();
  return 0;
}
