// The heat map of one lane while it is being recorded: all bins side by side, so that a call costs an
// addition. When the run outgrows the last bin, each two neighbors become one. Kept in the lane's state and
// folded from the journal like everything else, so a process that was killed leaves it whole.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "trace/heat_map.hpp"
#include "trace/signature.hpp"

namespace refrain::record {

/// What an event adds to the heat map, read off its signature.
struct HeatRule {
  /// Parameters that count bytes.
  struct Bytes {
    uint16_t at = 0, count = 0;
    uint64_t sum(const int64_t* parameters) const {
      if (count == 1) [[likely]]
        return static_cast<uint64_t>(parameters[at]);
      uint64_t total = 0;
      for (uint16_t i = 0; i < count; ++i) total += static_cast<uint64_t>(parameters[at + i]);
      return total;
    }
  };
  bool counts = false;  ///< it is I/O
  trace::HeatKind kind = trace::HeatKind::other;
  Bytes read{}, written{};

  static HeatRule of(const trace::Signature& signature);
};

class HeatBins {
 public:
  struct Call {
    trace::HeatKind kind;
    uint64_t start_ns, end_ns;  ///< since the epoch
    uint64_t bytes;
  };
  void add(const Call& call) {
    uint64_t bin = call.start_ns >> width_log2_, at = bin - first_bin_;
    if (at >= cells_.size() / trace::heat_kinds || call.end_ns >> width_log2_ != bin) [[unlikely]]
      return add_slowly(call);
    Cell& cell = cells_[at * trace::heat_kinds + static_cast<size_t>(call.kind)];
    cell.bytes += call.bytes;
    cell.time_ns += call.end_ns - call.start_ns;
  }

  /// One bin, for calls that are known to lie in it; good until the next add().
  struct Bin {
    uint64_t first_ns = 1, end_ns = 0;  ///< since the epoch; first >= end: there is none
    size_t number = 0;
  };
  Bin bin_at(uint64_t ns) const {
    uint64_t bin = ns >> width_log2_;
    if (bin - first_bin_ >= cells_.size() / trace::heat_kinds) return {};
    return {bin << width_log2_, (bin + 1) << width_log2_, static_cast<size_t>(bin - first_bin_)};
  }
  void add_in(const Bin& bin, trace::HeatKind kind, uint64_t time_ns, uint64_t bytes) {
    Cell& cell = cells_[bin.number * trace::heat_kinds + static_cast<size_t>(kind)];
    cell.bytes += bytes;
    cell.time_ns += time_ns;
  }

  /// As the map of a process: one row, number 0.
  trace::HeatMap map() const;
  size_t memory() const { return cells_.capacity() * sizeof(Cell); }

  void save(ByteWriter& out) const;
  /// Accepts any bytes; check `in` afterwards.
  static HeatBins restore(ByteReader& in);

 private:
  struct Cell {
    uint64_t bytes = 0, time_ns = 0;
  };
  void add_slowly(const Call& call);
  void make_room(uint64_t first_ns, uint64_t last_ns);
  /// Cells beyond the last one that has something.
  size_t used() const;

  uint32_t width_log2_ = trace::HeatMap::least_width_log2;
  uint64_t first_bin_ = 0;
  std::vector<Cell> cells_;  ///< none, or those of all bins
};

}  // namespace refrain::record
