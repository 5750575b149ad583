// What a lane knows besides its journal: definitions seen so far and the folders of its streams. Saved as a
// segment of the part and restored by the part reader, which then goes on folding the journal.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "api/layers.hpp"
#include "base/bytes.hpp"
#include "fold/folder.hpp"
#include "part/heat_bins.hpp"
#include "part/part_layout.hpp"
#include "trace/trace.hpp"

namespace refrain::record {

/// Streams of a lane: the outer one, then one per layer, in the order of api::layers.
constexpr uint32_t max_streams = 12;
static_assert(static_cast<uint32_t>(api::Layer::end) < max_streams);

struct StreamState {
  fold::Folder folder;
  uint64_t prefix = 0;    ///< layer stream: events of the layer that only the outer stream has
  uint64_t last_end = 0;  ///< ticks
};

/// A mark of the journal, with its place among the events of the outer stream.
struct Mark {
  MarkKind what = MarkKind::started;
  uint32_t number = 0;
  uint64_t at = 0;
  uint64_t ticks = 0;
};

struct LaneState {
  ByteWriter definitions;  ///< all definitions, encoded, in order: kind, bytes
  uint32_t templates = 0, lists = 0, signatures = 0;
  std::vector<fold::Shape> shapes;
  std::vector<HeatRule> heat_rules;  ///< by signature
  HeatBins heat;
  std::optional<StreamState> streams[max_streams];
  uint64_t outer_events[max_streams] = {};  ///< per layer, for `prefix`
  uint64_t events = 0;
  std::vector<Mark> marks;
  double ns_per_tick = 1.0;
  uint64_t start_ticks = 0;  ///< of the process; not saved
  uint64_t start_ns = 0;     ///< the same since the epoch; 0: no heat map is kept. Not saved
  trace::Communication
      communication{};  ///< before the next outer event; never outlives a walk of the journal

  /// Adds a definition (as in the journal) to the tables; false if it is none.
  bool define(RecordKind kind, std::span<const uint8_t> encoded);
  /// Folds an event of the journal.
  void fold(const EventRecord& record, const int64_t* parameters);
  /// Folds the events at the front of `records` that repeat what the streams' loops predict, iteration by
  /// iteration, all at once. Returns their bytes, 0 if there are too few. See rounds.cpp.
  size_t fold_rounds(std::span<const uint8_t> records);
  /// How many events the outer stream has.
  uint64_t outer_events_in_all() const;
  void note(const MarkRecord& record);
  /// Keeps the times for the event that follows.
  void note(const CommunicationRecord& record);
  size_t memory() const;

  void save(ByteWriter& out) const;
  /// Accepts any bytes; check `in` afterwards.
  static LaneState restore(ByteReader& in);

 private:
  void start_stream(uint32_t s, uint64_t at_ticks);
  /// The bin that calls fall into now, and the ticks that lie in it whatever the rounding.
  struct WarmBin {
    HeatBins::Bin bin{};
    uint64_t from_ticks = 1, end_ticks = 0;
  };
  void warm(const EventRecord& record, uint64_t duration_ns, const int64_t* parameters);
  void warm_elsewhere(const EventRecord& record, const HeatRule& rule, const int64_t* parameters);
  WarmBin warm_bin_{};
};

/// Walks `used` bytes of a journal into `state`: what both the recorder and the reader do. Returns how far it
/// got: less than `used` if a record is malformed, which only a damaged part can be.
size_t fold_journal(LaneState& state, const uint8_t* journal, size_t from, size_t used);

}  // namespace refrain::record
