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

}  // extern "C"
