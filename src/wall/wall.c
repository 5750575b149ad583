// The text of kernels, compiled for replays; see wall.hpp.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

// clang-format off
#include "wall/descriptors.h"
#include "wall/root.h"
#include "wall/links.h"
#include "wall/names.h"
#include "wall/memory.h"
#include "wall/requests.h"
#include "wall/sandbox.h"
#include "wall/tree.h"
// clang-format on

int refrain_wall_begin(void) { return wall_begin(); }
const char* refrain_wall_folder(void) { return wall_folder; }
void refrain_wall_moves(void) { wall_moves = 1; }
void refrain_wall_share(void) { wall_shared = 1; }
bool refrain_wall_holds(int at) {
  char place[4200];
  return wall_where(at, place, sizeof place) == 0;
}
const char* refrain_wall_place(int at, const char* path, bool follow, char* image, size_t size,
                               const char** reason) {
  return wall_place(at, path, follow, image, size, reason);
}
const char* refrain_wall_walk(const char* path, bool follow, char* physical, size_t size) {
  return wall_walk(path, follow, physical, size);
}
const char* refrain_wall_target(int at, const char* path, const char* target, char* image, size_t size) {
  return wall_target(at, path, target, image, size);
}
const char* refrain_wall_move(int from_at, const char* from, int to_at, const char* to) {
  return wall_move(from_at, from, to_at, to);
}
size_t refrain_wall_prefix_length(const char* name) { return prefix_length(name); }
bool refrain_wall_is_plain_extension(const char* text) { return is_plain_extension(text); }
bool refrain_wall_is_plain_series(const char* name) { return is_plain_series(name); }
int refrain_wall_out_of_reach(int fd) { return out_of_reach(fd); }
int refrain_wall_close_around(unsigned first, unsigned last, int flags) {
  return close_around(first, last, flags);
}
void* refrain_wall_take_mapped(void* address, size_t length) { return take_mapped(address, length); }
bool refrain_wall_is_mapped(uintptr_t begin, size_t length, bool unmaps) {
  return is_mapped(begin, length, unmaps);
}
void* refrain_wall_room_to_map(size_t length, int flags) { return room_to_map(length, flags); }
ssize_t refrain_wall_store_pages(char* at, size_t length) { return store_pages(at, length); }
bool refrain_wall_is_harmless_request(unsigned long request) { return is_harmless_request(request); }
bool refrain_wall_is_device(mode_t mode) { return is_device(mode); }
int refrain_wall_version(const char** reason) { return wall_version(reason); }
const char* refrain_wall_raise(bool uses_mpi) { return wall_raise(uses_mpi); }

struct refrain_tree_step {
  long long at;
  int kind, number;
};
_Static_assert(sizeof(struct refrain_tree_step) == sizeof(struct tree_step), "one is taken for the other");
int refrain_tree_number(void) { return tree_number(); }
const char* refrain_tree_root(void) { return tree_root; }
const char* refrain_tree_make(int processes, int links) { return tree_make(processes, links); }
void refrain_tree_follow(const struct refrain_tree_step* steps, size_t count, char** words) {
  tree_follow((const struct tree_step*)(const void*)steps, count, words);
}
void refrain_tree_call(void) { tree_call(); }
void refrain_tree_rest(void) { tree_rest(); }
void refrain_tree_change(void) { tree_change(); }
void refrain_tree_wait_for_all(void) { tree_wait_for_all(); }
void refrain_tree_abandon(void) {
  if (tree) __atomic_store_n(&tree->failed, 1, __ATOMIC_SEQ_CST);
}
bool refrain_tree_has_failed(void) { return tree && __atomic_load_n(&tree->failed, __ATOMIC_SEQ_CST); }
int refrain_tree_said(int which) { return tree ? tree->said[which] : which + 1; }
long long refrain_tree_add(int place, long long more) {
  return __atomic_add_fetch(&tree->sums[place], more, __ATOMIC_SEQ_CST);
}
int refrain_tree_handed_down(int fd, const char* path, int flags) {
  return tree_handed_down(fd, path, flags);
}
