// `refrain merge PARTS -o FILE`: finishes a recording that could not finish itself, or makes one trace of the
// traces of several ranks.
#include <fmt/core.h>

#include <map>
#include <memory>

#include "cli/command.hpp"
#include "cli/progress_line.hpp"
#include "cli/result_line.hpp"
#include "cli/sized_trace.hpp"
#include "format/file.hpp"
#include "merge/merge_ranks.hpp"
#include "session/part_reader.hpp"

namespace refrain::cli {

namespace {

struct MergeOptions {
  std::vector<std::string> inputs;
  std::string output;
  merge::Options merging{.threads = 0};
  bool quiet = false;
  bool json = false;
};

Result<trace::Trace> merge_traces(const MergeOptions& options) {
  Progress progress("reading trace");
  std::vector<trace::Trace> traces;
  for (const std::string& file : options.inputs) {
    Result<trace::Trace> trace = read_sized(file, 0, StreamsUsed::all);
    if (!trace) return tl::unexpected(trace.error());
    traces.push_back(std::move(*trace));
    progress.show(traces.size(), options.inputs.size());
  }
  return merge::merge_ranks(std::move(traces), options.merging);
}

Result<int> merge(const MergeOptions& options, Output& out) {
  record::PartsReport report;
  std::error_code ignored;
  bool parts = options.inputs.size() == 1 && std::filesystem::is_directory(options.inputs[0], ignored);
  Result<trace::Trace> trace;
  if (parts) {
    Progress progress("merging part");
    trace = record::read_parts(
        options.inputs[0], &report, [&](size_t done, size_t total) { progress.show(done, total); },
        options.merging);
  } else {
    trace = merge_traces(options);
  }
  if (!trace) return tl::unexpected(trace.error());
  Result<void> written = format::write_file(*trace, options.output);
  if (!written) return tl::unexpected(written.error());
  for (const std::string& line : report.damaged) say(line);
  if (options.json) {
    report::Json result = result_json(*trace, options.output);
    result["damaged"] = report.damaged;
    out.line(report::text_of(result, -1));
  } else if (!options.quiet) {
    say(result_line(*trace, options.output));
  }
  return report.damaged.empty() ? 0 : 1;
}

}  // namespace

void add_merge(CLI::App& root, Action& action) {
  CLI::App* command = add_command(
      root, "merge", "Make a trace of the parts an interrupted recording left, or of several traces",
      "refrain merge app.rfn.parts -o app.rfn\n  refrain merge rank0.rfn rank1.rfn -o app.rfn");
  auto options = std::make_shared<MergeOptions>();
  command->add_option("PARTS", options->inputs, "Folder with the parts, or traces")->required();
  command->add_option("-o,--output", options->output, "Trace to write")->required()->type_name("FILE");
  command
      ->add_option_function<std::string>(
          "--align",
          [options](const std::string& how) {
            using Align = merge::Options::Align;
            options->merging.align = how == "greedy" ? Align::greedy : Align::best;
          },
          "How calls of different ranks are paired: dp (most calls matched) or greedy (one pass)")
      ->check(CLI::IsMember({"dp", "greedy"}))
      ->type_name("HOW");
  command
      ->add_option("--window", options->merging.window,
                   "How far ahead the greedy way looks for a match (default: 200)")
      ->type_name("N");
  command->add_flag("--json", options->json, "Say what was written as JSON");
  command->add_flag("-q,--quiet", options->quiet, "No message when all is well");
  command->callback([&action, options] { action = [options](Output& out) { return merge(*options, out); }; });
}

}  // namespace refrain::cli
