// Stores into mapped files leave no calls. Where what was stored reaches the file, or can't be seen any more,
// events tell which pages it was: at msync, munmap and fsync, when something else is mapped over them, and at
// the end of the program. Kernels and replays store into the same pages, and a recording of them sees it like
// this.
#pragma once

#include "record/recorder.hpp"

namespace refrain::record {

/// A recorded call, one of the application's own or not, mapped a file: from now on stores are watched, if
/// they reach the file.
void watch_stores(Handle map, const void* address, size_t length, int protection, int flags, int fd,
                  bool outer);

/// Where the events of stores come from.
struct Settler {
  const void* site = nullptr;   ///< in the application, of the call that settles them
  const char* frame = nullptr;  ///< of the hook
};

/// Adds the events of stores into this part of memory. Before the call that synchronizes or ends it.
void settle_stores(Lane& lane, const void* address, size_t length, Settler by);
/// The same for all mappings of the file that is open as `fd`.
void settle_stores_of(Lane& lane, int fd, Settler by);
/// The same for all mappings; at the end of the program, by the thread that ends it.
void settle_all_stores();
/// What a kernel tells: it has stored into this part, as the program did at this place, or somewhere there.
void note_stores(const void* address, size_t length, bool somewhere, Settler by);
/// Nothing of this part is mapped any more, or something else is.
void forget_stores(const void* address, size_t length);
/// The mapping's slot is free again. What is left of it is settled, and then not watched any more.
void end_map(Lane& lane, Handle map);
/// In a process that starts to record anew: its mappings are not known.
void forget_all_stores();

}  // namespace refrain::record
