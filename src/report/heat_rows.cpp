#include "report/heat_rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "measure/heat_view.hpp"

namespace refrain::report {
namespace {

constexpr size_t most_bins = 128, most_rows = 128;

using Cells = std::map<uint32_t, trace::HeatCell>;  ///< by key

void add_cells(Cells& to, const std::vector<trace::HeatCell>& cells) {
  for (const trace::HeatCell& cell : cells) {
    auto [entry, is_new] = to.try_emplace(cell.key(), cell);
    if (is_new) continue;
    entry->second.bytes += cell.bytes;
    entry->second.time_ns += cell.time_ns;
  }
}

std::string row_words(const measure::HeatViewRow& first, uint32_t last_rank) {
  if (!first.of_ranks) return fmt::format("process {}", first.process);
  if (first.first_rank == last_rank) return std::to_string(last_rank);
  return fmt::format("{}..{}", first.first_rank, last_rank);
}

}  // namespace

Json heat_rows(const trace::Trace& trace) {
  measure::HeatView view = measure::coarser(measure::heat_view(trace), most_bins);
  if (view.empty()) return nullptr;
  size_t step = (view.rows.size() + most_rows - 1) / most_rows;
  Json rows = Json::array();
  for (size_t i = 0; i < view.rows.size();) {
    const measure::HeatViewRow& first = view.rows[i];
    size_t end = std::min(i + step, view.rows.size());
    Cells cells;
    uint32_t last_rank = first.last_rank;
    uint64_t count = 0;
    for (; i < end && view.rows[i].process == first.process; ++i) {
      last_rank = view.rows[i].last_rank;
      count += view.rows[i].of_ranks ? last_rank - view.rows[i].first_rank + 1 : 1;
      add_cells(cells, view.rows[i].cells);
    }
    Json list = Json::array();
    for (const auto& [key, cell] : cells)
      list.push_back({cell.bin, static_cast<unsigned>(cell.kind), cell.bytes, cell.time_ns});
    rows.push_back({{"ranks", row_words(first, last_rank)}, {"count", count}, {"cells", std::move(list)}});
  }
  return {{"bin_ns", view.bin_ns},
          {"lead_ns", view.lead_ns},
          {"bins", view.bins.size()},
          {"rows", std::move(rows)}};
}

}  // namespace refrain::report
