// The environment that a program is started with. What keeps it recorded is put back where the application
// meant something else, and taken away where it would do harm:
//
//   LD_PRELOAD set to other libraries      ours stands before them;
//   a program with a sanitizer's runtime   the runtime stands before ours: it insists;
//   a program that can't load our library  ours is not there, nor where the library can't be found (chroot),
//                                          or hardly any address space is left (ulimit -v).
//
// An environment without the recording (env -i, sudo), or without libraries to preload, was made so on
// purpose. It stays as it is, and the trace says that something was started without the recorder.
#pragma once

#include <cstddef>

namespace refrain::record {

class ChildEnvironment {
 public:
  /// `path`: of the program, nullptr if it isn't known. `given`: what the application passes; both must stay.
  ChildEnvironment(const char* path, char* const* given);

  /// Bytes that make() needs, 0 if the environment is to be passed as it is.
  size_t room() const { return room_; }
  /// The environment to pass, in `room`.
  char* const* make(void* room) const;

 private:
  char* const* given_;
  size_t count_ = 0;         ///< of settings
  size_t place_ = 0;         ///< of LD_PRELOAD among them
  const char* others_ = "";  ///< what it is set to
  char first_library_[64] = {};
  bool ours_too_ = true;
  size_t room_ = 0;
};

/// Notes if programs that the C library starts with the application's own environment aren't recorded.
void check_own_environment();

}  // namespace refrain::record
