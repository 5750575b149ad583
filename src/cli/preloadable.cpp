// See preloadable.hpp; what is known about a program's file is read by record::look_at_program.
#include "cli/preloadable.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "part/program_file.hpp"
#include "session/static_libraries.hpp"

namespace refrain::cli {

namespace {

std::string path_of(const std::string& name) {
  char path[4096];
  return record::find_program(name.c_str(), path, sizeof path) ? path : name;
}

}  // namespace

std::string why_not_preloadable(const std::string& name) {
  std::string program = path_of(name);
  struct stat status {};
  if (stat(program.c_str(), &status) != 0) return {};
  record::ProgramFile file = record::look_at_program(program.c_str());
  if (file.privileged || (status.st_mode & (S_ISUID | S_ISGID)) != 0)
    return program + " is privileged (set-user-id), which forbids preloading";
  switch (file.preloading) {
    case record::Preloading::other_machine:
      return program + " was built for another machine than this recorder";
    case record::Preloading::is_static:
      return program + " is statically linked; see 'refrain help link-flags'";
    case record::Preloading::other_c_library:
      return program + " was built for another C library than this recorder (musl?)";
    case record::Preloading::works:
      break;
  }
  return {};
}

std::vector<std::string> unseen_in(const std::vector<std::string>& command) {
  constexpr size_t most_arguments = 64;
  std::vector<std::string> lines;
  for (size_t i = 0; i < std::min(command.size(), most_arguments); ++i) {
    std::string program = path_of(command[i]);
    if (access(program.c_str(), X_OK) != 0) continue;
    std::string line = record::unseen_libraries(program);
    if (!line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(std::move(line));
  }
  return lines;
}

void suit_preload(const std::string& name, const std::string& library,
                  std::vector<std::string>& environment) {
  record::ProgramFile file = record::look_at_program(path_of(name).c_str());
  for (std::string& setting : environment) {
    size_t at = setting.starts_with("LD_PRELOAD=") ? setting.find(library) : std::string::npos;
    if (at == std::string::npos) continue;
    if (file.preloading == record::Preloading::other_machine ||
        file.preloading == record::Preloading::other_c_library) {
      size_t length = library.size() + (setting[at + library.size()] == ':' ? 1 : 0);
      setting.erase(at, length);
    } else if (file.first_library[0] != 0 && setting.find(file.first_library) == std::string::npos) {
      setting.insert(at, std::string(file.first_library) + ":");
    }
  }
}

}  // namespace refrain::cli
