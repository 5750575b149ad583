// Ways out of the folder that a program was started in, by calls of POSIX and stdio: wall_posix CASE OUTSIDE,
// where OUTSIDE is a folder with files to do harm to, and the working directory one whose parent may be
// harmed as well. Every case leaves a mark there. What is recorded of it must not get out when it is
// replayed.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "close_many.h"

#include "wall.h"

static void fill(int fd) { MUST(fd >= 0 && write(fd, "evil\n", 5) == 5 && close(fd) == 0); }
static void spoil(const char* path) { fill(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644)); }
static int folder(const char* path) {
  int fd = open(path, O_RDONLY | O_DIRECTORY);
  MUST(fd >= 0);
  return fd;
}
/// A folder `a` with a link `up` in it that leads to the folder above; the program goes there.
static void go_down(void) { MUST(mkdir("a", 0755) == 0 && chdir("a") == 0 && symlink("..", "up") == 0); }

/// Deeper than any folder above the first one: as many `..` as lead back there lead to / from outside.
static void go_deep(void) {
  for (int i = 0; i < 12; ++i) MUST(mkdir("a", 0755) == 0 && chdir("a") == 0);
}
#define BACK "../../../../../../../../../../../../"

// By their names.
static void absolute(void) {
  spoil(at("file"));
  spoil(at("new"));
}
static void absolute_names(void) {
  MUST(rename(at("file"), at("renamed")) == 0 && unlink(at("victim")) == 0 && rmdir(at("empty")) == 0);
  MUST(mkdir(at("made"), 0755) == 0 && link(at("renamed"), at("linked")) == 0 &&
       symlink("x", at("pointer")) == 0);
  MUST(mkfifo(at("fifo"), 0644) == 0);
}
static void absolute_status(void) {
  MUST(chmod(at("file"), 0600) == 0 && truncate(at("file"), 3) == 0 && utime(at("victim"), NULL) == 0);
  (void)!setxattr(at("file"), "user.evil", "x", 1, 0);
}
static void climbing(void) { spoil("../evil"); }

// Through links that it makes itself.
static void own_link(void) {
  MUST(symlink(at("file"), "l") == 0);
  spoil("l");
}
static void own_link_to_folder(void) {
  MUST(symlink(outside, "l") == 0);
  spoil("l/new");
  MUST(unlink("l/victim") == 0 && chmod("l/file", 0600) == 0);
}
static void own_link_climbing(void) {
  MUST(symlink("../file", "l") == 0);
  spoil("l");
}
static void link_to_itself(void) {
  MUST(mkdir("a", 0755) == 0 && chdir("a") == 0 && symlink(".", "s") == 0);
  spoil("s/../../evil");
}
static void link_up(void) {
  go_down();
  spoil("up/../evil");
}
static void link_up_stdio(void) {
  go_down();
  FILE* file = fopen("up/../evil", "w");
  MUST(file && fputs("evil\n", file) >= 0 && fclose(file) == 0);
}
static void link_up_names(void) {
  go_down();
  MUST(rename("up/../file", "up/../renamed") == 0 && mkdir("up/../made", 0755) == 0);
  MUST(unlink("up/../rootother/file") == 0);
}
static void link_up_status(void) {
  go_down();
  MUST(chmod("up/../file", 0600) == 0 && truncate("up/../file", 2) == 0 && utime("up/../file", NULL) == 0);
}
static void link_up_temporary(void) {
  go_down();
  char name[] = "up/../evil_XXXXXX";
  fill(mkstemp(name));
}
static void link_of_links(void) {
  go_down();
  MUST(symlink("up/..", "out") == 0);
  spoil("out/evil");
}
static void link_from_deep_inside(void) {
  go_deep();
  MUST(symlink(at("file"), BACK "l") == 0);
  spoil(BACK "l");
}
static void longer_name(void) {  // of a folder beside, which begins like that of the first one
  go_down();
  MUST(chdir("up/../rootother") == 0);
  spoil("file");
}
static void hard_link(void) {
  go_down();
  MUST(link("up/../file", "mine") == 0);
  spoil("mine");
}
static void hard_link_of_link(void) {
  MUST(symlink(at("file"), "l") == 0 && linkat(AT_FDCWD, "l", AT_FDCWD, "mine", AT_SYMLINK_FOLLOW) == 0);
  spoil("mine");
}

// From folders that are known by a descriptor.
static void descriptor_climbing(void) {
  MUST(mkdir("a", 0755) == 0);
  int a = folder("a");
  fill(openat(a, "../../evil", O_WRONLY | O_CREAT, 0644));
}
static void descriptor_elsewhere(void) {
  MUST(mkdir("a", 0755) == 0 && mkdir("b", 0755) == 0 && mkdir("b/c", 0755) == 0);
  int a = folder("a");
  MUST(chdir("b/c") == 0);
  fill(openat(a, "../../evil", O_WRONLY | O_CREAT, 0644));
  MUST(mkdirat(a, "../../made", 0755) == 0 && unlinkat(a, "../../file", 0) == 0);
}
static void descriptor_link(void) {
  MUST(mkdir("a", 0755) == 0 && mkdir("a/b", 0755) == 0);
  int root = folder("."), deep = folder("a/b");
  MUST(symlinkat("../../../file", deep, "l") == 0 && symlinkat("../file", root, "l") == 0);
  fill(openat(deep, "l", O_WRONLY | O_TRUNC));
  fill(openat(root, "l", O_WRONLY | O_TRUNC));
}
static void descriptor_link_moved(void) {
  int first = folder(".");
  go_deep();
  MUST(symlinkat(at("file"), first, "l") == 0);
  fill(openat(first, "l", O_WRONLY | O_TRUNC));
}
static void descriptor_outside(void) {
  int there = folder(outside);
  fill(openat(there, "new", O_WRONLY | O_CREAT, 0644));
  MUST(renameat(there, "file", there, "renamed") == 0 && unlinkat(there, "empty", AT_REMOVEDIR) == 0);
  MUST(fchmod(there, 0700) == 0);
}
static void descriptor_only_path(void) {
  int there = open(outside, O_PATH | O_DIRECTORY);
  MUST(there >= 0);
  fill(openat(there, "new", O_WRONLY | O_CREAT, 0644));
  MUST(fchdir(there) == 0);
  spoil("another");
}
static void through_proc(void) {
  int there = folder(outside);
  char path[100];
  snprintf(path, sizeof path, "/proc/self/fd/%d/new", there);
  spoil(path);
  spoil("/proc/self/cwd/../evil");
}

// By making the ground move.
static void renamed_ground(void) {
  MUST(mkdir("a", 0755) == 0 && mkdir("a/b", 0755) == 0 && chdir("a/b") == 0);
  MUST(rename("../../a/b", "../../b") == 0);
  spoil("../../evil");
}
static void renamed_descriptor(void) {
  MUST(mkdir("a", 0755) == 0 && mkdir("a/b", 0755) == 0);
  int b = folder("a/b");
  MUST(rename("a/b", "b") == 0);
  fill(openat(b, "../../evil", O_WRONLY | O_CREAT, 0644));
}
static void descriptors_replaced(void) {
  MUST(mkdir("sub", 0755) == 0);
  int sub = folder("sub");
  go_down();
  MUST(symlink("up/..", "out") == 0);
  for (int n = 50; n < 1000; ++n) MUST(dup2(sub, n) == n);
  spoil("out/evil");
}
static void descriptors_closed(void) {
  closefrom(3);
  spoil("../evil");
  MUST(close_range(3, ~0u, 0) == 0);
  spoil("../worse");
}

struct way {
  const char* name;
  void (*take)(void);
};
static const struct way ways[] = {
    {"absolute", absolute},
    {"absolute_names", absolute_names},
    {"absolute_status", absolute_status},
    {"climbing", climbing},
    {"own_link", own_link},
    {"own_link_to_folder", own_link_to_folder},
    {"own_link_climbing", own_link_climbing},
    {"link_to_itself", link_to_itself},
    {"link_up", link_up},
    {"link_up_stdio", link_up_stdio},
    {"link_up_names", link_up_names},
    {"link_up_status", link_up_status},
    {"link_up_temporary", link_up_temporary},
    {"link_of_links", link_of_links},
    {"link_from_deep_inside", link_from_deep_inside},
    {"longer_name", longer_name},
    {"hard_link", hard_link},
    {"hard_link_of_link", hard_link_of_link},
    {"descriptor_climbing", descriptor_climbing},
    {"descriptor_elsewhere", descriptor_elsewhere},
    {"descriptor_link", descriptor_link},
    {"descriptor_link_moved", descriptor_link_moved},
    {"descriptor_outside", descriptor_outside},
    {"descriptor_only_path", descriptor_only_path},
    {"through_proc", through_proc},
    {"renamed_ground", renamed_ground},
    {"renamed_descriptor", renamed_descriptor},
    {"descriptors_replaced", descriptors_replaced},
    {"descriptors_closed", descriptors_closed},
};

int main(int argc, char** argv) {
  if (argc == 1) {  // which there are
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) puts(ways[i].name);
    return 0;
  }
  outside = argv[2];
  for (size_t i = 0; argc == 3 && i < sizeof ways / sizeof ways[0]; ++i)
    if (strcmp(ways[i].name, argv[1]) == 0) {
      ways[i].take();
      return 0;
    }
  fprintf(stderr, "usage: wall_posix CASE OUTSIDE\n");
  return 2;
}
