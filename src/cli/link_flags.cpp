// `refrain link-flags`: how to link a program that can't be preloaded (static, set-user-id) with the
// recorder inside. Every call of a known symbol is routed to the recorder by the linker's --wrap.
#include <fmt/core.h>

#include "api/table.hpp"
#include "cli/command.hpp"
#include "cli/installation.hpp"

namespace refrain::cli {

namespace {

/// Whether the archive has a hook for the symbol.
bool has_hook(std::string_view symbol) {
  if (symbol.starts_with("MPI_")) return can_record("mpi");
  if (symbol.starts_with("H5")) return can_record("hdf5");
  return !symbol.empty();
}

Result<int> link_flags(Output& out) {
  Result<std::filesystem::path> archive = library_path("librefrain_wrap.a");
  if (!archive) return tl::unexpected(archive.error());
  auto wrap = [&out](std::string_view symbol) {
    if (has_hook(symbol)) out.line(fmt::format("-Wl,--wrap={}", symbol));
  };
  for (const api::Row& row : api::rows())
    if (row.is_function) wrap(row.name);
  for (const api::Alias& alias : api::aliases()) wrap(alias.symbol);
  for (std::string_view symbol : api::watched()) wrap(symbol);
  out.line(archive->string());
  for (const char* library : {"-lstdc++", "-lm", "-lpthread", "-ldl"}) out.line(library);
  return 0;
}

}  // namespace

void add_link_flags(CLI::App& root, Action& action) {
  CLI::App* command = add_command(root, "link-flags", "Print the flags that link the recorder into a program",
                                  "cc -static -o app app.o $(refrain link-flags)");
  command->callback([&action] { action = link_flags; });
}

}  // namespace refrain::cli
