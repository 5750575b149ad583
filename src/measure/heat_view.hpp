// The heat maps of all processes of a trace on one time base, with totals: what is printed and drawn.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::measure {

struct HeatTotals {
  uint64_t bytes = 0;
  uint64_t time_ns = 0;
  bool operator==(const HeatTotals&) const = default;
};

/// Totals by kind, in the order of trace::HeatKind.
using HeatByKind = std::array<HeatTotals, trace::heat_kinds>;

/// A process, a rank, or ranks with numbers that follow each other.
struct HeatViewRow {
  size_t process = 0;     ///< number in the trace
  bool of_ranks = false;  ///< else the process is no rank
  uint32_t first_rank = 0, last_rank = 0;
  std::vector<trace::HeatCell> cells{};
  HeatByKind totals{};
};

struct HeatView {
  uint64_t start_ns = 0;     ///< of the first bin, since the epoch
  uint64_t bin_ns = 0;       ///< 0: the trace has no heat map
  int64_t lead_ns = 0;       ///< from the beginning of the earliest process to start_ns: may be negative
  uint64_t most_in_row = 1;  ///< ranks
  std::vector<HeatByKind> bins{};
  std::vector<HeatViewRow> rows{};  ///< by process, then rank
  HeatByKind totals{};

  bool empty() const { return bin_ns == 0; }
};

HeatView heat_view(const trace::Trace& trace);

/// How long at least one rank was inside a call that does I/O, to the width of a bin: in a bin, the times of
/// all ranks together, but no more than the bin is long.
uint64_t busy_ns(const HeatView& view);

/// The same with at most so many bins, each as wide as some of those there were.
HeatView coarser(HeatView view, size_t most_bins);

}  // namespace refrain::measure
