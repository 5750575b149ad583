// See child_environment.hpp. Runs in children of vfork too: nothing but their stack and shared counters is
// written.
#include "record/child_environment.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "part/program_file.hpp"
#include "record/recorder.hpp"

extern char** environ;

namespace refrain::record {
namespace {

constexpr std::string_view preload_name = "LD_PRELOAD=", parts_name = "REFRAIN_PARTS=";

void note_start(std::atomic<uint64_t> SessionPage::*counter) {
  if (SessionPage* page = session_page()) (page->*counter).fetch_add(1, std::memory_order_relaxed);
}

/// Calls `visit` with each library of a list as LD_PRELOAD has it.
template <class Visit>
void for_each_library(std::string_view list, Visit visit) {
  for (size_t at = 0; at < list.size();) {
    size_t end = std::min(list.find_first_of(": ", at), list.size());
    if (end > at) visit(list.substr(at, end - at));
    at = end + 1;
  }
}

bool has(std::string_view list, std::string_view library) {
  bool found = false;
  for_each_library(list, [&](std::string_view one) { found |= one == library; });
  return found;
}

bool is_there(const char* library) {
  long error = raw::call(SYS_faccessat, AT_FDCWD, library, R_OK);
  return error == 0 || error == -EPERM;
}

/// A program that may have only a little address space needs it for itself: the library takes some of it, and
/// the dynamic linker gives up where it doesn't fit.
bool has_space() {
  constexpr rlim_t least = 16 << 20;
  struct rlimit limit {};
  return raw::call(SYS_prlimit64, 0, RLIMIT_AS, nullptr, &limit) != 0 || limit.rlim_cur >= least;
}

bool may_run(const char* program) {
  long error = raw::call(SYS_faccessat, AT_FDCWD, program, X_OK);
  return error == 0 || error == -EPERM;
}

}  // namespace

ChildEnvironment::ChildEnvironment(const char* path, char* const* given) : given_(given) {
  const char* own = own_library();
  if (own[0] == 0 || !recorder_is_on()) return;
  KeepErrno keep;
  // Whoever looks for a program along PATH may try to start it everywhere.
  if (path != nullptr && !may_run(path)) return;
  bool recorded = false, preloads = false;
  for (; given != nullptr && given[count_] != nullptr; ++count_) {
    std::string_view setting = given[count_];
    recorded |= setting.starts_with(parts_name);
    if (preloads || !setting.starts_with(preload_name)) continue;
    preloads = setting.size() > preload_name.size();
    place_ = count_;
    others_ = given[count_] + preload_name.size();
  }
  if (!recorded || !preloads) {
    note_start(&SessionPage::cleared);
    return;
  }
  ProgramFile program = path == nullptr ? ProgramFile() : look_at_program(path);
  ours_too_ = is_there(own) && has_space() &&
              (program.preloading == Preloading::works || program.preloading == Preloading::is_static);
  if (!ours_too_) note_start(&SessionPage::unsuited);
  if (!has(others_, program.first_library))
    std::memcpy(first_library_, program.first_library, sizeof first_library_);
  if (has(others_, own) == ours_too_ && first_library_[0] == 0) return;
  room_ = (count_ + 1) * sizeof(char*) + preload_name.size() + sizeof first_library_ + std::strlen(own) +
          std::strlen(others_) + 4;
}

char* const* ChildEnvironment::make(void* room) const {
  auto** settings = static_cast<char**>(room);
  for (size_t i = 0; i <= count_; ++i) settings[i] = given_[i];
  char* text = reinterpret_cast<char*>(settings + count_ + 1);
  settings[place_] = text;
  text += preload_name.copy(text, preload_name.size());
  const char* begin = text;
  auto add = [&](std::string_view library) {
    if (text != begin) *text++ = ':';
    text += library.copy(text, library.size());
  };
  std::string_view own = own_library();
  if (first_library_[0] != 0 && ours_too_) add(first_library_);
  if (ours_too_) add(own);
  for_each_library(others_, [&](std::string_view library) {
    if (library != own) add(library);
  });
  *text = 0;
  return settings;
}

void check_own_environment() {
  ChildEnvironment child(nullptr, environ);
  if (child.room() != 0) note_start(&SessionPage::cleared);
}

}  // namespace refrain::record
