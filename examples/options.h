// The command line of the example applications: options are `--name VALUE` or `--name=VALUE`, integers or
// texts, described by a table. Also the one way in which an example gives up: it says why and stops all
// ranks.
#ifndef REFRAIN_EXAMPLES_OPTIONS_H
#define REFRAIN_EXAMPLES_OPTIONS_H
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One option: where its value goes (a number of at least `least`, or a text) and what it means.
struct option_row {
  const char* name;
  const char* meaning;
  int* number;
  int least;
  const char** text;
};

static inline void refuse(const char* program, const char* problem, const char* argument) {
  fprintf(stderr, "%s: %s: %s (try --help)\n", program, problem, argument);
  exit(2);
}

static inline void print_help(const char* program, const char* purpose, const struct option_row* rows) {
  printf("%s: %s\n\nOptions, and what they are without you:\n", program, purpose);
  for (; rows->name != NULL; ++rows) {
    if (rows->number != NULL) {
      printf("  --%-14s %-12d %s\n", rows->name, *rows->number, rows->meaning);
    } else {
      printf("  --%-14s %-12s %s\n", rows->name, *rows->text, rows->meaning);
    }
  }
}

// Reads the options; `--help` prints them and ends the program. Call it before MPI_Init, so that help needs
// no MPI. The table ends with a row without a name.
static inline void read_options(int argc, char** argv, const char* purpose, const struct option_row* rows) {
  const char* slash = strrchr(argv[0], '/');
  const char* program = slash != NULL ? slash + 1 : argv[0];
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) {
      print_help(program, purpose, rows);
      exit(0);
    }
    size_t length = strcspn(argv[i], "=");
    const struct option_row* row = rows;
    while (row->name != NULL && (strncmp(argv[i], "--", 2) != 0 || strlen(row->name) + 2 != length ||
                                 strncmp(argv[i] + 2, row->name, length - 2) != 0)) {
      ++row;
    }
    if (row->name == NULL) refuse(program, "no such option", argv[i]);
    const char* value = argv[i][length] == '=' ? argv[i] + length + 1 : i + 1 < argc ? argv[++i] : NULL;
    if (value == NULL) refuse(program, "this option needs a value", argv[i]);
    if (row->text != NULL) {
      *row->text = value;
      continue;
    }
    char* end = NULL;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || number > INT_MAX || number < row->least) {
      refuse(program, "not a number that makes sense here", argv[i]);
    }
    *row->number = (int)number;
  }
}
#endif
