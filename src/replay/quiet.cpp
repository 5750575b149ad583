// What a replay tells a recorder that is loaded beside it; see record/kernel_entries.cpp.
#include <dlfcn.h>

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

void restart_recording(const char* command) {
  auto restart = reinterpret_cast<void (*)(const char*)>(recorder_function("refrain_restart"));
  if (restart != nullptr) restart(command);
}

}  // namespace refrain::replay
