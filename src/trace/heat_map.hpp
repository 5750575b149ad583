// When I/O happened: per process or rank and kind of call, bytes and time in bins of equal width. Bins lie on
// one grid for all processes: their width is a power of two nanoseconds, and they are counted from the epoch.
// So maps of processes that began at different moments are added cell by cell; where there are too many bins,
// two neighbors become one. What the map holds stays small whatever ran: see the bounds below.
//
// Only outer calls count, and so each byte once. A map says nothing about what a trace is: it is a
// measurement, like the histograms of times, and equal traces may differ in it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace refrain::trace {

enum class HeatKind : uint8_t {
  read,
  written,
  other,  ///< calls that move no data: opening, closing, seeking, asking, synchronizing
};
inline constexpr uint32_t heat_kinds = 3;
inline constexpr std::array<std::string_view, heat_kinds> heat_kind_names{"read", "written", "other"};

struct HeatCell {
  uint16_t bin = 0;  ///< from the map's first one
  HeatKind kind = HeatKind::read;
  uint64_t bytes = 0;
  uint64_t time_ns = 0;  ///< in calls, of all threads together

  /// Cells of a row are in the order of these.
  uint32_t key() const { return uint32_t{bin} * heat_kinds + static_cast<uint32_t>(kind); }
  bool operator==(const HeatCell&) const = default;
};

/// What one process did, or one rank, or 2^group_log2 ranks with numbers that follow each other.
struct HeatRow {
  uint32_t number = 0;  ///< rank >> group_log2; 0 if the process is no rank
  std::vector<HeatCell> cells{};
  bool operator==(const HeatRow&) const = default;
};

struct HeatMap {
  static constexpr uint32_t most_bins = 256;
  static constexpr uint32_t most_rows = 4096;
  static constexpr size_t most_cells = size_t{1} << 17;  ///< of all rows; beyond, bins become wider
  static constexpr uint32_t least_width_log2 = 16;       ///< 65 us
  static constexpr uint32_t most_width_log2 = 55;        ///< a year
  static constexpr uint64_t last_moment_ns = INT64_MAX;  ///< since the epoch; 256 bins of a year reach so far

  uint32_t width_log2 = least_width_log2;
  uint32_t group_log2 = 0;
  uint64_t first_bin = 0;       ///< counted from the epoch
  std::vector<HeatRow> rows{};  ///< by number, none without cells

  bool empty() const { return rows.empty(); }
  uint64_t bin_ns() const { return uint64_t{1} << width_log2; }
  uint64_t start_ns() const { return first_bin << width_log2; }
  size_t cells() const;
  /// The last bin that a cell lies in, counted from the epoch.
  uint64_t last_bin() const;

  /// Makes bins as wide as 2^width ns at least, and has the first be number `first` of these, which must not
  /// lie behind the first one now.
  void align(uint32_t width, uint64_t first);
  /// Has rows of 2^group ranks each.
  void regroup(uint32_t group);
  /// The only row of a process that is one rank gets that rank's number.
  void set_rank(uint32_t rank);
  /// Adds the other's cells to those of the same row and time.
  void merge(HeatMap other);
  /// Rounds times to 1/64 of a bin, so that a file takes one byte for each. Sums of a row change by less than
  /// that; cells with nothing left in them are dropped.
  void round();

  bool operator==(const HeatMap&) const = default;
};

}  // namespace refrain::trace
