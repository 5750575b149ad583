// What a replay tells a recorder that is loaded beside it (record/kernel_entries.cpp), and how it keeps its
// own standard streams; by system calls of its own, past the recorder.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "replay/stage.hpp"

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

void name_in_recording(const char* name) {
  static const auto give = reinterpret_cast<void (*)(const char*)>(recorder_function("refrain_name"));
  if (give != nullptr) give(name);
}

void leave_recording() {
  if (auto pause = recorder_function("refrain_pause")) pause();
}

StandardStreams::StandardStreams()
    : output_(static_cast<int>(syscall(SYS_fcntl, 1, F_DUPFD_CLOEXEC, 200))),
      error_(static_cast<int>(syscall(SYS_fcntl, 2, F_DUPFD_CLOEXEC, 200))) {}

StandardStreams::~StandardStreams() {
  fflush(nullptr);  // into the files that the trace had them in
  syscall(SYS_dup3, output_, 1, 0);
  syscall(SYS_dup3, error_, 2, 0);
  syscall(SYS_close, output_);
  syscall(SYS_close, error_);
}

void StandardStreams::say(const std::string& message) const {
  std::string line = "refrain: " + message + "\n";
  (void)syscall(SYS_write, error_, line.data(), line.size());
}

void restart_recording(const char* command) {
  auto restart = reinterpret_cast<void (*)(const char*)>(recorder_function("refrain_restart"));
  if (restart != nullptr) restart(command);
}

}  // namespace refrain::replay
