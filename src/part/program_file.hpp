// What a program's file says to whoever wants to preload a library into it. Looked at before the program is
// started, by the recorder inside other programs too: no memory is allocated, and system calls are made that
// no hook sees. The file is untrusted.
#pragma once

#include <cstddef>

namespace refrain::record {

enum class Preloading {
  works,           ///< as far as can be told
  is_static,       ///< there is no dynamic linker that would load anything
  other_machine,   ///< its dynamic linker would complain
  other_c_library  ///< its dynamic linker can't load a library of ours, and gives up
};

struct ProgramFile {
  Preloading preloading = Preloading::works;
  bool privileged = false;  ///< set-user-id: its dynamic linker ignores preloading
  /// The runtime of a sanitizer, which must be loaded before any other library; empty if it needs none.
  char first_library[64] = {};
};

/// Looks at the program, or at what a script asks to be run by.
ProgramFile look_at_program(const char* path);

/// Finds `name` as execvp would; false if it isn't found, or its path is longer than `size`.
bool find_program(const char* name, char* path, size_t size);

}  // namespace refrain::record
