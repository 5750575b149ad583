// See installation.hpp.
#include "cli/installation.hpp"

#include <algorithm>
#include <iterator>

#include "api/layers.hpp"

namespace refrain::cli {

Result<std::filesystem::path> library_path(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code problem;
  fs::path program = fs::read_symlink("/proc/self/exe", problem);
  if (problem) return fail(ErrorKind::io, problem.message(), "/proc/self/exe");
  fs::path library = program.parent_path().parent_path() / "lib" / name;
  if (!fs::exists(library, problem)) {
    return fail(ErrorKind::io, "not found; it belongs beside the bin folder of this program",
                library.string());
  }
  return library;
}

bool can_record(std::string_view layer) {
  constexpr std::string_view missing[] = {"", REFRAIN_MISSING_LIBRARIES};
  return std::find(std::begin(missing), std::end(missing), api::layer_named(layer).home) == std::end(missing);
}

}  // namespace refrain::cli
