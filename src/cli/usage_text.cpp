#include "cli/usage_text.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/readable.hpp"
#include "measure/layer_calls.hpp"

namespace refrain::cli {
namespace {

using measure::FileFigures;

std::vector<std::string> figure_cells(const FileFigures& f) {
  return {grouped(f.calls),
          unless_zero(f.failed, grouped(f.failed)),
          unless_zero(f.opens, grouped(f.opens)),
          unless_zero(f.bytes_read, bytes_text(f.bytes_read)),
          unless_zero(f.bytes_written, bytes_text(f.bytes_written)),
          unless_zero(static_cast<uint64_t>(f.time_ns), duration_text(static_cast<uint64_t>(f.time_ns)))};
}

void add_row(Table& table, std::vector<std::string> first, const FileFigures& figures) {
  for (std::string& cell : figure_cells(figures)) first.push_back(std::move(cell));
  table.row(std::move(first));
}

void print_patterns(const measure::FileUsage& file, Output& out) {
  std::string as =
      file.pattern_layer.empty() ? "" : fmt::format(", as {} sees it", printable(file.pattern_layer));
  if (!file.read_pattern.empty())
    out.line(fmt::format("  {} read: {}{}", printable(file.path), file.read_pattern, as));
  if (!file.write_pattern.empty())
    out.line(fmt::format("  {} written: {}{}", printable(file.path), file.write_pattern, as));
}

void say_if_incomplete(const measure::Usage& usage, Output& out) {
  if (!usage.complete) out.line("! the trace is too long to be run in full: these are lower bounds");
}

}  // namespace

void print_files(const measure::Usage& usage, Output& out) {
  Table table;
  table.row({"file", "used by", "calls", "failed", "opened", "read", "written", "time"});
  for (const measure::FileUsage& file : usage.files) {
    std::string who = file.ranks.empty() ? counted(file.users, "process", "processes")
                                         : counted(file.users, "rank", "ranks");
    // What only libraries touch, with the figures of the lowest layer that did.
    bool inside = file.outer.calls == 0 && !file.layers.empty();
    std::string name = printable(file.path) + (inside ? " (inside: " + file.layers.back().layer + ")" : "");
    add_row(table, {name, who}, inside ? file.layers.back().figures : file.outer);
    for (const measure::ObjectUsage& object : file.objects)
      add_row(table, {fmt::format("  {} {}", object.kind, printable(object.name)), ""}, object.figures);
  }
  if (usage.without_file.calls > 0) add_row(table, {"(no file)", ""}, usage.without_file);
  out.line("");
  out.write(table.text(""));
  bool any = std::any_of(usage.files.begin(), usage.files.end(), [](const measure::FileUsage& f) {
    return !f.read_pattern.empty() || !f.write_pattern.empty();
  });
  if (any) out.line("\npatterns");
  for (const measure::FileUsage& file : usage.files) print_patterns(file, out);
  say_if_incomplete(usage, out);
}

void print_ranks(const measure::Usage& usage, Output& out) {
  Table table;
  table.row({"rank, each", "of process", "calls", "failed", "opened", "read", "written", "in I/O, about"});
  for (const measure::RankUsage& r : usage.ranks) {
    FileFigures each = r.each;
    each.time_ns = each.io_ns;
    add_row(table, {r.ranks.empty() ? "(no rank)" : r.ranks.text(), std::to_string(r.process)}, each);
  }
  out.line("");
  out.write(table.text(""));
  say_if_incomplete(usage, out);
}

void print_layers(const measure::Summary& summary, Output& out) {
  Table table;
  table.row({"layer", "called by", "calls", "read", "written", "time"});
  auto row = [&](const std::string& layer, const char* by, const measure::FunctionTotals& f) {
    if (f.calls == 0) return;
    table.row({layer, by, grouped(f.calls), unless_zero(f.bytes_read, bytes_text(f.bytes_read)),
               unless_zero(f.bytes_written, bytes_text(f.bytes_written)),
               unless_zero(f.time_ns, duration_text(f.time_ns))});
  };
  for (const measure::LayerCalls& l : measure::layer_calls(summary)) {
    row(printable(l.layer), "the program", l.program);
    row(printable(l.layer), "layers above", l.inside);
  }
  out.line("");
  out.write(table.text(""));
}

}  // namespace refrain::cli
