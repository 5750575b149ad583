// `refrain import --from FORMAT FILES... -o app.rfn`: a trace made from what another tool wrote.
#include <fmt/core.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/readable.hpp"
#include "cli/result_line.hpp"
#include "exchange/formats.hpp"
#include "format/file.hpp"

namespace refrain::cli {
namespace {

struct ImportCommand {
  std::vector<std::string> inputs;
  std::string output, format;
  bool quiet = false;
  exchange::ImportOptions options{};
};

Result<int> import_trace(const ImportCommand& command) {
  Result<const exchange::ImportFormat*> format = exchange::import_format(command.format);
  if (!format) return tl::unexpected(format.error());
  std::vector<std::filesystem::path> files(command.inputs.begin(), command.inputs.end());
  Result<trace::Trace> trace = (*format)->read(files, command.options);
  if (!trace) return tl::unexpected(trace.error());
  Result<void> written = format::write_file(*trace, command.output);
  if (!written) return tl::unexpected(written.error());
  for (const std::string& note : trace->notes) say(printable(note));
  if (!command.quiet) say(result_line(*trace, command.output));
  return 0;
}

}  // namespace

void add_import(CLI::App& root, Action& action) {
  CLI::App* command = add_command(root, "import", "Make a trace from what another tool wrote",
                                  "darshan-dxt-parser app.darshan > dxt.txt\n"
                                  "  refrain import --from dxt dxt.txt -o app.rfn\n"
                                  "  strace -ff -ttt -T -y -o calls ./app\n"
                                  "  refrain import --from strace calls.* -o app.rfn");
  auto options = std::make_shared<ImportCommand>();
  command->add_option("FILES", options->inputs, "What the tool wrote")->required();
  command->add_option("--from", options->format, exchange::import_list())->required()->type_name("FORMAT");
  command->add_option("-o,--output", options->output, "Trace to write")->required()->type_name("FILE");
  command->add_flag("--as-ranks", options->options.as_ranks,
                    "strace: the files are ranks 0, 1, ... of a parallel job, in the order given");
  command->add_flag("-q,--quiet", options->quiet, "Say only what the source lacks");
  command->callback([&action, options] { action = [options](Output&) { return import_trace(*options); }; });
}

}  // namespace refrain::cli
