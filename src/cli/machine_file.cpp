// See machine_file.hpp.
#include "cli/machine_file.hpp"

#include <filesystem>

#include "cli/installation.hpp"

namespace refrain::cli {

Result<simulate::Machine> load_machine(const std::string& name) {
  std::error_code problem;
  if (std::filesystem::exists(name, problem) || name.find('/') != std::string::npos)
    return simulate::read_machine(name);
  Result<std::filesystem::path> shared = shared_path("machines/" + name + ".json");
  if (!shared)
    return fail(ErrorKind::usage, "no such file, and no machine of that name comes with Refrain", name);
  return simulate::read_machine(shared->string());
}

}  // namespace refrain::cli
