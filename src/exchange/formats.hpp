// The formats of other tools that traces are written to and made from: one table, from which `refrain export`
// and `refrain import` take their names, their help and their functions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "trace/trace.hpp"

namespace refrain::exchange {

struct ExportOptions {
  std::string layer{};         ///< take all calls of this layer instead of those of the program
  bool layer_streams = false;  ///< csv, sqlite: besides the calls of the program also those they caused
  uint64_t max_block = 0;      ///< codes: split larger transfers; 0: don't
};

struct Exported {
  std::string summary{};             ///< what was written: "3 files, 1,234 calls"
  std::vector<std::string> notes{};  ///< what the format can't hold of this trace
};

struct ExportFormat {
  std::string_view name;
  std::string_view what;
  bool is_folder;    ///< several files; otherwise one, for which "-" is standard output
  bool uses_layers;  ///< also takes calls that other calls caused
  /// `trace` is one of a certain number of ranks.
  Result<Exported> (*write)(const trace::Trace& trace, const ExportOptions& options,
                            const std::filesystem::path& to);
};
std::span<const ExportFormat> export_formats();
/// Fails with a line that lists the names there are.
Result<const ExportFormat*> export_format(std::string_view name);

/// All formats with what they are, a line each, for `--help`.
std::string export_list();

struct ImportOptions {
  bool as_ranks = false;  ///< strace: the files are ranks 0, 1, …, in the order given
};

struct ImportFormat {
  std::string_view name;
  std::string_view what;
  Result<trace::Trace> (*read)(const std::vector<std::filesystem::path>& files, const ImportOptions& options);
};
std::span<const ImportFormat> import_formats();
Result<const ImportFormat*> import_format(std::string_view name);
std::string import_list();

}  // namespace refrain::exchange
