// What a replay can't do again as it was and has stand-ins for: names that the library makes up, streams that
// consist of the program's own functions, a request whose argument is another descriptor.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MUST(condition)                                     \
  if (!(condition)) {                                       \
    fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
    exit(1);                                                \
  }

static void temporary_names(void) {
  for (int i = 0; i < 3; ++i) {
    char name[] = "part_XXXXXX", with_end[] = "part_XXXXXX.txt", renamed[32];
    int fd = mkstemp(name);
    MUST(fd >= 0 && write(fd, "temporary\n", 10) == 10 && close(fd) == 0);
    fd = open(name, O_RDONLY);
    MUST(fd >= 0 && close(fd) == 0);
    snprintf(renamed, sizeof renamed, "kept_%d", i);
    MUST(rename(name, renamed) == 0);
    fd = mkostemps(with_end, 4, O_APPEND);
    MUST(fd >= 0 && write(fd, "gone\n", 5) == 5 && close(fd) == 0);
    MUST(unlink(with_end) == 0);
  }
  char nowhere[] = "no/such/folder_XXXXXX";
  MUST(mkstemp(nowhere) < 0);
}

/// The name is free again: another file gets it, while a second name is made.
static void name_of_another(void) {
  char first[] = "first_XXXXXX", second[] = "./second_XXXXXX", beside[40];
  int fd = mkstemp(first);
  MUST(fd >= 0 && close(fd) == 0 && unlink(first) == 0 && access(first, F_OK) != 0);
  fd = open(first, O_WRONLY | O_CREAT | O_EXCL, 0600);
  MUST(fd >= 0 && close(fd) == 0);
  fd = mkstemp(second);
  MUST(fd >= 0 && close(fd) == 0);
  snprintf(beside, sizeof beside, "%s.lock", second + 2);
  fd = open(beside, O_WRONLY | O_CREAT, 0600);
  MUST(fd >= 0 && close(fd) == 0);
  MUST(unlink(first) == 0 && unlink(second) == 0 && unlink(beside) == 0);
}

/// Folders, and what is made in them under made-up names and others.
static void folders(void) {
  for (int i = 0; i < 2; ++i) {
    char folder[] = "folder_XXXXXX", inside[64], again[64];
    MUST(mkdtemp(folder) == folder);
    snprintf(inside, sizeof inside, "%s/data%d", folder, i);
    int fd = open(inside, O_WRONLY | O_CREAT, 0644);
    MUST(fd >= 0 && write(fd, "data", 4) == 4 && close(fd) == 0);
    snprintf(again, sizeof again, "%s/1_XXXXXX2", folder);
    fd = mkstemps(again, 1);
    MUST(fd >= 0 && close(fd) == 0);
    int at = open(folder, O_RDONLY | O_DIRECTORY);
    MUST(at >= 0 && unlinkat(at, again + strlen(folder) + 1, 0) == 0 && close(at) == 0);
    MUST(unlink(inside) == 0 && rmdir(folder) == 0);
  }
  char no_place[] = "XXXXX";
  MUST(mkdtemp(no_place) == NULL);
}

/// A name without a file, and one in which the mark stands that traces use for such names.
static void names_alone(void) {
  char* name = tempnam(".", "tmp");
  MUST(name != NULL);
  FILE* file = fopen(name, "w");
  MUST(file && fputs("text\n", file) >= 0 && fclose(file) == 0 && remove(name) == 0);
  free(name);
  int fd = open("mark_\0010\002", O_WRONLY | O_CREAT, 0644);
  MUST(fd >= 0 && close(fd) == 0 && unlink("mark_\0010\002") == 0);
}

/// Another thread uses what this one made.
static char shared_name[] = "shared_XXXXXX";
static void* use_shared(void* unused) {
  (void)unused;
  int fd = open(shared_name, O_RDONLY);
  MUST(fd >= 0 && close(fd) == 0 && unlink(shared_name) == 0);
  return NULL;
}
static void other_thread(void) {
  pthread_t thread;
  int fd = mkstemp(shared_name);
  MUST(fd >= 0 && close(fd) == 0);
  MUST(pthread_create(&thread, NULL, use_shared, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

static size_t taken;
static ssize_t take(void* cookie, const char* data, size_t size) {
  (void)cookie, (void)data;
  taken += size;
  return (ssize_t)size;
}
static ssize_t give(void* cookie, char* data, size_t size) {
  (void)cookie;
  memset(data, 'x', size);
  return (ssize_t)size;
}

static void own_streams(void) {
  char data[100];
  FILE* out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = take});
  MUST(out && fwrite("0123456789", 1, 10, out) == 10 && fputs("line\n", out) >= 0);
  MUST(fclose(out) == 0 && taken == 15);
  FILE* in = fopencookie(NULL, "r", (cookie_io_functions_t){.read = give});
  MUST(in && fread(data, 10, 10, in) == 10 && fgetc(in) == 'x' && fclose(in) == 0);
}

/// Most file systems can't do that, and say so.
static void clone_file(void) {
  int from = open("kept_0", O_RDONLY), to = open("clone", O_WRONLY | O_CREAT, 0644);
  MUST(from >= 0 && to >= 0);
  (void)!ioctl(to, _IOW(0x94, 9, int), from);
  MUST(close(to) == 0 && close(from) == 0);
}

int main(void) {
  temporary_names();
  name_of_another();
  folders();
  names_alone();
  other_thread();
  own_streams();
  clone_file();
  return 0;
}
