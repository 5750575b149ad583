// Makes files whose names would break out of a C string, a printf format or a comment if they were copied as
// they are.
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* const folders[] = {"end *", "what?\?", &"/*"[1]};
static const char* const names[] = {
    "end */ of comment", "what?\?/", "*/* begin", "quote\"; return 1; (", "percent%s%n%d%%", "line\nend",
    "back\\slash\\",     "\377\200", "tab\there", "%05d of 7 in 8",       "#define x",       "?\?=?\?!?\?<\n",
    "trailing space ",   "1",        "$HOME`id`", "{0} and {rank}",
};

int main(void) {
  for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i)
    if (mkdir(folders[i], 0755) != 0) perror(folders[i]);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    int fd = open(names[i], O_WRONLY | O_CREAT, 0644);
    if (fd >= 0 && write(fd, names[i], 1) == 1) close(fd);
  }
  return 0;
}
