// `refrain kernels list | info NAME | build NAME | path NAME`: the library of kernels.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/generate.hpp"
#include "cli/kernel_library.hpp"
#include "cli/readable.hpp"
#include "cli/sized_trace.hpp"
#include "format/file.hpp"

namespace refrain::cli {
namespace {

/// For how many ranks it is: "any", or a number.
Result<std::string> ranks_of(const LibraryKernel& kernel) {
  Result<trace::Trace> trace = format::read_file(kernel.trace.string());
  if (!trace) return tl::unexpected(trace.error());
  return trace->scale_free() ? "any" : std::to_string(std::max(trace->nprocs, 1U));
}

Result<int> list(bool json, Output& out) {
  Result<std::vector<LibraryKernel>> kernels = library_kernels();
  if (!kernels) return tl::unexpected(kernels.error());
  nlohmann::json all = nlohmann::json::array();
  if (!json) out.line(fmt::format("{:<20} {:>5} {:>9}  {}", "kernel", "ranks", "size", "what it does"));
  for (const LibraryKernel& kernel : *kernels) {
    Result<std::string> ranks = ranks_of(kernel);
    if (!ranks) return tl::unexpected(ranks.error());
    auto size = std::filesystem::file_size(kernel.trace);
    if (json)
      all.push_back({{"name", kernel.name},
                     {"ranks", *ranks},
                     {"trace", kernel.trace.string()},
                     {"bytes", size},
                     {"fields", kernel.fields},
                     {"description", kernel.description}});
    else
      out.line(fmt::format("{:<20} {:>5} {:>9}  {}", kernel.name, *ranks, bytes_text(size),
                           kernel.field("summary")));
  }
  if (json) out.line(all.dump(2));
  return 0;
}

Result<int> info(const std::string& name, Output& out) {
  Result<LibraryKernel> kernel = library_kernel(name);
  if (!kernel) return tl::unexpected(kernel.error());
  Result<std::string> ranks = ranks_of(*kernel);
  if (!ranks) return tl::unexpected(ranks.error());
  out.line(fmt::format("{}: {}", kernel->name, kernel->field("summary")));
  for (const auto& [field, text] : kernel->fields)
    if (field != "summary") out.line(fmt::format("  {:<9} {}", field, text));
  out.line(fmt::format("  {:<9} {}", "ranks", *ranks));
  out.line(fmt::format("  {:<9} {}", "trace", kernel->trace.string()));
  out.line("");
  out.write(kernel->description);
  return 0;
}

struct BuildOptions {
  std::string name, folder;
  uint32_t ranks = 0;
};

Result<int> build(const BuildOptions& options) {
  Result<LibraryKernel> kernel = library_kernel(options.name);
  if (!kernel) return tl::unexpected(kernel.error());
  return generate_kernel(kernel->trace.string(), options.folder.empty() ? options.name : options.folder,
                         options.ranks);
}

Result<int> path(const std::string& name, Output& out) {
  Result<LibraryKernel> kernel = library_kernel(name);
  if (!kernel) return tl::unexpected(kernel.error());
  out.line(kernel->trace.string());
  return 0;
}

void add_named(CLI::App& group, Action& action, const char* command, const char* summary, const char* example,
               Result<int> (*run)(const std::string&, Output&)) {
  CLI::App* sub = add_command(group, command, summary, example);
  auto name = std::make_shared<std::string>();
  sub->add_option("NAME", *name, "Which kernel")->required();
  sub->callback([&action, name, run] { action = [name, run](Output& out) { return run(*name, out); }; });
}

}  // namespace

void add_kernels(CLI::App& root, Action& action) {
  CLI::App* group =
      add_command(root, "kernels", "I/O kernels of known programs, ready to be built",
                  "refrain kernels list\n"
                  "  refrain kernels build vpicio -o vpicio && make -C vpicio\n"
                  "  refrain simulate $(refrain kernels path vpicio) --ranks 4096 --machine cluster");
  group->require_subcommand(1);
  CLI::App* listing = add_command(*group, "list", "List them", "refrain kernels list --json");
  auto json = std::make_shared<bool>(false);
  listing->add_flag("--json", *json, "As JSON");
  listing->callback([&action, json] { action = [json](Output& out) { return list(*json, out); }; });
  add_named(*group, action, "info", "Say what one does, and where it comes from",
            "refrain kernels info vpicio", info);
  CLI::App* building = add_command(*group, "build", "Make the C program of one",
                                   "refrain kernels build vpicio -o vpicio --ranks 64");
  auto options = std::make_shared<BuildOptions>();
  building->add_option("NAME", options->name, "Which kernel")->required();
  building->add_option("-o,--output", options->folder, "Folder for it (default: NAME)")->type_name("FOLDER");
  add_ranks_option(*building, options->ranks);
  building->callback([&action, options] { action = [options](Output&) { return build(*options); }; });
  add_named(*group, action, "path", "Print where the trace of one is",
            "refrain dump $(refrain kernels path vpicio)", path);
}

}  // namespace refrain::cli
