// `refrain link-flags`: how to link a program that can't be preloaded (static, set-user-id) with the
// recorder inside. Every call of a known symbol is routed to the recorder by the linker's --wrap. The
// recorder refers weakly to the functions of MPI and of HDF5, which a program may do without; a weak
// reference takes nothing out of a static library, so for these the linker is asked for what they define.
#include <fmt/core.h>

#include <memory>
#include <set>

#include "api/table.hpp"
#include "cli/archive_symbols.hpp"
#include "cli/command.hpp"
#include "cli/installation.hpp"

namespace refrain::cli {

namespace {

/// Whether the archive has a hook for the symbol.
bool has_hook(std::string_view symbol) {
  std::string_view layer = api::layer_of_symbol(symbol);
  return !symbol.empty() && (layer.empty() || can_record(layer));
}

Result<int> link_flags(const std::vector<std::string>& libraries, Output& out) {
  Result<std::filesystem::path> archive = library_path("librefrain_wrap.a");
  if (!archive) return tl::unexpected(archive.error());
  std::set<std::string> defined;
  for (const std::string& library : libraries) {
    Result<std::vector<std::string>> symbols = archive_symbols(library);
    if (!symbols) return tl::unexpected(symbols.error());
    defined.insert(symbols->begin(), symbols->end());
  }
  auto wrap = [&](std::string_view symbol) {
    if (!has_hook(symbol)) return;
    out.line(fmt::format("-Wl,--wrap={}", symbol));
    if (defined.contains(std::string(symbol))) out.line(fmt::format("-Wl,-u,{}", symbol));
  };
  for (const api::Row& row : api::rows())
    if (row.is_function) wrap(row.name);
  for (const api::Alias& alias : api::aliases()) wrap(alias.symbol);
  for (std::string_view symbol : api::watched()) wrap(symbol);
  if (!libraries.empty()) out.line("-Wl,-u,refrain_instead_of_preloading");
  out.line(archive->string());
  for (const char* library : {"-lstdc++", "-lm", "-lrt", "-lpthread", "-ldl"}) out.line(library);
  return 0;
}

}  // namespace

void add_link_flags(CLI::App& root, Action& action) {
  CLI::App* command = add_command(root, "link-flags", "Print the flags that link the recorder into a program",
                                  "cc -static -o app app.o $(refrain link-flags)");
  auto libraries = std::make_shared<std::vector<std::string>>();
  command
      ->add_option("--static", *libraries, "A static library of MPI or HDF5 that the program is linked with")
      ->allow_extra_args(false)
      ->type_name("FILE.a");
  command->callback(
      [&action, libraries] { action = [libraries](Output& out) { return link_flags(*libraries, out); }; });
}

}  // namespace refrain::cli
