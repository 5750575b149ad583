#include "cli/api_missing.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <set>

#include "api/table.hpp"
#include "api/uncovered.hpp"
#include "cli/headers.hpp"
#include "cli/readable.hpp"

namespace refrain::cli {

namespace {

/// Every symbol that leads into the recorder.
std::set<std::string_view> covered() {
  std::set<std::string_view> names(api::watched().begin(), api::watched().end());
  for (const api::Row& row : api::rows()) names.insert(row.name);
  for (const api::Alias& alias : api::aliases()) names.insert(alias.symbol);
  return names;
}

void print_library(const Library& library, const std::vector<std::string>& missing, Output& out) {
  out.line(fmt::format("{}: {} not recorded of {} ({})", library.name, grouped(missing.size()),
                       counted(library.functions.size(), "function", "functions"),
                       printable(library.header.string())));
  size_t width = 0;
  for (const std::string& name : missing) width = std::max(width, name.size());
  for (const std::string& name : missing) {
    std::string_view why = api::reason_uncovered(name);
    out.line(fmt::format("  {:<{}}  {}", name, width, why.empty() ? "NO REASON GIVEN" : why));
  }
}

nlohmann::json library_json(const Library& library, const std::vector<std::string>& missing) {
  auto functions = nlohmann::json::array();
  for (const std::string& name : missing)
    functions.push_back({{"name", name},
                         {"layer", api::layer_of_symbol(name)},
                         {"reason", std::string(api::reason_uncovered(name))}});
  return {{"library", library.name},
          {"header", library.header.string()},
          {"functions", library.functions.size()},
          {"missing", functions}};
}

}  // namespace

Result<int> list_missing(const MissingOptions& options, Output& out) {
  std::vector<std::filesystem::path> folders(options.folders.begin(), options.folders.end());
  if (folders.empty()) folders = header_folders();
  std::vector<Library> libraries = installed_libraries(folders);
  if (libraries.empty())
    return fail(ErrorKind::usage, "neither mpi.h nor hdf5.h was found; name their folders with --headers");
  auto json = nlohmann::json::array();
  std::set<std::string_view> known = covered();
  for (Library& library : libraries) {
    std::erase_if(library.functions, [&](const std::string& name) {
      return !options.layer.empty() && api::layer_of_symbol(name) != options.layer;
    });
    std::vector<std::string> missing;
    for (const std::string& name : library.functions)
      if (!known.contains(name)) missing.push_back(name);
    if (options.json)
      json.push_back(library_json(library, missing));
    else if (!library.functions.empty())
      print_library(library, missing, out);
  }
  if (options.json) out.line(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  return 0;
}

}  // namespace refrain::cli
