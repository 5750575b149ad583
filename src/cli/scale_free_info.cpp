// See scale_free_info.hpp: runs it was made from, laws, what isn't certain, and totals as formulas in P.
#include "cli/scale_free_info.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/readable.hpp"
#include "report/info_json.hpp"
#include "scale/formula_totals.hpp"
#include "trace/time_law.hpp"

namespace refrain::cli {
namespace {

std::string runs_text(const trace::Trace& trace) {
  std::string text;
  for (uint32_t size : trace.sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return text;
}

/// Doubts of one reason are many; how many, and the first few of them.
void print_doubts(const trace::Trace& trace, Output& out) {
  constexpr size_t most_shown = 10;
  std::vector<std::string> lines;
  for (const trace::Doubt& d : trace.doubts) {
    std::string line = printable(d.where + ": " + d.reason);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
  if (lines.empty()) return;
  out.line("");
  out.line("may be wrong at some numbers of ranks; --ranks N says whether it is one");
  for (size_t i = 0; i < lines.size() && i < most_shown; ++i) out.line("  " + lines[i]);
  if (lines.size() > most_shown) out.line(fmt::format("  and {} more", lines.size() - most_shown));
}

}  // namespace

void print_scale_free(const trace::Trace& trace, Output& out) {
  auto row = [&out](const char* name, const std::string& value) {
    out.line(fmt::format("{:<10} {}", name, value));
  };
  scale::FormulaTotals totals = scale::formula_totals(trace);
  row("command", printable(trace.command));
  row("ranks", fmt::format("P, any number; made from runs of {}", runs_text(trace)));
  row("laws",
      fmt::format("{} and sets of ranks depend on rank or P", counted(totals.laws, "number", "numbers")));
  row("doubts", counted(trace.doubts.size(), "law", "laws"));
  row("times",
      trace::has_time_laws(trace) ? "estimates, fitted to the runs; dump prints the formulas" : "none");
  if (std::string elapsed = report::elapsed_text(trace); !elapsed.empty()) row("elapsed", "about " + elapsed);
  if (!trace.notes.empty()) out.line("");
  for (const std::string& note : trace.notes) out.line("! " + printable(note));
  Table table;
  table.row({"function", "calls", "read", "written"});
  for (const scale::FunctionFormulas& f : totals.functions)
    table.row({printable(f.function), f.calls.text(), f.bytes_read.is_zero() ? "" : f.bytes_read.text(),
               f.bytes_written.is_zero() ? "" : f.bytes_written.text()});
  out.line("");
  out.write(table.text(""));
  print_doubts(trace, out);
}

}  // namespace refrain::cli
