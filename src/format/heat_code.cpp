// Heat maps as bytes; see heat_code.hpp. A row that equals an earlier one takes two bytes, so what such rows
// become in memory is bounded for the trace as a whole.
#include "format/heat_code.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace refrain::format {

using namespace trace;

namespace {

constexpr uint32_t most_group_log2 = 31;
constexpr uint32_t most_key = HeatMap::most_bins * heat_kinds - 1;

/// The most zero bits that all times end with.
uint32_t time_shift(const HeatMap& map) {
  uint64_t bits = 0;
  for (const HeatRow& row : map.rows)
    for (const HeatCell& cell : row.cells) bits |= cell.time_ns;
  return bits == 0 ? 0 : static_cast<uint32_t>(std::countr_zero(bits));
}

void write_cells(ByteWriter& out, const std::vector<HeatCell>& cells, uint32_t shift) {
  out.varint(cells.size());
  uint32_t next = 0;
  for (const HeatCell& cell : cells) {
    out.varint(cell.key() - next);
    next = cell.key() + 1;
  }
  for (const HeatCell& cell : cells) out.varint(cell.bytes);
  for (const HeatCell& cell : cells) out.varint(cell.time_ns >> shift);
}

/// Cells of rows that aren't written since they equal others, in all maps of a trace.
class Repeats {
 public:
  /// Whether a row of so many cells may be one of them.
  bool take(size_t cells) {
    if (cells > left_) return false;
    left_ -= cells;
    return true;
  }

 private:
  size_t left_ = HeatMap::most_cells;
};

void write_map(ByteWriter& out, const HeatMap& map, Repeats& repeats) {
  out.varint(map.rows.size());
  if (map.empty()) return;
  uint32_t shift = time_shift(map);
  out.varint(map.width_log2);
  out.varint(map.group_log2);
  out.varint(map.first_bin);
  out.varint(shift);
  auto before = [](const HeatRow* a, const HeatRow* b) {
    return std::lexicographical_compare(a->cells.begin(), a->cells.end(), b->cells.begin(), b->cells.end(),
                                        [](const HeatCell& x, const HeatCell& y) {
                                          return std::tuple(x.key(), x.bytes, x.time_ns) <
                                                 std::tuple(y.key(), y.bytes, y.time_ns);
                                        });
  };
  std::map<const HeatRow*, size_t, decltype(before)> known(before);
  uint64_t next = 0;
  for (size_t i = 0; i < map.rows.size(); ++i) {
    const HeatRow& row = map.rows[i];
    out.varint(row.number - next);
    next = uint64_t{row.number} + 1;
    auto [same, fresh] = known.try_emplace(&row, i);
    bool repeated = !fresh && repeats.take(row.cells.size());
    out.varint(repeated ? i - same->second : 0);
    same->second = i;
    if (!repeated) write_cells(out, row.cells, shift);
  }
}

std::vector<HeatCell> read_cells(ByteReader& in, uint32_t shift) {
  size_t n = in.count(3, "more cells than bytes");
  if (in.ok() && (n == 0 || n > most_key + 1)) in.fail("a row of no cells, or of too many");
  std::vector<HeatCell> cells(in.ok() ? n : 0);
  uint64_t next = 0;
  for (HeatCell& cell : cells) {
    uint64_t key = next + in.bounded(most_key, "bin out of range");
    if (key > most_key) in.fail("bin out of range");
    if (!in.ok()) return {};
    cell.bin = static_cast<uint16_t>(key / heat_kinds);
    cell.kind = static_cast<HeatKind>(key % heat_kinds);
    next = key + 1;
  }
  for (HeatCell& cell : cells) cell.bytes = in.varint();
  for (HeatCell& cell : cells) cell.time_ns = in.bounded(UINT64_MAX >> shift, "time out of range") << shift;
  return cells;
}

/// Whether all that is merged with others later stays in range.
bool is_in_time(const HeatMap& map) {
  uint64_t last = HeatMap::last_moment_ns >> map.width_log2;
  return map.first_bin <= last && map.last_bin() <= last;
}

HeatMap read_map(ByteReader& in, Repeats& repeats) {
  HeatMap map;
  uint64_t rows = in.bounded(HeatMap::most_rows, "too many rows");
  if (rows == 0 || !in.ok()) return map;
  map.width_log2 = static_cast<uint32_t>(in.bounded(HeatMap::most_width_log2, "bins too wide"));
  map.group_log2 = static_cast<uint32_t>(in.bounded(most_group_log2, "too many ranks in a row"));
  map.first_bin = in.varint();
  auto shift = static_cast<uint32_t>(in.bounded(63, "time out of range"));
  if (map.width_log2 < HeatMap::least_width_log2) in.fail("bins too narrow");
  size_t cells = 0;
  for (uint64_t i = 0, next = 0; i < rows && in.ok(); ++i) {
    HeatRow& row = map.rows.emplace_back();
    uint64_t number = next + in.bounded(RankSet::max_rank, "rank out of range");
    if (number > RankSet::max_rank >> map.group_log2) in.fail("rank out of range");
    row.number = static_cast<uint32_t>(number);
    next = number + 1;
    uint64_t back = in.bounded(i, "a row like none before it");
    if (!in.ok()) break;
    if (back == 0)
      row.cells = read_cells(in, shift);
    else if (repeats.take(map.rows[i - back].cells.size()))
      row.cells = map.rows[i - back].cells;
    else
      in.fail("too many rows that equal others");
    cells += row.cells.size();
    if (cells > HeatMap::most_cells) in.fail("too many cells");
  }
  if (in.ok() && !is_in_time(map)) in.fail("time out of range");
  return map;
}

}  // namespace

bool has_heat(const Trace& trace) {
  return !trace.scale_free() && std::any_of(trace.processes.begin(), trace.processes.end(),
                                            [](const Process& p) { return !p.heat.empty(); });
}

void write_heat(ByteWriter& out, const Trace& trace) {
  Repeats repeats;
  for (const Process& p : trace.processes) write_map(out, p.heat, repeats);
}

void read_heat(ByteReader& in, Trace& trace) {
  Repeats repeats;
  for (Process& p : trace.processes)
    if (in.ok()) p.heat = read_map(in, repeats);
}

}  // namespace refrain::format
