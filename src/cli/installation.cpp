// See installation.hpp.
#include "cli/installation.hpp"

#include <algorithm>
#include <iterator>

#include "api/layers.hpp"
#include "report/page.hpp"

namespace refrain::cli {

namespace {

/// What stands at this place beside our bin/.
Result<std::filesystem::path> beside_bin(const std::filesystem::path& place) {
  namespace fs = std::filesystem;
  std::error_code problem;
  fs::path program = fs::read_symlink("/proc/self/exe", problem);
  if (problem) return fail(ErrorKind::io, problem.message(), "/proc/self/exe");
  fs::path found = program.parent_path().parent_path() / place;
  if (!fs::exists(found, problem))
    return fail(ErrorKind::io, "not found; it belongs beside the bin folder of this program", found.string());
  return found;
}

}  // namespace

Result<std::filesystem::path> library_path(const std::string& name) {
  return beside_bin(std::filesystem::path("lib") / name);
}

Result<std::filesystem::path> preload_path(const std::string& name) {
  Result<std::filesystem::path> path = library_path(name);
  if (path && path->string().find_first_of(": ") != std::string::npos)
    return fail(ErrorKind::limit,
                "the dynamic loader takes no path with blanks or colons in LD_PRELOAD; put Refrain elsewhere",
                path->string());
  return path;
}

Result<std::filesystem::path> shared_path(const std::string& name) {
  return beside_bin(std::filesystem::path("share") / "refrain" / name);
}

bool can_record(std::string_view layer) {
  constexpr std::string_view missing[] = {"", REFRAIN_MISSING_LIBRARIES};
  return std::find(std::begin(missing), std::end(missing), api::layer_named(layer).home) == std::end(missing);
}

std::string build_text() {
  std::string text;
  auto add = [&](std::string_view what, bool there) {
    text.append("  ").append(what).append(there ? ": yes\n" : ": no\n");
  };
  for (const api::LayerFacts& layer : api::layers)
    if (!layer.is_system && layer.home == layer.name)
      add(std::string("records ").append(layer.product.empty() ? layer.name : layer.product),
          can_record(layer.name));
  add("coordinates jobs (ZeroMQ)", REFRAIN_HAS_ZEROMQ);
  add("simulates (SimGrid)", library_path("librefrain_simgrid.so").has_value());
  add("makes reports (npm)", report::has_page());
  return text;
}

}  // namespace refrain::cli
