// What a replay tells a recorder that is loaded beside it (record/kernel_entries.cpp), and how it keeps its
// own standard streams; by system calls of its own, past the recorder.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "replay/thread_context.hpp"
#include "wall/wall.hpp"

namespace refrain::replay {
namespace {

void (*recorder_function(const char* name))() {
  return reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, name));
}

thread_local int depth = 0;

}  // namespace

Quiet::Quiet() {
  static const auto pause = recorder_function("refrain_pause");
  if (depth++ == 0 && pause != nullptr) pause();
}

Quiet::~Quiet() {
  static const auto resume = recorder_function("refrain_resume");
  if (--depth == 0 && resume != nullptr) resume();
}

void leave_recording() {
  if (auto pause = recorder_function("refrain_pause")) pause();
}

StandardStreams::StandardStreams()
    : output_(refrain_wall_out_of_reach(static_cast<int>(syscall(SYS_dup, 1)))),
      error_(refrain_wall_out_of_reach(static_cast<int>(syscall(SYS_dup, 2)))) {}

StandardStreams::StandardStreams(bool drops_streams, bool restores)
    : output_(refrain_tree_said(0)),
      error_(refrain_tree_said(1)),
      own_(false),
      drops_streams_(drops_streams),
      restores_(restores) {}

StandardStreams::~StandardStreams() {
  if (!drops_streams_) fflush(nullptr);  // into the files that the trace had them in
  if (!restores_) return;
  syscall(SYS_dup3, output_, 1, 0);
  syscall(SYS_dup3, error_, 2, 0);
  if (!own_) return;
  syscall(SYS_close, output_);
  syscall(SYS_close, error_);
}

void StandardStreams::say(const std::string& message) const {
  std::string line = "refrain: " + message + "\n";
  (void)syscall(SYS_write, error_, line.data(), line.size());
}

namespace {

/// Makes a temporary file below the root: one without a name, or one that is unlinked at once.
FILE* make_tmpfile() {
  Quiet quiet;
  std::string folder = refrain_wall_folder();
  long fd =
      syscall(SYS_openat, AT_FDCWD, (folder + "/").c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) {
    std::string name = folder + "/.refrain.XXXXXX";
    fd = mkostemp(name.data(), O_CLOEXEC);
    if (fd >= 0) unlink(name.c_str());
  }
  return fd < 0 ? nullptr : fdopen(static_cast<int>(fd), "w+");
}

void close_from(int first) {
  refrain_wall_close_around(first < 0 ? 0 : static_cast<unsigned>(first), ~0u, 0);
}

}  // namespace

const ReplacedFunctions& replaced_functions() {
  static const ReplacedFunctions functions = [] {
    ReplacedFunctions ours{refrain_wall_close_around, close_from, make_tmpfile};
    using Replace = void(decltype(ours.close_range), decltype(ours.closefrom), decltype(ours.tmpfile));
    auto* replace = reinterpret_cast<Replace*>(recorder_function("refrain_replace"));
    if (replace == nullptr) return ours;
    replace(ours.close_range, ours.closefrom, ours.tmpfile);
    auto recorded = [](auto function, const char* name) {
      return reinterpret_cast<decltype(function)>(recorder_function(name));
    };
    return ReplacedFunctions{recorded(ours.close_range, "close_range"), recorded(ours.closefrom, "closefrom"),
                             recorded(ours.tmpfile, "tmpfile")};
  }();
  return functions;
}

void tell_of_stores(const void* address, size_t length, bool somewhere) {
  static auto* const note =
      reinterpret_cast<void (*)(const void*, size_t, int)>(recorder_function("refrain_note_stores"));
  if (note != nullptr) note(address, length, somewhere ? 1 : 0);
}

void restart_recording(const char* command) {
  auto restart = reinterpret_cast<void (*)(const char*)>(recorder_function("refrain_restart"));
  if (restart != nullptr) restart(command);
}

}  // namespace refrain::replay
