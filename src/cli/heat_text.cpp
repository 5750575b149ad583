// Heat maps as text and as JSON; see heat_text.hpp.
#include "cli/heat_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/readable.hpp"
#include "measure/heat_view.hpp"

namespace refrain::cli {
namespace {

using measure::HeatTotals;
using measure::HeatView;
using measure::HeatViewRow;
using trace::HeatKind;

constexpr size_t most_columns = 64, most_lines = 32;
constexpr size_t kind_width = 9;  ///< room for the names of lines

constexpr size_t place(HeatKind kind) { return static_cast<size_t>(kind); }

/// Blocks as high as the values are beside the largest one; nothing is nothing, and anything is seen.
std::string blocks(const std::vector<uint64_t>& values, uint64_t largest) {
  constexpr const char* heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text;
  for (uint64_t v : values) {
    double height = largest == 0 ? 0 : static_cast<double>(v) / static_cast<double>(largest) * 8;
    text += v == 0 ? " " : heights[std::clamp(static_cast<int>(std::lround(height)), 1, 8) - 1];
  }
  return text;
}

std::vector<uint64_t> over_time(const HeatView& view, HeatKind kind) {
  std::vector<uint64_t> values;
  for (const measure::HeatByKind& bin : view.bins)
    values.push_back(kind == HeatKind::other ? bin[place(kind)].time_ns : bin[place(kind)].bytes);
  return values;
}

void print_kinds(const HeatView& view, Output& out) {
  for (size_t k = 0; k < trace::heat_kinds; ++k) {
    auto kind = static_cast<HeatKind>(k);
    const HeatTotals& totals = view.totals[k];
    if (totals.bytes == 0 && totals.time_ns == 0) continue;
    std::vector<uint64_t> values = over_time(view, kind);
    std::string sum = kind == HeatKind::other ? "" : bytes_text(totals.bytes) + " in ";
    out.line(fmt::format("{:<{}}|{}| {}{}", trace::heat_kind_names[k], kind_width,
                         blocks(values, *std::max_element(values.begin(), values.end())), sum,
                         duration_text(totals.time_ns)));
  }
}

std::string row_name(const HeatViewRow& row, uint32_t last_rank) {
  if (!row.of_ranks) return fmt::format("proc {}", row.process);
  if (row.first_rank == last_rank) return std::to_string(last_rank);
  return fmt::format("{}..{}", row.first_rank, last_rank);
}

/// Time in calls of all kinds, by rank.
void print_rows(const HeatView& view, Output& out) {
  size_t step = (view.rows.size() + most_lines - 1) / most_lines;
  struct Line {
    std::string name;
    std::vector<uint64_t> values;
  };
  std::vector<Line> lines;
  uint64_t largest = 0;
  for (size_t i = 0; i < view.rows.size();) {
    const HeatViewRow& first = view.rows[i];
    std::vector<uint64_t> values(view.bins.size());
    uint32_t last_rank = first.last_rank;
    size_t end = std::min(i + step, view.rows.size());
    for (; i < end && view.rows[i].process == first.process; ++i) {
      last_rank = view.rows[i].last_rank;
      for (const trace::HeatCell& cell : view.rows[i].cells) values[cell.bin] += cell.time_ns;
    }
    largest = std::max(largest, *std::max_element(values.begin(), values.end()));
    lines.push_back({row_name(first, last_rank), std::move(values)});
  }
  size_t width = kind_width;
  for (const Line& line : lines) width = std::max(width, line.name.size() + 1);
  for (const Line& line : lines)
    out.line(fmt::format("{:<{}}|{}|", line.name, width, blocks(line.values, largest)));
}

nlohmann::json by_bin(const HeatView& view, size_t kind) {
  auto bytes = nlohmann::json::array(), times = nlohmann::json::array();
  for (const measure::HeatByKind& bin : view.bins) {
    bytes.push_back(bin[kind].bytes);
    times.push_back(bin[kind].time_ns);
  }
  return {{"bytes", bytes}, {"time_ns", times}};
}

nlohmann::json row_json(const HeatViewRow& row, bool cells) {
  nlohmann::json out{{"process", row.process}};
  if (row.of_ranks) {
    out["first_rank"] = row.first_rank;
    out["last_rank"] = row.last_rank;
  }
  for (size_t k = 0; k < trace::heat_kinds; ++k)
    out[std::string(trace::heat_kind_names[k])] = {{"bytes", row.totals[k].bytes},
                                                   {"time_ns", row.totals[k].time_ns}};
  if (!cells) return out;
  auto list = nlohmann::json::array();
  for (const trace::HeatCell& cell : row.cells)
    list.push_back({cell.bin, trace::heat_kind_names[place(cell.kind)], cell.bytes, cell.time_ns});
  out["cells"] = list;
  return out;
}

}  // namespace

void print_heat_map(const trace::Trace& trace, bool by_rank, Output& out) {
  HeatView view = measure::coarser(measure::heat_view(trace), most_columns);
  if (view.empty()) return;
  auto shown = static_cast<uint64_t>(view.bins.size());
  out.line(fmt::format("\nover time, {} in columns of {}", duration_text(shown * view.bin_ns),
                       duration_text(view.bin_ns)));
  print_kinds(view, out);
  if (!by_rank) return;
  out.line("time in calls, by rank");
  print_rows(view, out);
}

nlohmann::json heat_json(const trace::Trace& trace, bool by_rank) {
  HeatView view = measure::heat_view(trace);
  if (view.empty()) return nullptr;
  nlohmann::json out{{"start_ns", view.start_ns},
                     {"lead_ns", view.lead_ns},
                     {"bin_ns", view.bin_ns},
                     {"bins", view.bins.size()},
                     {"ranks_in_row", view.most_in_row}};
  auto time = nlohmann::json::object();
  for (size_t k = 0; k < trace::heat_kinds; ++k)
    time[std::string(trace::heat_kind_names[k])] = by_bin(view, k);
  out["over_time"] = time;
  auto rows = nlohmann::json::array();
  for (const HeatViewRow& row : view.rows) rows.push_back(row_json(row, by_rank));
  out["rows"] = rows;
  return out;
}

}  // namespace refrain::cli
