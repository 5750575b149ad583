// What programs that try to leave their folder share: the folder outside, and calls that must work.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#define MUST(condition)                                     \
  if (!(condition)) {                                       \
    fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
    exit(1);                                                \
  }

static const char* outside;

/// The path of a file outside; good until eight others were asked for.
static const char* at(const char* name) {
  static char paths[8][4096];
  static int next;
  char* path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", outside, name);
  return path;
}
