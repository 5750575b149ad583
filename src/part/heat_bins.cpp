// The heat map of a lane; see heat_bins.hpp. Runs in the application.
#include "part/heat_bins.hpp"

#include <algorithm>

#include "api/layers.hpp"

namespace refrain::record {

using trace::heat_kinds;
using trace::HeatKind;
using trace::HeatMap;

namespace {

constexpr size_t all_cells = HeatMap::most_bins * heat_kinds;

/// Of `bytes` that moved evenly in `whole` ns, those of the first `part` ns.
uint64_t share(uint64_t bytes, uint64_t part, uint64_t whole) {
  if (part >= whole) return bytes;
  return static_cast<uint64_t>(static_cast<double>(bytes) *
                               (static_cast<double>(part) / static_cast<double>(whole)));
}

}  // namespace

HeatRule HeatRule::of(const trace::Signature& signature) {
  HeatRule rule;
  rule.counts = api::layer_named(signature.layer).has_files;
  uint16_t at = 0;
  auto note = [&](const trace::Operand& o) {
    auto count = static_cast<uint16_t>(o.parameters());
    bool reads = o.role == trace::Role::bytes_read, writes = o.role == trace::Role::bytes_written;
    if (reads && rule.kind == HeatKind::other) rule.kind = HeatKind::read;
    if (writes) rule.kind = HeatKind::written;
    bool counted = signature.error.empty() && o.kind != trace::OperandKind::long_list;
    if (reads && counted) rule.read = {at, count};
    if (writes && counted) rule.written = {at, count};
    at = static_cast<uint16_t>(at + count);
  };
  for (const trace::Operand& o : signature.operands) note(o);
  note(signature.result);
  return rule;
}

void HeatBins::add_slowly(const Call& call) {
  uint64_t end_ns = std::max(call.start_ns, call.end_ns), whole = end_ns - call.start_ns;
  make_room(call.start_ns, end_ns);
  uint64_t at_ns = call.start_ns, before = 0;
  for (uint64_t bin = at_ns >> width_log2_; bin <= end_ns >> width_log2_; ++bin) {
    uint64_t until_ns = std::min(end_ns, (bin + 1) << width_log2_);
    uint64_t until = share(call.bytes, until_ns - call.start_ns, whole);
    Cell& cell = cells_[(bin - first_bin_) * heat_kinds + static_cast<size_t>(call.kind)];
    cell.bytes += until - before;
    cell.time_ns += until_ns - at_ns;
    at_ns = until_ns;
    before = until;
  }
}

size_t HeatBins::used() const {
  size_t n = cells_.size();
  while (n > 0 && cells_[n - 1].bytes == 0 && cells_[n - 1].time_ns == 0) --n;
  return n;
}

void HeatBins::make_room(uint64_t first_ns, uint64_t last_ns) {
  uint64_t first = first_ns >> width_log2_, last = last_ns >> width_log2_;
  if (!cells_.empty() && first >= first_bin_ && last - first_bin_ < HeatMap::most_bins) return;
  if (size_t n = used(); n > 0) {
    first = std::min(first, first_bin_);
    last = std::max(last, first_bin_ + (n - 1) / heat_kinds);
  }
  uint32_t wider = 0;
  while ((last >> wider) - (first >> wider) >= HeatMap::most_bins) ++wider;
  std::vector<Cell> cells(all_cells);
  for (size_t i = 0, n = used(); i < n; ++i) {
    uint64_t bin = ((first_bin_ + i / heat_kinds) >> wider) - (first >> wider);
    Cell& cell = cells[bin * heat_kinds + i % heat_kinds];
    cell.bytes += cells_[i].bytes;
    cell.time_ns += cells_[i].time_ns;
  }
  cells_ = std::move(cells);
  width_log2_ += wider;
  first_bin_ = first >> wider;
}

HeatMap HeatBins::map() const {
  HeatMap map{.width_log2 = width_log2_, .first_bin = first_bin_};
  trace::HeatRow row;
  for (size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    if (cell.bytes == 0 && cell.time_ns == 0) continue;
    row.cells.push_back({static_cast<uint16_t>(i / heat_kinds), static_cast<HeatKind>(i % heat_kinds),
                         cell.bytes, cell.time_ns});
  }
  if (!row.cells.empty()) map.rows.push_back(std::move(row));
  return map;
}

void HeatBins::save(ByteWriter& out) const {
  size_t n = used();
  out.varint(n);
  if (n == 0) return;
  out.varint(width_log2_);
  out.varint(first_bin_);
  for (size_t i = 0; i < n; ++i) {
    out.varint(cells_[i].bytes);
    out.varint(cells_[i].time_ns);
  }
}

HeatBins HeatBins::restore(ByteReader& in) {
  HeatBins bins;
  uint64_t n = in.bounded(all_cells, "too many cells of a heat map");
  if (n == 0 || !in.ok()) return bins;
  bins.width_log2_ = static_cast<uint32_t>(in.bounded(HeatMap::most_width_log2, "bins too wide"));
  if (bins.width_log2_ < HeatMap::least_width_log2) in.fail("bins too narrow");
  if (!in.ok()) return {};
  uint64_t last = HeatMap::last_moment_ns >> bins.width_log2_;
  bins.first_bin_ = in.bounded(last, "time out of range");
  if (in.ok() && (n - 1) / heat_kinds > last - bins.first_bin_) in.fail("time out of range");
  if (!in.ok()) return {};
  bins.cells_.resize(all_cells);
  for (uint64_t i = 0; i < n; ++i) {
    bins.cells_[i].bytes = in.varint();
    bins.cells_[i].time_ns = in.varint();
  }
  return bins;
}

}  // namespace refrain::record
