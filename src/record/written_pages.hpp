// Which pages of a mapping were stored into. The system knows it of memory that was registered with a
// userfaultfd for write protection without messages (Linux 6.7): the first store into a page costs a second
// fault, and PAGEMAP_SCAN tells afterwards which pages had one. Nothing else of the process is touched, no
// thread waits for another, and nothing reads or writes the application's memory. Why this way and no other:
// docs/decisions/0023.
//
// The registration lasts as long as a descriptor is open: one per process, under a high number, and only in
// processes that map files shared and writable.
#pragma once

#include <cstddef>
#include <cstdint>

namespace refrain::record {

uint64_t page_bytes();

/// Begins to watch memory that was just mapped. False if that can't be done here.
bool watch_pages(uint64_t begin, uint64_t end);

/// Calls `visit(context, begin, end)` for each run of pages stored into since the last time, in their order,
/// and forgets them. Returns how far it is known: less than `end` if the memory isn't watched any more.
using VisitRun = void (*)(void* context, uint64_t begin, uint64_t end);
uint64_t take_written_pages(uint64_t begin, uint64_t end, VisitRun visit, void* context);

/// How far memory from `begin` on can be read: behind the end of its file it can't.
uint64_t end_of_file_in(uint64_t begin, uint64_t end);

/// The descriptor, or -1. To the application it isn't open.
int watching_descriptor();
/// Whether it is this one.
bool is_watching_descriptor(int fd);
/// A forked child holds a copy, which is about its parent's memory.
void stop_watching_pages();

}  // namespace refrain::record
