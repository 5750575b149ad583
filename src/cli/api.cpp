// `refrain api`: which functions are recorded, straight from the rows the recorder is made of.
#include "api/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/api_missing.hpp"
#include "cli/command.hpp"
#include "cli/readable.hpp"

namespace refrain::cli {

namespace {

struct ApiOptions {
  std::string layer;
  bool json = false;
  bool missing = false;
  std::vector<std::string> headers;
};

std::vector<std::string> aliases_of(const api::Row& row) {
  std::vector<std::string> names;
  for (const api::Alias& alias : api::aliases()) {
    if (alias.layer == row.layer && alias.function == row.name) names.emplace_back(alias.symbol);
  }
  return names;
}

bool wanted(const api::Row& row, const ApiOptions& options) {
  return row.is_function && (options.layer.empty() || row.layer == options.layer);
}

/// `ssize_t pread(int fd, void* buf, size_t count, off_t offset)  also pread64`, or `...  since HDF5 1.14`
std::string prototype(const api::Row& row) {
  std::string text = fmt::format("{} {}(", row.result_type, row.name);
  const char* separator = "";
  for (const api::Argument& argument : row.arguments) {
    text += fmt::format("{}{} {}", separator, argument.type, argument.name);
    separator = ", ";
  }
  text += ')';
  separator = "  also ";
  for (const std::string& alias : aliases_of(row)) {
    text += separator + alias;
    separator = ", ";
  }
  if (std::string_view version = api::since(row.id); !version.empty())
    text += fmt::format("  since {} {}", api::layer_named(api::layer_named(row.layer).home).product, version);
  return text;
}

void print_layer(std::string_view layer, const ApiOptions& options, Output& out) {
  std::vector<std::string> lines;
  size_t symbols = 0;
  for (const api::Row& row : api::rows()) {
    if (row.layer != layer || !wanted(row, options)) continue;
    lines.push_back(prototype(row));
    symbols += 1 + aliases_of(row).size();
  }
  if (lines.empty()) return;
  out.line(fmt::format("{}: {}, {}", layer, counted(lines.size(), "function", "functions"),
                       counted(symbols, "symbol", "symbols")));
  for (const std::string& line : lines) out.line("  " + line);
}

nlohmann::json row_json(const api::Row& row) {
  auto arguments = nlohmann::json::array();
  for (const api::Argument& argument : row.arguments) {
    arguments.push_back({{"name", argument.name},
                         {"type", argument.type},
                         {"kind", api::facts_of(argument.kind).name},
                         {"meaning", api::facts_of(argument.kind).meaning}});
  }
  auto since = api::since(row.id).empty() ? nlohmann::json() : nlohmann::json(api::since(row.id));
  return {{"layer", row.layer},
          {"name", row.name},
          {"group", row.group},
          {"since", since},
          {"aliases", aliases_of(row)},
          {"arguments", arguments},
          {"result", {{"type", row.result_type}, {"kind", api::facts_of(row.result).name}}}};
}

Result<int> list_api(const ApiOptions& options, Output& out) {
  if (!options.layer.empty() && !api::is_layer(options.layer)) {
    std::string names;
    for (const api::LayerFacts& layer : api::layers)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", layer.name);
    return fail(ErrorKind::usage,
                fmt::format("no layer is named '{}'; there are {}", printable(options.layer), names));
  }
  if (options.missing)
    return list_missing({.folders = options.headers, .layer = options.layer, .json = options.json}, out);
  if (!options.json) {
    for (const api::LayerFacts& layer : api::layers) print_layer(layer.name, options, out);
    return 0;
  }
  auto functions = nlohmann::json::array();
  for (const api::Row& row : api::rows()) {
    if (wanted(row, options)) functions.push_back(row_json(row));
  }
  out.line(functions.dump(2));
  return 0;
}

}  // namespace

void add_api(CLI::App& root, Action& action) {
  CLI::App* command = add_command(root, "api", "List the functions that are recorded",
                                  "refrain api --layer stdio\n  refrain api --json | jq length\n"
                                  "  refrain api --missing --layer mpiio");
  auto options = std::make_shared<ApiOptions>();
  command->add_option("--layer", options->layer, "Only the functions of this layer")->type_name("L");
  command->add_flag("--json", options->json, "As JSON, with the meaning of every argument");
  CLI::Option* missing =
      command->add_flag("--missing", options->missing,
                        "List the functions of the installed MPI and HDF5 that are not recorded");
  command->add_option("--headers", options->headers, "Folder with mpi.h or hdf5.h, instead of the compiler's")
      ->needs(missing)
      ->type_name("DIR");
  command->callback(
      [&action, options] { action = [options](Output& out) { return list_api(*options, out); }; });
}

}  // namespace refrain::cli
