// What a generated kernel tells the recorder, so that a recording of the kernel holds the calls it was made
// to repeat and nothing else. Kernels look the functions up weakly: one that isn't recorded finds none.
#include <cstdio>
#include <cstring>

#include "record/mapped_stores.hpp"
#include "record/real.hpp"
#include "record/recorder.hpp"

namespace refrain::record {

constinit Replaced replaced;

namespace {

/// Leaves the command in the parts folder; the first process of a recording does.
void note_origin(const char* command) {
  char path[512];
  if (std::snprintf(path, sizeof path, "%s/origin", parts_folder()) >= static_cast<int>(sizeof path)) return;
  int fd = raw::open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (fd < 0) return;
  raw::pwrite(fd, command, strnlen(command, header_bytes), 0);
  raw::close(fd);
}

}  // namespace
}  // namespace refrain::record

/// The process is a kernel of `command`. What it has done so far is not the application's, as when libraries
/// that it is linked with read their settings before main(): recording starts afresh. Threads that libraries
/// have started by then are not recorded any more.
RF_HOOK void refrain_restart(const char* command) {
  using namespace refrain::record;
  if (!recording()) return;
  KeepErrno keep;
  start_again();
  note_origin(command);
}

/// From now on the process calls these in place of the functions they are called after, which would do more
/// here than in the application: close descriptors that the kernel keeps, make a file elsewhere. What is
/// recorded are calls of the functions.
RF_HOOK void refrain_replace(int (*close_range)(unsigned, unsigned, int), void (*closefrom)(int),
                             FILE* (*tmpfile)()) {
  using namespace refrain::record;
  replaced.close_range = close_range;
  replaced.closefrom = closefrom;
  replaced.tmpfile = tmpfile;
}

/// The kernel has stored into this part of a mapping, as the program did at this place; or, if `somewhere`
/// isn't 0, where the program stored isn't known.
RF_HOOK void refrain_note_stores(const void* address, size_t length, int somewhere) {
  refrain::record::note_stores(address, length, somewhere != 0, {RF_SITE, RF_FRAME});
}

/// What this thread does until it resumes is not the application's: setting up, tidying up, reporting.
RF_HOOK void refrain_pause() { refrain::record::pause_thread(true); }
RF_HOOK void refrain_resume() { refrain::record::pause_thread(false); }
