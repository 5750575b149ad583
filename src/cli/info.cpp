// `refrain info FILE`: what a trace holds, in totals.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/counters_text.hpp"
#include "cli/readable.hpp"
#include "cli/scale_free_info.hpp"
#include "cli/sized_trace.hpp"
#include "format/file.hpp"
#include "measure/summary.hpp"
#include "trace/notes.hpp"
#include "trace/time_law.hpp"

namespace refrain::cli {

namespace {

struct InfoOptions {
  uint32_t ranks = 0;
  std::string file;
  bool json = false;
  bool files = false;
  bool counters = false;
};

const char* ending_name(trace::Ending ending) {
  switch (ending) {
    case trace::Ending::exited:
      return "exited";
    case trace::Ending::replaced:
      return "replaced";
    case trace::Ending::early:
      break;
  }
  return "early";
}

/// The beginning of the earliest process; 0 if there is none.
uint64_t start_ns(const trace::Trace& trace) {
  uint64_t first = 0;
  for (const trace::Process& process : trace.processes) {
    if (first == 0 || process.start_ns < first) first = process.start_ns;
  }
  return first;
}

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

void print_head(const trace::Trace& trace, const measure::Summary& summary, Output& out) {
  auto row = [&out](const char* name, const std::string& value) {
    out.line(fmt::format("{:<10} {}", name, value));
  };
  row("command", printable(trace.command));
  std::string start = trace.processes.empty() ? "nothing" : moment_text(start_ns(trace));
  row("recorded",
      fmt::format("{} on {} by refrain {}", start, printable(trace.host), printable(trace.recorder)));
  row("layers", joined(trace.layers));
  trace::RankSet ranks;
  for (const measure::ProcessSummary& process : summary.processes) ranks = ranks.united(process.ranks);
  row("processes",
      fmt::format("{}{}, {}", grouped(summary.processes.size()),
                  ranks.empty() ? "" : fmt::format(" for {}", counted(ranks.size(), "rank", "ranks")),
                  counted(summary.threads, "thread", "threads")));
  row("calls", fmt::format("{} in {}{}, folded into {}", grouped(summary.outer.events),
                           trace::has_estimates(trace) ? "about " : "", duration_text(summary.outer.time_ns),
                           counted(summary.nodes, "node", "nodes")));
  if (!summary.communication.empty())
    row("messages",
        (trace::has_estimates(trace) ? "about " : "") + communication_text(summary.communication));
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

void print_functions(const std::string& title, const measure::Totals& totals, bool estimated, Output& out) {
  std::vector<measure::FunctionTotals> functions = totals.functions;
  std::stable_sort(functions.begin(), functions.end(),
                   [](const auto& a, const auto& b) { return a.calls > b.calls; });
  Table table;
  table.row({title, "calls", "failed", "read", "written", estimated ? "time, about" : "time"});
  for (const measure::FunctionTotals& f : functions) {
    auto unless_zero = [](uint64_t n, std::string text) { return n == 0 ? std::string() : text; };
    table.row({printable(f.function), grouped(f.calls), unless_zero(f.failed, grouped(f.failed)),
               unless_zero(f.bytes_read, bytes_text(f.bytes_read)),
               unless_zero(f.bytes_written, bytes_text(f.bytes_written)), duration_text(f.time_ns)});
  }
  out.line("");
  out.write(table.text(""));
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
               grouped(p.events), duration_text(p.elapsed_ns), early ? "EARLY" : ending_name(p.ending)});
  }
  out.line("");
  out.write(table.text(""));
}

void print_files(const measure::Summary& summary, Output& out) {
  out.line("\nfiles");
  for (const std::string& file : summary.files) out.line("  " + printable(file));
}

nlohmann::json totals_json(const measure::Totals& totals) {
  auto functions = nlohmann::json::array();
  for (const measure::FunctionTotals& f : totals.functions) {
    functions.push_back({{"layer", f.layer},
                         {"function", f.function},
                         {"calls", f.calls},
                         {"failed", f.failed},
                         {"bytes_read", f.bytes_read},
                         {"bytes_written", f.bytes_written},
                         {"time_ns", f.time_ns}});
  }
  return {{"calls", totals.events},
          {"bytes_read", totals.bytes_read},
          {"bytes_written", totals.bytes_written},
          {"time_ns", totals.time_ns},
          {"functions", functions}};
}

nlohmann::json process_json(const measure::ProcessSummary& p) {
  return {{"program", p.program},
          {"pid", p.pid},
          {"ranks", p.ranks.text()},
          {"ended_early", p.ended_early.text()},
          {"threads", p.threads},
          {"calls", p.events},
          {"elapsed_ns", p.elapsed_ns},
          {"ending", ending_name(p.ending)},
          {"empty_tests", p.empty_tests},
          {"lost",
           {{"no_space", p.loss.no_space},
            {"in_handlers", p.loss.in_handlers},
            {"abandoned", p.loss.abandoned},
            {"unknown", p.loss.unknown}}}};
}

/// Whether the trace has all calls that were made, and all of them are counted.
bool is_complete(const trace::Trace& trace, const measure::Summary& summary) {
  bool lost = std::any_of(summary.processes.begin(), summary.processes.end(),
                          [](const measure::ProcessSummary& p) { return p.loss.total() > 0; });
  bool missing = std::any_of(trace.notes.begin(), trace.notes.end(),
                             [](const std::string& note) { return note.starts_with(trace::missing_note); });
  return summary.complete && !summary.damaged && !lost && !missing;
}

/// Names in a trace may hold any bytes; those that are not UTF-8 become U+FFFD.
std::string info_json(const trace::Trace& trace, const measure::Summary& summary,
                      const InfoOptions& options) {
  auto processes = nlohmann::json::array();
  for (const measure::ProcessSummary& process : summary.processes) processes.push_back(process_json(process));
  auto layers = nlohmann::json::object();
  for (const measure::LayerTotals& layer : summary.layers) layers[layer.layer] = totals_json(layer.totals);
  nlohmann::json info{{"format_version", trace::Trace::format_version},
                      {"command", trace.command},
                      {"host", trace.host},
                      {"recorder", trace.recorder},
                      {"start_ns", start_ns(trace)},
                      {"nprocs", trace.nprocs},
                      {"layers", trace.layers},
                      {"notes", trace.notes},
                      {"threads", summary.threads},
                      {"nodes", summary.nodes},
                      {"outer", totals_json(summary.outer)},
                      {"communication_ns",
                       {{"point_to_point", summary.communication.ns[0]},
                        {"collective", summary.communication.ns[1]},
                        {"reduction", summary.communication.ns[2]}}},
                      {"layer_streams", layers},
                      {"processes", processes},
                      {"files", summary.files},
                      {"files_complete", summary.files_complete},
                      {"complete", is_complete(trace, summary)},
                      {"times_are_estimates", trace::has_estimates(trace)}};
  if (options.counters) info["accesses"] = accesses_json(measure::count_accesses(trace));
  return info.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<int> info(const InfoOptions& options, Output& out) {
  Result<trace::Trace> trace = format::read_file(options.file);
  if (trace && trace->scale_free() && options.ranks == 0 && !options.counters && !options.files) {
    if (options.json)
      out.line(scale_free_json(*trace));
    else
      print_scale_free(*trace, out);
    return 0;
  }
  if (trace) trace = sized(std::move(*trace), options.file, options.ranks, StreamsUsed::all);
  if (!trace) return tl::unexpected(trace.error());
  measure::Summary summary = measure::summarize(*trace);
  if (options.json) {
    out.line(info_json(*trace, summary, options));
    return 0;
  }
  print_head(*trace, summary, out);
  print_warnings(*trace, summary, out);
  bool estimated = trace::has_estimates(*trace);
  print_functions("function", summary.outer, estimated, out);
  for (const measure::LayerTotals& layer : summary.layers) {
    print_functions("inside: " + printable(layer.layer), layer.totals, estimated, out);
  }
  if (options.counters) print_accesses(measure::count_accesses(*trace), out);
  print_processes(summary, estimated, out);
  if (options.files) print_files(summary, out);
  return 0;
}

}  // namespace

void add_info(CLI::App& root, Action& action) {
  CLI::App* command =
      add_command(root, "info", "Sum up a trace: calls, bytes, times, files, processes",
                  "refrain info app.rfn\n  refrain info --json app.rfn | jq .outer.bytes_written");
  auto options = std::make_shared<InfoOptions>();
  command->add_option("FILE", options->file, "Trace to sum up")->required();
  command->add_flag("--files", options->files, "Also list the files that were opened");
  command->add_flag("--counters", options->counters,
                    "Also count accesses: sequential, consecutive, and by size, as Darshan does");
  command->add_flag("--json", options->json, "As JSON");
  add_ranks_option(*command, options->ranks);
  command->callback([&action, options] { action = [options](Output& out) { return info(*options, out); }; });
}

}  // namespace refrain::cli
