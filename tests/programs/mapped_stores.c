/* Stores into mapped files, one case per word on the command line. Pages are of 4 KiB here or a multiple of
 * that; it counts in pages of the system, so that the pattern is the same everywhere. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "close_many.h"

static size_t page;

static int open_sized(const char* name, size_t pages) {
  int fd = open(name, O_RDWR | O_CREAT, 0644);
  if (fd < 0 || ftruncate(fd, (off_t)(pages * page)) != 0) {
    perror(name);
    exit(1);
  }
  return fd;
}
static char* map(int fd, size_t pages, int protection, int flags, off_t offset) {
  char* made = mmap(NULL, pages * page, protection, flags, fd, offset);
  if (made == MAP_FAILED) {
    perror("mmap");
    exit(1);
  }
  return made;
}
static void store(char* at, size_t first, size_t count) {
  for (size_t i = 0; i < count; ++i) at[(first + i) * page + 7] = 'x';
}
static char* map_shared(const char* name, size_t pages) {
  int fd = open_sized(name, pages);
  char* made = map(fd, pages, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
  close(fd);
  return made;
}

/* Every fourth page, by msync; others by munmap. */
static void pattern(void) {
  char* at = map_shared("pattern", 64);
  for (size_t i = 0; i < 16; ++i) store(at, 4 * i, 1);
  msync(at, 64 * page, MS_SYNC);
  store(at, 5, 3);
  store(at, 8, 1);
  munmap(at, 64 * page);
}
/* A page per step, and a file per step. */
static void steps(void) {
  for (int step = 0; step < 5; ++step) {
    char name[32];
    snprintf(name, sizeof name, "step_%d", step);
    char* at = map_shared(name, 8);
    for (size_t i = 0; i < 8; ++i) {
      store(at, i, 1);
      msync(at + i * page, page, MS_SYNC);
    }
    munmap(at, 8 * page);
  }
}
/* Never unmapped. */
static void at_exit(void) {
  store(map_shared("exit_b", 8), 2, 2);
  store(map_shared("exit_a", 8), 7, 1);
}
/* Nor here, and no exit handler runs. */
static void left_at_once(void) {
  store(map_shared("quick", 8), 3, 2);
  _exit(0);
}
/* Nothing reaches a file, or nothing is stored. */
static void unseen(void) {
  int fd = open_sized("unseen", 8);
  char* at = map(fd, 8, PROT_READ | PROT_WRITE, MAP_PRIVATE, 0);
  store(at, 0, 8);
  munmap(at, 8 * page);
  at = map(fd, 8, PROT_READ, MAP_SHARED, 0);
  char read = at[3 * page];
  munmap(at, 8 * page);
  at = map(fd, 8, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
  read = (char)(read + at[5 * page]);
  munmap(at, 8 * page);
  if (read != 0) exit(1);
  close(fd);
}
/* A mapping in the middle of a file; a mapping that reaches beyond the end of its file; one of allocated
 * space. */
static void sizes(void) {
  int fd = open_sized("middle", 64);
  char* at = map(fd, 16, PROT_READ | PROT_WRITE, MAP_SHARED, (off_t)(32 * page));
  store(at, 3, 2);
  munmap(at, 16 * page);
  close(fd);
  fd = open_sized("short", 3);
  at = map(fd, 16, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
  store(at, 1, 2);
  munmap(at, 16 * page);
  close(fd);
  fd = open_sized("allocated", 16);
  if (posix_fallocate(fd, 0, (off_t)(16 * page)) != 0) exit(1);
  at = map(fd, 16, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
  store(at, 15, 1);
  munmap(at, 16 * page);
  close(fd);
}
/* Parts are unmapped, replaced and moved. */
static void parts(void) {
  char* at = map_shared("parts", 16);
  store(at, 1, 1);
  store(at, 9, 1);
  store(at, 15, 1);
  munmap(at + 12 * page, 4 * page);
  store(at, 10, 1);
  if (mmap(at + 8 * page, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
      MAP_FAILED)
    exit(1);
  store(at, 9, 2); /* into memory of its own */
  store(at, 3, 1);
  store(at, 6, 1);
  munmap(at, 4 * page);
  munmap(at + 4 * page, 8 * page);
  at = map_shared("moved", 8);
  store(at, 2, 1);
  at = mremap(at, 8 * page, 4 * page, MREMAP_MAYMOVE);
  if (at == MAP_FAILED) exit(1);
  munmap(at, 4 * page);
}
/* What is cut off a file before it is noted can't be stored into again. */
static void cut_off(void) {
  int fd = open_sized("cut", 16);
  char* at = map(fd, 16, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
  store(at, 2, 1);
  store(at, 12, 1);
  if (ftruncate(fd, (off_t)(8 * page)) != 0) exit(1);
  munmap(at, 16 * page);
  close(fd);
}
/* What fsync brings to the file; and descriptors that are closed by the hundred. */
static void synchronized(void) {
  int fd = open_sized("synced", 16);
  char* at = map(fd, 16, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
  store(at, 0, 2);
  fsync(fd);
  store(at, 1, 1);
  fdatasync(fd);
  for (int i = fd; i < 2000; ++i) close(i);
  closefrom(3);
  store(at, 6, 1);
  munmap(at, 16 * page);
}
/* More than can be watched page by page, and almost all of it behind the end of the file. */
static void huge(void) {
  size_t pages = ((size_t)65 << 30) / page;
  int fd = open_sized("huge", 16);
  char* at = map(fd, pages, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
  store(at, 4, 1);
  msync(at + 4 * page, 2 * page, MS_SYNC);
  munmap(at, pages * page);
  close(fd);
}
/* The recorder's descriptor is closed without its knowing. */
static void unwatched(void) {
  char* at = map_shared("unwatched", 8);
  store(at, 2, 1);
  for (int i = 3; i < 2000; ++i) syscall(SYS_close, i);
  store(at, 4, 1);
  munmap(at, 8 * page);
}
/* The kernel of the system stores for the program, too. */
static void read_into(void) {
  int fd = open_sized("source", 2), target = open_sized("target", 8);
  char* at = map(target, 8, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
  if (pread(fd, at + 4 * page, 2 * page, 0) != (ssize_t)(2 * page)) exit(1);
  munmap(at, 8 * page);
  close(target);
  close(fd);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {{"pattern", pattern},
               {"steps", steps},
               {"unseen", unseen},
               {"sizes", sizes},
               {"parts", parts},
               {"cut_off", cut_off},
               {"synchronized", synchronized},
               {"read_into", read_into},
               {"huge", huge},
               {"unwatched", unwatched},
               {"at_exit", at_exit},
               {"quick_exit", left_at_once}};
  page = (size_t)sysconf(_SC_PAGESIZE);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c)
    for (int i = 1; i < argc; ++i)
      if (strcmp(argv[i], cases[c].name) == 0) cases[c].run();
  return 0;
}
