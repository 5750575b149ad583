#include "exchange/formats.hpp"

#include <fmt/core.h>

#include <array>

#include "exchange/exporters.hpp"
#include "exchange/importers.hpp"
#include "trace/text.hpp"

namespace refrain::exchange {

namespace {

constexpr std::array exports{
    ExportFormat{"csv", "a folder of tables: calls with all arguments, files, ranks, phases", true, false,
                 export_csv},
    ExportFormat{"sqlite", "the same tables as SQL for sqlite3", false, false, export_sqlite},
    ExportFormat{"perfetto", "a timeline: JSON for ui.perfetto.dev and chrome://tracing", false, true,
                 export_perfetto},
    ExportFormat{"codes", "a folder with the I/O language of CODES: one file per rank, and meta.txt", true,
                 false, export_codes},
    ExportFormat{"ior", "the nearest IOR command line", false, false, export_ior},
    ExportFormat{"h5bench", "the nearest configuration of h5bench", false, false, export_h5bench},
    ExportFormat{"darshan-parser", "the text of darshan-parser: counters that both define", false, true,
                 export_darshan},
};

constexpr std::array imports{
    ImportFormat{"dxt",
                 "Darshan DXT: the text of darshan-dxt-parser, and that of darshan-parser if there is one",
                 import_dxt},
    ImportFormat{"recorder", "Recorder: the files of recorder2text, one per rank", import_recorder},
    ImportFormat{"strace", "the files of strace -ff -ttt -y, one per process or thread", import_strace},
    ImportFormat{"csv", "calls.csv of refrain export --to csv", import_csv},
};

template <class Format>
Result<const Format*> find(std::span<const Format> formats, std::string_view name) {
  std::string names;
  for (const Format& f : formats) {
    if (f.name == name) return &f;
    (names += names.empty() ? "" : ", ") += f.name;
  }
  return fail(ErrorKind::usage, "there is no format '" + trace::plain_name(name) + "': try one of " + names);
}

template <class Format>
std::string listed(std::span<const Format> formats) {
  std::string text = "Format:";
  for (const Format& f : formats) text += fmt::format("\n{:>16}  {}", f.name, f.what);
  return text;
}

}  // namespace

std::span<const ExportFormat> export_formats() { return exports; }
Result<const ExportFormat*> export_format(std::string_view name) { return find(export_formats(), name); }
std::string export_list() { return listed(export_formats()); }

std::span<const ImportFormat> import_formats() { return imports; }
Result<const ImportFormat*> import_format(std::string_view name) { return find(import_formats(), name); }
std::string import_list() { return listed(import_formats()); }

}  // namespace refrain::exchange
