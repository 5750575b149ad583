// `refrain advise TRACE`: what costs time in a trace, where, and what to change.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "advise/finding.hpp"
#include "advise/findings_json.hpp"
#include "cli/command.hpp"
#include "cli/readable.hpp"
#include "cli/sized_trace.hpp"

namespace refrain::cli {
namespace {

struct AdviseOptions {
  std::string file;
  uint32_t ranks = 0;
  bool json = false;
  bool rules = false;
};

std::string figure_text(const advise::Figure& figure) {
  auto whole = static_cast<uint64_t>(figure.value < 0 ? 0 : figure.value + 0.5);
  if (figure.unit == "B") return bytes_text(whole);
  if (figure.unit == "ns") return duration_text(whole);
  return grouped(whole) + figure.unit;
}

/// "process 0, thread 1, inside posix"
std::string stream_text(const advise::Place& place) {
  std::string text = fmt::format("process {}", place.process);
  if (place.thread != 0) text += fmt::format(", thread {}", place.thread);
  if (!place.layer.empty()) text += ", inside " + printable(place.layer);
  return text;
}

void print(const advise::Finding& finding, uint64_t io_time_ns, Output& out) {
  double share =
      io_time_ns == 0 ? 0 : 100.0 * static_cast<double>(finding.time_ns) / static_cast<double>(io_time_ns);
  std::string time = finding.time_ns == 0 ? ""
                                          : fmt::format(": {} ({:.0f}% of the time in I/O)",
                                                        duration_text(finding.time_ns), share);
  out.line(fmt::format("{} [{}]{}", finding.title, finding.rule, time));
  if (!finding.file.empty()) out.line("  file    " + printable(finding.file));
  out.line("  where   " + stream_text(finding.place));
  for (size_t i = 0; i < finding.place.lines.size(); ++i)
    out.line(std::string(10 + 2 * i, ' ') + printable(finding.place.lines[i]));
  std::string figures;
  for (const advise::Figure& f : finding.figures)
    figures += (figures.empty() ? "" : ", ") + f.name + " " + figure_text(f);
  out.line("  figures " + figures);
  out.line("  cost    " + finding.cost);
  out.line("  change  " + finding.change);
}

int print_rules(Output& out) {
  for (const advise::RuleName& rule : advise::rule_names())
    out.line(fmt::format("{:<22} {}", rule.name, rule.about));
  return 0;
}

Result<int> run_advise(const AdviseOptions& options, Output& out) {
  if (options.rules) return print_rules(out);
  if (options.file.empty()) return fail(ErrorKind::usage, "TRACE is missing: see refrain advise --help");
  Result<trace::Trace> trace = read_sized(options.file, options.ranks, StreamsUsed::all);
  if (!trace) return tl::unexpected(trace.error());
  advise::Advice advice = advise::advise(*trace);
  if (options.json) {
    nlohmann::json json = advise::findings_json(advice);
    json["notes"] = trace->notes;
    out.line(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    return 0;
  }
  for (size_t i = 0; i < advice.findings.size(); ++i) {
    if (i > 0) out.line("");
    print(advice.findings[i], advice.io_time_ns, out);
  }
  if (advice.findings.empty())
    out.line("nothing to change: no rule applies (refrain advise --rules lists them)");
  for (const std::string& note : trace->notes) out.line("! " + printable(note));
  if (!advice.complete)
    out.line("\nsome figures are estimates: the trace is too irregular to be added up in full");
  return 0;
}

}  // namespace

void add_advise(CLI::App& root, Action& action) {
  CLI::App* command =
      add_command(root, "advise", "Say what costs time in a trace, where, and what to change",
                  "refrain advise app.rfn\n  refrain advise --json app.rfn | jq '.findings[].title'");
  auto options = std::make_shared<AdviseOptions>();
  command->add_option("TRACE", options->file, "Trace to look at");
  command->add_flag("--rules", options->rules, "List the rules and end");
  command->add_flag("--json", options->json, "As JSON");
  add_ranks_option(*command, options->ranks);
  command->callback(
      [&action, options] { action = [options](Output& out) { return run_advise(*options, out); }; });
}

}  // namespace refrain::cli
