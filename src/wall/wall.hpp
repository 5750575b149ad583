// The folder that a replay stays in, and what keeps it there. The code is C text that generated kernels carry
// along, so that both are held back by the same wall; each header says what it is for, and
// docs/decisions/0015 why.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

extern "C" {

/// See root.h. One root per process.
int refrain_wall_begin(void);
const char* refrain_wall_folder(void);
/// From now on the process may be in another folder than the root.
void refrain_wall_moves(void);
/// Other threads or processes may change what is below the root, from now on.
void refrain_wall_share(void);
/// Whether a folder, a descriptor or AT_FDCWD, is below the root.
bool refrain_wall_holds(int at);
const char* refrain_wall_place(int at, const char* path, bool follow, char* image, size_t size,
                               const char** reason);
/// As far as a path can be looked up without openat2.
const char* refrain_wall_walk(const char* path, bool follow, char* physical, size_t size);

/// See links.h.
const char* refrain_wall_target(int at, const char* path, const char* target, char* image, size_t size);
const char* refrain_wall_move(int from_at, const char* from, int to_at, const char* to);

/// See names.h.
size_t refrain_wall_prefix_length(const char* name);
bool refrain_wall_is_plain_extension(const char* text);
bool refrain_wall_is_plain_series(const char* name);

/// See descriptors.h.
int refrain_wall_out_of_reach(int fd);
int refrain_wall_close_around(unsigned first, unsigned last, int flags);

/// See memory.h.
void* refrain_wall_take_mapped(void* address, size_t length);
bool refrain_wall_is_mapped(uintptr_t begin, size_t length, bool unmaps);
void* refrain_wall_room_to_map(size_t length, int flags);
ssize_t refrain_wall_store_pages(char* at, size_t length);

/// See requests.h.
bool refrain_wall_is_harmless_request(unsigned long request);
bool refrain_wall_is_device(mode_t mode);

/// See sandbox.h.
int refrain_wall_version(const char** reason);
const char* refrain_wall_raise(bool uses_mpi);

/// See tree.h.
struct refrain_tree_step {
  long long at;
  int kind, number;
};
enum refrain_tree_kind {
  refrain_tree_starts,
  refrain_tree_forks,
  refrain_tree_becomes,
  refrain_tree_awaits,
  refrain_tree_tells,
  refrain_tree_hears
};
int refrain_tree_number(void);
const char* refrain_tree_root(void);
const char* refrain_tree_make(int processes, int links);
/// All that is given must stay where it is.
void refrain_tree_follow(const struct refrain_tree_step* steps, size_t count, char** words);
void refrain_tree_call(void);
void refrain_tree_rest(void);
void refrain_tree_change(void);
void refrain_tree_wait_for_all(void);
/// All processes end as soon as they look.
void refrain_tree_abandon(void);
bool refrain_tree_has_failed(void);
/// Standard output (0) or error (1) of the whole.
int refrain_tree_said(int which);
/// Adds to the sum of this number (below 80), and returns it.
long long refrain_tree_add(int place, long long more);
int refrain_tree_handed_down(int fd, const char* path, int flags);

}  // extern "C"
