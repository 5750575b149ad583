// The way to the folder of parts. Parts are opened by their paths when they are needed, and no descriptor
// stays open meanwhile. A process that hides the folder from itself (chroot), or becomes a user who may not
// enter it (setuid), keeps it open from then on: under a high number, closed on exec, and looked at before
// each use, since the number may have become the application's.
#pragma once

#include <sys/types.h>

#include <atomic>

namespace refrain::record {

/// Opens a file of the folder of parts: a descriptor or a negative errno. By its path, or where that may have
/// become another one through the folder that was kept.
int open_in_folder(const char* path, int flags, unsigned mode = 0);

/// A copy of a descriptor under a number that no application gets by chance, closed on exec; or a negative
/// errno.
int high_copy(int fd);
/// Whether one was made, in this process or one that it was forked from.
inline std::atomic<bool> has_high_copies{false};

/// Keeps the folder that files are in.
void keep_folder(const char* folder);
/// Its descriptor, or -1. To the application, which may close all that it could have, it isn't open.
int kept_folder();

/// Lets `user` make files in the folder, and no one see those of others.
void open_folder_to_users(const char* folder);
/// A file in the folder belongs to `user` from now on.
void give_file(const char* path, uid_t user);

}  // namespace refrain::record
