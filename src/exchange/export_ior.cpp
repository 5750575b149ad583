// The IOR command line that comes nearest to a trace, as a shell script whose comments say what it can't
// express.
#include <fmt/core.h>

#include <array>

#include "base/output_file.hpp"
#include "exchange/access_shape.hpp"
#include "exchange/exporters.hpp"
#include "trace/text.hpp"

namespace refrain::exchange {

namespace {

struct Interface {
  std::string_view layer, name;
};
constexpr std::array interfaces{Interface{"mpiio", "MPIIO"}, Interface{"hdf5", "HDF5"},
                                Interface{"pnetcdf", "NCMPI"}, Interface{"netcdf", "NCMPI"}};

std::string_view interface_of(std::string_view layer) {
  for (const Interface& i : interfaces)
    if (i.layer == layer) return i.name;
  return "POSIX";
}

/// For a shell, in single quotes.
std::string shell_word(std::string_view word) {
  std::string text = "'";
  for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string command_line(const AccessShape& s) {
  std::string line = fmt::format("mpirun -n {} ior -a {}", s.ranks, interface_of(s.layer));
  if (s.writes) line += " -w";
  if (s.reads) line += " -r";
  if (s.is_collective) line += " -c";
  if (!s.is_shared) line += " -F";
  if (s.is_random) line += " -z";
  if (s.settles) line += " -e";
  line += fmt::format(" -t {} -b {} -s {}", s.transfer, s.block, s.segments);
  if (s.files > 1) line += fmt::format(" -i {} -m", s.files);
  return line + " -o " + shell_word(s.path);
}

}  // namespace

Result<Exported> export_ior(const trace::Trace& trace, const ExportOptions& options,
                            const std::filesystem::path& to) {
  Result<AccessShape> shape = access_shape(trace, options.layer);
  if (!shape) return tl::unexpected(shape.error());
  OutputFile file;
  if (Result<void> opened = file.open_or_stdout(to); !opened) return tl::unexpected(opened.error());
  std::string line = command_line(*shape);
  file.write("#!/bin/sh\n# Nearest to: " + trace::plain_name(trace.command) + "\n# What it can't express:\n");
  for (const std::string& difference : shape->differences) file.write("#   " + difference + "\n");
  if (shape->differences.empty()) file.write("#   nothing that was found\n");
  file.write(line + "\n");
  if (Result<void> done = file.close(); !done) return tl::unexpected(done.error());
  return Exported{line, std::move(shape->differences)};
}

}  // namespace refrain::exchange
