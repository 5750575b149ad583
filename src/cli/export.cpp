// `refrain export --to FORMAT TRACE -o FILE`: a trace in the form of another tool.
#include <fmt/core.h>

#include <memory>

#include "api/layers.hpp"
#include "cli/command.hpp"
#include "cli/readable.hpp"
#include "cli/sized_trace.hpp"
#include "exchange/formats.hpp"

namespace refrain::cli {
namespace {

struct ExportCommand {
  std::string input, output, format;
  uint32_t ranks = 0;
  bool quiet = false;
  exchange::ExportOptions options{};
};

Result<int> export_trace(const ExportCommand& command) {
  Result<const exchange::ExportFormat*> format = exchange::export_format(command.format);
  if (!format) return tl::unexpected(format.error());
  if (!command.options.layer.empty() && !api::is_layer(command.options.layer))
    return fail(ErrorKind::usage, "there is no layer '" + printable(command.options.layer) + "'");
  if ((*format)->is_folder && command.output == "-")
    return fail(ErrorKind::usage, fmt::format("{} is a folder: name one with -o", (*format)->name));
  bool all = command.options.layer_streams || !command.options.layer.empty() || (*format)->uses_layers;
  Result<trace::Trace> trace =
      read_sized(command.input, command.ranks, all ? StreamsUsed::all : StreamsUsed::outer);
  if (!trace) return tl::unexpected(trace.error());
  Result<exchange::Exported> done = (*format)->write(*trace, command.options, command.output);
  if (!done) return tl::unexpected(done.error());
  for (const std::string& note : done->notes) say(printable(note));
  if (!command.quiet && command.output != "-")
    say(fmt::format("wrote {}: {}", printable(command.output), printable(done->summary)));
  return 0;
}

}  // namespace

void add_export(CLI::App& root, Action& action) {
  CLI::App* command =
      add_command(root, "export", "Write a trace in the form of another tool",
                  "refrain export --to csv app.rfn -o tables\n"
                  "  refrain export --to sqlite app.rfn -o - | sqlite3 app.db\n"
                  "  refrain export --to perfetto app.rfn -o timeline.json\n"
                  "  refrain export --to codes any.rfn --ranks 1024 --max-block 4194304 -o workload");
  auto options = std::make_shared<ExportCommand>();
  command->add_option("TRACE", options->input, "Trace to export")->required();
  command->add_option("--to", options->format, exchange::export_list())->required()->type_name("FORMAT");
  command->add_option("-o,--output", options->output, "File or folder to write; - for standard output")
      ->required()
      ->type_name("PATH");
  command
      ->add_option("--layer", options->options.layer,
                   "All calls of this layer, those below other layers, too, instead of those of the program")
      ->type_name("LAYER");
  command->add_flag("--layer-streams", options->options.layer_streams,
                    "csv, sqlite: also the calls that other calls caused, by layer");
  command->add_option("--max-block", options->options.max_block, "codes: split transfers that are larger")
      ->type_name("BYTES");
  command->add_flag("-q,--quiet", options->quiet, "Say only what the format can't hold");
  add_ranks_option(*command, options->ranks);
  command->callback([&action, options] { action = [options](Output&) { return export_trace(*options); }; });
}

}  // namespace refrain::cli
