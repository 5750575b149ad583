// `refrain merge DIR -o FILE`: finishes a recording that could not finish itself.
#include <fmt/core.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/result_line.hpp"
#include "record/part_reader.hpp"
#include "trace/file.hpp"

namespace refrain::cli {

namespace {

struct MergeOptions {
  std::string folder;
  std::string output;
  bool quiet = false;
};

Result<int> merge(const MergeOptions& options) {
  Progress progress("merging part");
  record::PartsReport report;
  Result<trace::Trace> trace = record::read_parts(
      options.folder, &report, [&](size_t done, size_t total) { progress.show(done, total); });
  if (!trace) return tl::unexpected(trace.error());
  Result<void> written = trace::write_file(*trace, options.output);
  if (!written) return tl::unexpected(written.error());
  for (const std::string& line : report.damaged) say(line);
  if (!options.quiet) say(result_line(*trace, options.output));
  return report.damaged.empty() ? 0 : 1;
}

}  // namespace

void add_merge(CLI::App& root, Action& action) {
  CLI::App* command = add_command(root, "merge", "Make a trace of the parts an interrupted recording left",
                                  "refrain merge app.rfn.parts -o app.rfn");
  auto options = std::make_shared<MergeOptions>();
  command->add_option("DIR", options->folder, "Folder with the parts")->required();
  command->add_option("-o,--output", options->output, "Trace to write")->required()->type_name("FILE");
  command->add_flag("-q,--quiet", options->quiet, "No message when all is well");
  command->callback([&action, options] { action = [options](Output&) { return merge(*options); }; });
}

}  // namespace refrain::cli
