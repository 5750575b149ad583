// Counters that all processes of a recording share on one host, as a mapped page. Several hosts may share a
// file system, but not mapped memory: one would not see what the other stores, or undo it. So every host has
// a page of its own. The file `session` is the page of the host where the recording began; each other host
// makes `host-NUMBER.page` beside it, and readers add them up.
//
// What crosses hosts at all does so by files that appear whole: link and O_EXCL are atomic over NFS, too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "part/part_layout.hpp"

namespace refrain::record {

/// A session's page as plain numbers.
struct PlainPage {
  uint64_t magic, processes, unrecorded, last_error, other_mpi, meetings, joined, left, description_bytes,
      host, filtered_at, cleared, unsuited, emptied, unseen_read, unseen_written, unseen_processes, ended,
      ring_processes, output_device[2], output_inode[2];
};
static_assert(sizeof(PlainPage) == offsetof(SessionPage, gatherings));

/// Tells hosts apart: by their names, and by when their systems started, as names may be equal. Never 0.
uint64_t host_number();

struct HostPage {
  SessionPage* page = nullptr;  ///< nullptr: see `error`
  bool home = true;             ///< the recording began on this host
  int error = 0;                ///< an errno
};
/// Maps this host's page in a parts folder, and makes it if need be. Also used inside the application.
HostPage map_host_page(const char* folder);

/// Tells the user, once per host, that the ranks here don't see the parts folder; by the first of them, if it
/// is a launcher's own child. Inside the application.
void say_folder_is_missing(const char* folder);

}  // namespace refrain::record
