// See heat_view.hpp.
#include "measure/heat_view.hpp"

#include <algorithm>

namespace refrain::measure {

using trace::HeatCell;
using trace::HeatMap;

namespace {

void add(HeatByKind& to, const HeatCell& cell) {
  HeatTotals& totals = to[static_cast<size_t>(cell.kind)];
  totals.bytes += cell.bytes;
  totals.time_ns += cell.time_ns;
}

/// Merging empty copies settles which bins all maps fit in.
HeatMap common_grid(const trace::Trace& trace) {
  HeatMap grid;
  for (const trace::Process& p : trace.processes) {
    if (p.heat.empty()) continue;
    HeatMap ends{.width_log2 = p.heat.width_log2, .first_bin = p.heat.first_bin};
    auto last = static_cast<uint16_t>(p.heat.last_bin() - p.heat.first_bin);
    ends.rows = {{0, {{0, trace::HeatKind::other, 0, 0}, {last, trace::HeatKind::other, 0, 0}}}};
    if (last == 0) ends.rows[0].cells.pop_back();
    grid.merge(std::move(ends));
  }
  return grid;
}

}  // namespace

HeatView heat_view(const trace::Trace& trace) {
  HeatView view;
  HeatMap grid = common_grid(trace);
  if (grid.empty()) return view;
  view.start_ns = grid.start_ns();
  view.bin_ns = grid.bin_ns();
  view.bins.resize(grid.last_bin() - grid.first_bin + 1);
  uint64_t begin = UINT64_MAX;
  for (size_t i = 0; i < trace.processes.size(); ++i) {
    const trace::Process& p = trace.processes[i];
    begin = std::min(begin, p.start_ns);
    HeatMap map = p.heat;
    map.align(std::max(map.width_log2, grid.width_log2), map.empty() ? map.first_bin : grid.first_bin);
    uint64_t in_row = uint64_t{1} << map.group_log2;
    view.most_in_row = std::max(view.most_in_row, map.empty() ? 1 : in_row);
    for (trace::HeatRow& row : map.rows) {
      HeatViewRow& out = view.rows.emplace_back();
      out.process = i;
      out.of_ranks = !p.ranks.empty();
      if (out.of_ranks) {
        out.first_rank = row.number << map.group_log2;
        out.last_rank =
            static_cast<uint32_t>(std::min<uint64_t>(out.first_rank + in_row - 1, p.ranks.last()));
      }
      out.cells = std::move(row.cells);
      for (const HeatCell& cell : out.cells)
        for (HeatByKind* totals : {&view.bins[cell.bin], &out.totals, &view.totals}) add(*totals, cell);
    }
  }
  view.lead_ns = static_cast<int64_t>(view.start_ns - begin);
  return view;
}

uint64_t busy_ns(const HeatView& view) {
  uint64_t busy = 0;
  for (const HeatByKind& bin : view.bins) {
    uint64_t time = 0;
    for (const HeatTotals& kind : bin) time += std::min(kind.time_ns, view.bin_ns);
    busy += std::min(time, view.bin_ns);
  }
  return busy;
}

HeatView coarser(HeatView view, size_t most_bins) {
  size_t step = most_bins == 0 ? 1 : (view.bins.size() + most_bins - 1) / most_bins;
  if (step <= 1) return view;
  std::vector<HeatByKind> bins((view.bins.size() + step - 1) / step);
  for (size_t i = 0; i < view.bins.size(); ++i)
    for (size_t kind = 0; kind < trace::heat_kinds; ++kind) {
      bins[i / step][kind].bytes += view.bins[i][kind].bytes;
      bins[i / step][kind].time_ns += view.bins[i][kind].time_ns;
    }
  for (HeatViewRow& row : view.rows) {
    std::array<size_t, trace::heat_kinds> last{};  // place behind the last cell of the kind
    std::vector<HeatCell> cells;
    for (HeatCell cell : row.cells) {
      cell.bin = static_cast<uint16_t>(cell.bin / step);
      size_t& at = last[static_cast<size_t>(cell.kind)];
      if (at == 0 || cells[at - 1].bin != cell.bin) {
        cells.push_back(cell);
        at = cells.size();
        continue;
      }
      cells[at - 1].bytes += cell.bytes;
      cells[at - 1].time_ns += cell.time_ns;
    }
    row.cells = std::move(cells);
  }
  view.bins = std::move(bins);
  view.bin_ns *= step;
  return view;
}

}  // namespace refrain::measure
