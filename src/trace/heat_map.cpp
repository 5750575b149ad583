// Heat maps; see heat_map.hpp.
#include "trace/heat_map.hpp"

#include <algorithm>
#include <utility>

namespace refrain::trace {
namespace {

uint64_t saturated_sum(uint64_t a, uint64_t b) { return a + b < a ? UINT64_MAX : a + b; }

void add(HeatCell& to, const HeatCell& from) {
  to.bytes = saturated_sum(to.bytes, from.bytes);
  to.time_ns = saturated_sum(to.time_ns, from.time_ns);
}

/// Puts cells in order and makes one of those with the same key.
void unite(std::vector<HeatCell>& cells) {
  auto before = [](const HeatCell& a, const HeatCell& b) { return a.key() < b.key(); };
  if (!std::is_sorted(cells.begin(), cells.end(), before))
    std::stable_sort(cells.begin(), cells.end(), before);
  size_t kept = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (kept > 0 && cells[kept - 1].key() == cells[i].key())
      add(cells[kept - 1], cells[i]);
    else
      cells[kept++] = cells[i];
  }
  cells.resize(kept);
}

void append(std::vector<HeatCell>& to, const std::vector<HeatCell>& from) {
  to.insert(to.end(), from.begin(), from.end());
  unite(to);
}

/// Makes one of rows with the same number, which must follow each other.
void unite(std::vector<HeatRow>& rows) {
  std::vector<HeatRow> out;
  for (HeatRow& row : rows) {
    if (!out.empty() && out.back().number == row.number)
      append(out.back().cells, row.cells);
    else
      out.push_back(std::move(row));
  }
  rows = std::move(out);
}

/// How much wider bins must be for those from `first` to `last` to be few enough.
uint32_t doublings(uint64_t first, uint64_t last) {
  uint32_t n = 0;
  while ((last >> n) - (first >> n) >= HeatMap::most_bins) ++n;
  return n;
}

/// At most that of the last row.
uint64_t last_rank(const HeatMap& map) { return uint64_t{map.rows.back().number} << map.group_log2; }

}  // namespace

size_t HeatMap::cells() const {
  size_t n = 0;
  for (const HeatRow& row : rows) n += row.cells.size();
  return n;
}

uint64_t HeatMap::last_bin() const {
  uint64_t last = 0;
  for (const HeatRow& row : rows)
    if (!row.cells.empty()) last = std::max<uint64_t>(last, row.cells.back().bin);
  return first_bin + last;
}

void HeatMap::align(uint32_t width, uint64_t first) {
  uint32_t wider = width - width_log2;
  if (wider == 0 && first == first_bin) return;
  for (HeatRow& row : rows) {
    for (HeatCell& cell : row.cells)
      cell.bin = static_cast<uint16_t>(((first_bin + cell.bin) >> wider) - first);
    unite(row.cells);
  }
  width_log2 = width;
  first_bin = first;
}

void HeatMap::regroup(uint32_t group) {
  if (group == group_log2) return;
  for (HeatRow& row : rows) row.number >>= group - group_log2;
  group_log2 = group;
  unite(rows);
}

void HeatMap::set_rank(uint32_t rank) {
  for (HeatRow& row : rows) row.number = rank >> group_log2;
}

void HeatMap::merge(HeatMap other) {
  if (other.empty()) return;
  if (empty()) {
    *this = std::move(other);
    return;
  }
  uint32_t width = std::max(width_log2, other.width_log2);
  auto place = [&](const HeatMap& map, uint64_t bin) { return bin >> (width - map.width_log2); };
  uint64_t first = std::min(place(*this, first_bin), place(other, other.first_bin));
  uint64_t last = std::max(place(*this, last_bin()), place(other, other.last_bin()));
  uint32_t wider = doublings(first, last);
  uint32_t group = std::max(group_log2, other.group_log2);
  while (std::max(last_rank(*this), last_rank(other)) >> group >= most_rows) ++group;
  for (HeatMap* map : {this, &other}) {
    map->align(width + wider, first >> wider);
    map->regroup(group);
  }
  std::vector<HeatRow> all;
  std::merge(std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()),
             std::make_move_iterator(other.rows.begin()), std::make_move_iterator(other.rows.end()),
             std::back_inserter(all), [](const HeatRow& a, const HeatRow& b) { return a.number < b.number; });
  rows = std::move(all);
  unite(rows);
  while (cells() > most_cells && width_log2 < most_width_log2) align(width_log2 + 1, first_bin >> 1);
}

void HeatMap::round() {
  const uint64_t unit = bin_ns() / 64;
  for (HeatRow& row : rows) {
    std::array<uint64_t, heat_kinds> left;  // what was cut off so far, of each kind
    left.fill(unit / 2);
    for (HeatCell& cell : row.cells) {
      uint64_t& rest = left[static_cast<size_t>(cell.kind)];
      uint64_t time = saturated_sum(cell.time_ns, rest);
      cell.time_ns = time / unit * unit;
      rest = time - cell.time_ns;
    }
    std::erase_if(row.cells, [](const HeatCell& cell) { return cell.bytes == 0 && cell.time_ns == 0; });
  }
  std::erase_if(rows, [](const HeatRow& row) { return row.cells.empty(); });
}

}  // namespace refrain::trace
