// Folding many events at once. A program that is in a loop leaves the same records in its journal again and
// again, in the order that the folders of their streams predict. Then it is enough to compare the records'
// heads; what they hold is handed to the folders place by place, all iterations together, so that each value
// of a stream and each time of a histogram is an addition in a short loop.
//
// Example: a loop of H5Dwrite, each of which calls MPI_File_write_at, which calls pwrite. Its iterations are
// *rounds* of three records, the inner ones first, with three *places*. The outer stream predicts an
// H5Dwrite, the streams of MPI-IO and POSIX predict the other two. What a round is follows from the outer
// stream: it ends when the loop that this stream is in has turned once.
//
// The state is the same afterwards as if the events had been folded one by one: each stream and histogram
// gets the same numbers in the same order.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/clock.hpp"
#include "part/state.hpp"

namespace refrain::record {
namespace {

constexpr uint32_t most_places = 32;
constexpr size_t most_rounds = 64;  ///< at once: their times lie on the stack
constexpr size_t least_events = 8;  ///< fewer are not worth it
constexpr uint32_t stream_bits = (1u << max_streams) - 1;
constexpr uint32_t no_place = most_places;
/// Differences of earlier times are signed numbers.
constexpr uint64_t latest_ticks = uint64_t{1} << 62;

/// What is the same in all records of a place: all of an EventRecord before its times, without own_ticks.
struct Head {
  uint64_t kind_to_layer;
  uint32_t signature;
  static Head of(const uint8_t* record) {
    Head head;
    std::memcpy(&head.kind_to_layer, record, sizeof head.kind_to_layer);
    std::memcpy(&head.signature, record + offsetof(EventRecord, signature), sizeof head.signature);
    return head;
  }
};
static_assert(offsetof(EventRecord, signature) == sizeof(uint64_t));

struct Place {
  Head head;
  uint32_t offset;
  bool warms;  ///< its events count in the heat map
};

struct Round {
  Place places[most_places];
  uint32_t size = 0, bytes = 0;
  uint32_t streams = 0;             ///< that any of its events is in
  uint32_t last[max_streams] = {};  ///< place of the last event of each
};

const EventRecord& event_at(const uint8_t* at) { return *reinterpret_cast<const EventRecord*>(at); }

/// The records up to the end of the next iteration of the outer stream's loop, if all streams predict them.
bool find_round(const LaneState& state, std::span<const uint8_t> records, Round& round) {
  uint32_t seen[max_streams] = {};
  const uint32_t outer = state.streams[0]->folder.period();
  while (seen[0] < outer) {
    size_t left = records.size() - round.bytes;
    if (round.size == most_places || left < sizeof(EventRecord)) return false;
    const uint8_t* at = records.data() + round.bytes;
    const EventRecord& record = event_at(at);
    uint32_t bytes = sizeof record + 8 * uint32_t{record.parameters};
    if (record.kind != RecordKind::event || left < bytes || record.signature >= state.signatures ||
        record.layer + 1u >= max_streams || record.parameters != state.shapes[record.signature].parameters)
      return false;
    bool is_outer = (record.streams & 1) != 0;
    round.places[round.size] = {Head::of(at), round.bytes,
                                is_outer && state.start_ns != 0 && state.heat_rules[record.signature].counts};
    for (uint32_t bits = record.streams & stream_bits; bits != 0; bits &= bits - 1) {
      auto s = static_cast<uint32_t>(std::countr_zero(bits));
      if (!state.streams[s]) return false;
      const fold::Folder& folder = state.streams[s]->folder;
      if (seen[s] >= folder.period() || folder.predicted(seen[s]) != record.signature) return false;
      ++seen[s];
      round.last[s] = round.size;
    }
    round.streams |= record.streams & stream_bits;
    round.bytes += bytes;
    ++round.size;
  }
  for (uint32_t bits = round.streams; bits != 0; bits &= bits - 1) {
    auto s = static_cast<uint32_t>(std::countr_zero(bits));
    if (seen[s] != state.streams[s]->folder.period()) return false;
  }
  return true;
}

/// How many rounds there are, one behind the other, at times such as clocks show, those that count in the
/// heat map in [from, end).
size_t count_rounds(const Round& round, std::span<const uint8_t> records, uint64_t from, uint64_t end) {
  size_t most = std::min(most_rounds, records.size() / round.bytes);
  const uint8_t* at = records.data();
  for (size_t n = 0; n < most; ++n, at += round.bytes)
    for (const Place *place = round.places, *last = place + round.size; place != last; ++place) {
      const Head head = Head::of(at + place->offset);
      if (head.kind_to_layer != place->head.kind_to_layer || head.signature != place->head.signature)
        return n;
      const EventRecord& record = event_at(at + place->offset);
      const uint64_t least = place->warms ? from : 0, beyond = place->warms ? end : latest_ticks;
      if (record.start_ticks < least || record.end_ticks >= beyond || record.start_ticks > record.end_ticks)
        return n;
    }
  return most;
}

}  // namespace

size_t LaneState::fold_rounds(std::span<const uint8_t> records) {
  if (!streams[0] || streams[0]->folder.period() == 0 || !communication.empty()) return 0;
  Round round;
  if (!find_round(*this, records, round)) return 0;
  const size_t n =
      count_rounds(round, records, warm_bin_.from_ticks, std::min(warm_bin_.end_ticks, latest_ticks));
  if (n < 2 || n * round.size < least_events) return 0;

  const double rate = ns_per_tick;
  /// As ticks_to_ns() does it, with fewer questions.
  auto ns = [rate](uint64_t from, uint64_t to) {
    auto ticks = static_cast<int64_t>(to - from);
    double exact = static_cast<double>(ticks > 0 ? ticks : 0) * rate;
    return static_cast<uint64_t>(static_cast<int64_t>(exact < longest_ns ? exact : longest_ns));
  };
  uint64_t durations[most_rounds], gaps[most_rounds];
  uint32_t before[max_streams], taken[max_streams] = {};
  std::fill_n(before, max_streams, no_place);
  for (uint32_t p = 0; p < round.size; ++p) {
    const uint8_t* const first = records.data() + round.places[p].offset;
    const EventRecord& head = event_at(first);
    const uint8_t* at = first;
    for (size_t i = 0; i < n; ++i, at += round.bytes)
      durations[i] = ns(event_at(at).start_ticks, event_at(at).end_ticks);
    const auto* parameters = reinterpret_cast<const int64_t*>(first + sizeof(EventRecord));
    for (uint32_t bits = head.streams & stream_bits; bits != 0; bits &= bits - 1) {
      auto s = static_cast<uint32_t>(std::countr_zero(bits));
      // The event before it in its stream: in the same round, or the last one of the round before.
      bool begins = before[s] == no_place;
      const uint8_t* previous = records.data() + round.places[begins ? round.last[s] : before[s]].offset;
      uint64_t own_mask = s == 0 ? UINT32_MAX : 0;
      at = first;
      size_t i = 0;
      if (begins) {
        uint64_t end_ticks = streams[s]->last_end + (head.own_ticks & own_mask);
        gaps[i++] = head.start_ticks > end_ticks ? ticks_to_ns(head.start_ticks - end_ticks, rate) : 0;
        at += round.bytes;
      }
      for (; i < n; ++i, at += round.bytes, previous += round.bytes)
        gaps[i] =
            ns(event_at(previous).end_ticks + (event_at(at).own_ticks & own_mask), event_at(at).start_ticks);
      streams[s]->folder.take(taken[s]++, {parameters, round.bytes / 8, gaps, durations, n});
      before[s] = p;
    }
    if ((head.streams & 1) == 0) continue;
    outer_events[head.layer + 1] += n;
    if (!round.places[p].warms) continue;
    const HeatRule& rule = heat_rules[head.signature];
    bool reads = rule.kind == trace::HeatKind::read;
    uint64_t time_ns = 0, bytes = 0, bytes_read = 0;
    for (size_t i = 0; i < n; ++i) time_ns += durations[i];
    auto sum = [&](const HeatRule::Bytes& which) {
      uint64_t total = 0;
      for (uint32_t k = 0; k < which.count; ++k) {
        const int64_t* value = parameters + which.at + k;
        for (size_t i = 0; i < n; ++i, value += round.bytes / 8) total += static_cast<uint64_t>(*value);
      }
      return total;
    };
    bytes = sum(reads ? rule.read : rule.written);
    heat.add_in(warm_bin_.bin, rule.kind, time_ns, bytes);
    if (!reads && rule.read.count > 0) {
      bytes_read = sum(rule.read);
      heat.add_in(warm_bin_.bin, trace::HeatKind::read, 0, bytes_read);
    }
  }
  for (uint32_t bits = round.streams; bits != 0; bits &= bits - 1) {
    auto s = static_cast<uint32_t>(std::countr_zero(bits));
    streams[s]->folder.next(n);
    streams[s]->last_end =
        event_at(records.data() + (n - 1) * round.bytes + round.places[round.last[s]].offset).end_ticks;
  }
  events += n * round.size;
  return n * round.bytes;
}

}  // namespace refrain::record
