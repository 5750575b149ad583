// `refrain info FILE`: what a trace holds, in totals.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/counters_text.hpp"
#include "cli/heat_text.hpp"
#include "cli/readable.hpp"
#include "cli/scale_free_info.hpp"
#include "cli/sized_trace.hpp"
#include "cli/usage_text.hpp"
#include "format/file.hpp"
#include "measure/summary.hpp"
#include "report/info_json.hpp"
#include "trace/notes.hpp"
#include "trace/time_law.hpp"

namespace refrain::cli {

namespace {

struct InfoOptions {
  uint32_t ranks = 0;
  std::string file;
  bool json = false;
  bool files = false;
  bool by_rank = false;
  bool layers = false;
  bool counters = false;
  bool heat_map = false;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + printable(word);
  return text;
}

std::string communication_text(const trace::Communication& communication) {
  std::string text;
  for (size_t c = 0; c < trace::communication_classes; ++c) {
    if (communication.ns[c] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", duration_text(communication.ns[c]),
                        trace::communication_names[c]);
  }
  return text;
}

/// When, where and by whom it was recorded, as far as the trace knows.
std::string origin_text(const trace::Trace& trace) {
  uint64_t start_ns = report::start_ns(trace);
  std::string when = trace.processes.empty() ? "nothing" : start_ns == 0 ? "" : moment_text(start_ns);
  std::string recorded = when;
  if (!trace.host.empty()) recorded += (when.empty() ? "on " : " on ") + printable(trace.host);
  if (trace::is_imported(trace.recorder))
    return "imported from " + printable(trace.recorder) + (recorded.empty() ? "" : ", recorded " + recorded);
  return recorded + (recorded.empty() ? "by refrain " : " by refrain ") + printable(trace.recorder);
}

void print_head(const trace::Trace& trace, const measure::Summary& summary, Output& out) {
  auto row = [&out](const char* name, const std::string& value) {
    out.line(fmt::format("{:<10} {}", name, value));
  };
  row("command", printable(trace.command));
  row(trace::is_imported(trace.recorder) ? "source" : "recorded", origin_text(trace));
  row("layers", joined(trace.layers));
  trace::RankSet ranks;
  for (const measure::ProcessSummary& process : summary.processes) ranks = ranks.united(process.ranks);
  row("processes",
      fmt::format("{}{}, {}", grouped(summary.processes.size()),
                  ranks.empty() ? "" : fmt::format(" for {}", counted(ranks.size(), "rank", "ranks")),
                  counted(summary.threads, "thread", "threads")));
  std::string about = trace::has_estimates(trace) ? "about " : "";
  std::string time =
      summary.outer.time_ns == 0 ? "" : " in " + about + duration_text(summary.outer.time_ns);  // or unknown
  row("calls", fmt::format("{}{}, folded into {}", grouped(summary.outer.events), time,
                           counted(summary.nodes, "node", "nodes")));
  if (!summary.communication.empty()) row("messages", about + communication_text(summary.communication));
  uint64_t empty_tests = 0;
  for (const measure::ProcessSummary& process : summary.processes) empty_tests += process.empty_tests;
  if (empty_tests > 0)
    row("polling", counted(empty_tests, "empty test", "empty tests") + ", not among the calls");
  row("read", bytes_text(summary.outer.bytes_read));
  row("written", bytes_text(summary.outer.bytes_written));
  row("files",
      fmt::format("{}{}", summary.files_complete ? "" : "more than ", grouped(summary.files.size())));
}

/// What a reader must not overlook comes right after the head.
void print_warnings(const trace::Trace& trace, const measure::Summary& summary, Output& out) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < summary.processes.size(); ++i) {
    const measure::ProcessSummary& process = summary.processes[i];
    bool all = process.ending == trace::Ending::early;
    if (all || !process.ended_early.empty()) {
      lines.push_back(fmt::format("process {} ({}){} ENDED EARLY: killed, crashed, or left by _exit", i,
                                  printable(process.program),
                                  all ? "" : ", ranks " + process.ended_early.text() + ","));
    }
    if (process.loss.total() > 0) {
      lines.push_back(fmt::format(
          "process {} LOST {}: {} for lack of space, {} in signal handlers, {} abandoned, {} other", i,
          counted(process.loss.total(), "call", "calls"), process.loss.no_space, process.loss.in_handlers,
          process.loss.abandoned, process.loss.unknown));
    }
  }
  for (const std::string& note : trace.notes) lines.push_back(printable(note));
  if (!summary.complete)
    lines.emplace_back("the trace is too long to be added up in full: totals are lower bounds");
  if (summary.damaged) lines.emplace_back("values are MISSING from the trace: totals are lower bounds");
  if (!lines.empty()) out.line("");
  for (const std::string& line : lines) out.line("! " + line);
}

void print_functions(const std::string& title, std::vector<measure::FunctionTotals> functions, bool estimated,
                     Output& out) {
  std::stable_sort(functions.begin(), functions.end(),
                   [](const auto& a, const auto& b) { return a.calls > b.calls; });
  Table table;
  table.row({title, "calls", "failed", "read", "written", estimated ? "time, about" : "time"});
  for (const measure::FunctionTotals& f : functions) {
    table.row({printable(f.function), grouped(f.calls), unless_zero(f.failed, grouped(f.failed)),
               unless_zero(f.bytes_read, bytes_text(f.bytes_read)),
               unless_zero(f.bytes_written, bytes_text(f.bytes_written)),
               unless_zero(f.time_ns, duration_text(f.time_ns))});
  }
  out.line("");
  out.write(table.text(""));
}

/// What libraries called inside the program's calls, layer by layer.
void print_inner_functions(const measure::Summary& summary, bool estimated, Output& out) {
  std::map<std::string, std::vector<measure::FunctionTotals>> layers;
  for (const measure::FunctionTotals& f : summary.inner.functions) layers[f.layer].push_back(f);
  for (auto& [layer, functions] : layers)
    print_functions("inside: " + printable(layer), std::move(functions), estimated, out);
}

void print_processes(const measure::Summary& summary, bool estimated, Output& out) {
  Table table;
  table.row(
      {"process", "pid or ranks", "threads", "calls", estimated ? "elapsed, about" : "elapsed", "ending"});
  for (size_t i = 0; i < summary.processes.size(); ++i) {
    const measure::ProcessSummary& p = summary.processes[i];
    bool early = p.ending == trace::Ending::early || !p.ended_early.empty();
    table.row({fmt::format("{} {}", i, printable(p.program)),
               p.ranks.empty() ? std::to_string(p.pid) : p.ranks.text(), grouped(p.threads),
               grouped(p.events), unless_zero(p.elapsed_ns, duration_text(p.elapsed_ns)),
               early ? "EARLY" : report::ending_name(p.ending)});
  }
  out.line("");
  out.write(table.text(""));
}

/// What was asked for besides totals. Measured once, whoever asks.
struct Parts {
  std::optional<measure::Accesses> accesses{};
  std::optional<measure::Usage> usage{};
};

Parts measure_parts(const trace::Trace& trace, const InfoOptions& options) {
  Parts parts;
  if (options.counters) parts.accesses = measure::count_accesses(trace);
  if (options.files || options.by_rank) parts.usage = measure::measure_usage(trace);
  return parts;
}

std::string json_text(const trace::Trace& trace, const measure::Summary& summary, const Parts& parts,
                      const InfoOptions& options) {
  report::Json info = report::info_json(trace, summary);
  if (parts.accesses) info["accesses"] = report::accesses_json(*parts.accesses);
  if (options.files) info["file_table"] = report::files_json(*parts.usage);
  if (options.by_rank) info["rank_table"] = report::ranks_json(*parts.usage);
  if (options.layers) info["layer_table"] = report::layers_json(summary);
  info["heat_map"] = heat_json(trace, options.heat_map);
  return report::text_of(info, 2);
}

Result<int> info(const InfoOptions& options, Output& out) {
  Result<trace::Trace> trace = format::read_file(options.file);
  bool totals_only = !options.counters && !options.files && !options.by_rank && !options.layers;
  if (trace && trace->scale_free() && options.ranks == 0 && totals_only) {
    if (options.json)
      out.line(report::text_of(report::scale_free_json(*trace), 2));
    else
      print_scale_free(*trace, out);
    return 0;
  }
  if (trace) trace = sized(std::move(*trace), options.file, options.ranks, StreamsUsed::all);
  if (!trace) return tl::unexpected(trace.error());
  measure::Summary summary = measure::summarize(*trace);
  Parts parts = measure_parts(*trace, options);
  if (options.json) {
    out.line(json_text(*trace, summary, parts, options));
    return 0;
  }
  print_head(*trace, summary, out);
  print_warnings(*trace, summary, out);
  bool estimated = trace::has_estimates(*trace);
  print_functions("function", summary.outer.functions, estimated, out);
  print_inner_functions(summary, estimated, out);
  if (parts.accesses) print_accesses(*parts.accesses, out);
  print_processes(summary, estimated, out);
  print_heat_map(*trace, options.heat_map, out);
  if (options.layers) print_layers(summary, out);
  if (options.files) print_files(*parts.usage, out);
  if (options.by_rank) print_ranks(*parts.usage, out);
  return 0;
}

/// `--ranks N` says for how many ranks; `--ranks` without a number asks for what each rank did. The parser
/// takes the next word for the number, whatever it is.
Result<void> read_ranks(const std::optional<std::string>& word, InfoOptions& options) {
  if (!word) return {};
  bool number = !word->empty() && word->find_first_not_of("0123456789") == std::string::npos;
  if (!number) {
    options.by_rank = true;
    if (word->empty()) return {};
    if (!options.file.empty())
      return fail(ErrorKind::usage, "--ranks takes a number of ranks, not '" + printable(*word) + "'");
    options.file = *word;
    return {};
  }
  uint64_t ranks = word->size() > 9 ? 0 : std::stoull(*word);
  if (ranks == 0 || ranks > trace::RankSet::most_listed)
    return fail(ErrorKind::usage,
                fmt::format("--ranks takes a number from 1 to {}", trace::RankSet::most_listed));
  options.ranks = static_cast<uint32_t>(ranks);
  return {};
}

}  // namespace

void add_info(CLI::App& root, Action& action) {
  CLI::App* command =
      add_command(root, "info", "Sum up a trace: calls, bytes, times, files, processes",
                  "refrain info app.rfn\n  refrain info --json app.rfn | jq .outer.bytes_written\n"
                  "  refrain info --files --by-rank app.rfn");
  auto options = std::make_shared<InfoOptions>();
  auto ranks = std::make_shared<std::optional<std::string>>();
  command->add_option("FILE", options->file, "Trace to sum up");
  command->add_flag("--files", options->files,
                    "Also say what was done to each file: by whom, how often, how much, in which pattern");
  command->add_flag("--by-rank", options->by_rank, "Also say what each rank did");
  command->add_flag("--layers", options->layers,
                    "Also say what each layer was called for, by the program and by layers above");
  command->add_flag("--counters", options->counters,
                    "Also count accesses: sequential, consecutive, and by size, as Darshan does");
  command->add_flag("--heat-map", options->heat_map, "Also show when each rank was in I/O");
  command->add_flag("--json", options->json, "As JSON");
  command
      ->add_option("--ranks", *ranks,
                   "For a scale-free trace: for how many ranks; without a number, the same as --by-rank")
      ->expected(0, 1)
      ->type_name("N");
  command->callback([&action, options, ranks] {
    action = [options, ranks](Output& out) -> Result<int> {
      if (Result<void> read = read_ranks(*ranks, *options); !read) return tl::unexpected(read.error());
      if (options->file.empty()) return fail(ErrorKind::usage, "FILE is required. Try 'refrain info --help'");
      return info(*options, out);
    };
  });
}

}  // namespace refrain::cli
