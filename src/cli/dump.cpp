// `refrain dump FILE`: the trace as text, folded (a program) or expanded (one call per line).
#include <algorithm>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/sized_trace.hpp"
#include "format/file.hpp"
#include "measure/rank_times.hpp"
#include "report/tree_json.hpp"
#include "trace/at_rank.hpp"
#include "trace/text.hpp"
#include "trace/time_law.hpp"

namespace refrain::cli {

namespace {

struct DumpOptions {
  uint32_t ranks = 0;
  std::string file;
  bool no_times = false;
  bool expand = false;
  bool layer_streams = false;
  bool json = false;
  std::optional<uint32_t> rank;
};

/// The processes of one rank, with the times of its calls as far as they are known.
void add_processes(const trace::Trace& trace, uint32_t rank, trace::Trace& one) {
  bool averaged = false;
  for (const trace::Process& process : trace.processes) {
    if (!process.ranks.contains(rank)) continue;
    trace::Process& own = one.processes.emplace_back(trace::at_rank(process, rank, trace::Times::keep));
    if (process.ranks.size() == 1) continue;
    averaged = true;
    for (trace::Stream& stream : own.streams) measure::scale_times(stream.nodes);
  }
  if (averaged && !trace::has_estimates(trace))
    one.notes.push_back(std::string(trace::Trace::estimates_note) +
                        "averages over the ranks that made the same calls");
}

/// The trace of one rank; where there are no ranks, processes go by their number.
Result<trace::Trace> only(const trace::Trace& trace, uint32_t rank, const std::string& file) {
  bool parallel = std::any_of(trace.processes.begin(), trace.processes.end(),
                              [](const trace::Process& p) { return !p.ranks.empty(); });
  trace::Trace one = trace::without_processes(trace);
  add_processes(trace, rank, one);
  if (!parallel && rank < trace.processes.size()) one.processes.push_back(trace.processes[rank]);
  if (!one.processes.empty()) return one;
  if (parallel) return fail(ErrorKind::usage, "there is no rank " + std::to_string(rank), file);
  return fail(ErrorKind::usage,
              "there is no process " + std::to_string(rank) + ": the trace has " +
                  std::to_string(trace.processes.size()),
              file);
}

Result<int> dump(const DumpOptions& options, Output& out) {
  Result<trace::Trace> trace = format::read_file(options.file);
  bool formulas = trace && trace->scale_free() && options.ranks == 0 && !options.rank && !options.expand;
  StreamsUsed used = options.layer_streams ? StreamsUsed::all : StreamsUsed::outer;
  if (trace && !formulas) trace = sized(std::move(*trace), options.file, options.ranks, used);
  if (trace && options.rank) trace = only(*trace, *options.rank, options.file);
  if (!trace) return tl::unexpected(trace.error());
  trace::TextOptions text{.times = !options.no_times, .layers = options.layer_streams};
  auto sink = [&out](std::string_view piece) { out.write(piece); };
  if (options.json && options.expand)
    return fail(ErrorKind::usage, "--json prints the folded trace: it takes no --expand");
  if (options.json) {
    report::print_tree_json(*trace, {.times = text.times, .layers = text.layers}, sink);
  } else if (options.expand) {
    trace::print_expanded(*trace, text, sink);
  } else {
    trace::print(*trace, text, sink);
  }
  return 0;
}

}  // namespace

void add_dump(CLI::App& root, Action& action) {
  CLI::App* command = add_command(root, "dump", "Print a trace as text",
                                  "refrain dump --no-times app.rfn\n"
                                  "  refrain dump --json app.rfn | jq '.processes[0].streams[0].body[0]'\n"
                                  "  diff <(refrain dump --no-times a.rfn) <(refrain dump --no-times b.rfn)");
  auto options = std::make_shared<DumpOptions>();
  command->add_option("FILE", options->file, "Trace to print")->required();
  command->add_flag("--no-times", options->no_times,
                    "Leave out times, pids and host: equal traces print equal text");
  command->add_flag("--json", options->json, "As JSON, loops and all: see docs/trace-json.md");
  command->add_flag("--expand", options->expand, "Print every call on a line of its own");
  command->add_option("--rank", options->rank, "Only this rank; without ranks, the process with this number")
      ->type_name("R");
  command->add_flag("--layer-streams,--layers-streams", options->layer_streams,
                    "Also print the calls that other calls caused, by layer");
  add_ranks_option(*command, options->ranks);
  command->callback([&action, options] { action = [options](Output& out) { return dump(*options, out); }; });
}

}  // namespace refrain::cli
