// Folding a lane's journal; saving and restoring. The same code runs in the application and in the reader
// of its part, so a process that was killed gives the trace it would have given.
#include "part/state.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <numeric>

#include "base/bit_cast.hpp"
#include "base/clock.hpp"

namespace refrain::record {
namespace {

/// Version 2 had no heat map, version 3 no marks, version 4 no events that a folder put by.
constexpr uint64_t state_version = 5, rests_version = 5, marks_version = 4, heat_version = 3,
                   oldest_version = 2;

}  // namespace

bool LaneState::define(RecordKind kind, std::span<const uint8_t> encoded) {
  trace::Signature signature;
  if (kind == RecordKind::define_signature) {
    ByteReader in(encoded);
    signature = trace::Signature::read(in);
    if (!in.ok()) return false;
  } else if (kind != RecordKind::define_template && kind != RecordKind::define_list) {
    return false;
  }
  definitions.u8(static_cast<uint8_t>(kind));
  definitions.varint(encoded.size());
  definitions.raw(encoded);
  if (kind == RecordKind::define_template) ++templates;
  if (kind == RecordKind::define_list) ++lists;
  if (kind != RecordKind::define_signature) return true;
  fold::Shape shape{signature.parameters(), signature.bracket};
  for (auto& stream : streams)
    if (stream) stream->folder.declare(signatures, shape);
  shapes.push_back(shape);
  heat_rules.push_back(HeatRule::of(signature));
  ++signatures;
  return true;
}

void LaneState::fold(const EventRecord& record, const int64_t* parameters) {
  ++events;
  auto ns = [&](uint64_t from, uint64_t to) { return to > from ? ticks_to_ns(to - from, ns_per_tick) : 0; };
  uint64_t duration_ns = ns(record.start_ticks, record.end_ticks);
  auto fold_in = [&](uint32_t s, uint64_t own_ticks, const trace::Communication* communicated) {
    auto& stream = streams[s];
    if (!stream) [[unlikely]]
      start_stream(s, record.start_ticks);
    uint64_t gap_ns = ns(stream->last_end + own_ticks, record.start_ticks);
    stream->folder.event(record.signature, parameters, {gap_ns, duration_ns, communicated});
    stream->last_end = record.end_ticks;
  };
  bool outer = (record.streams & 1) != 0;
  if (outer) {
    bool communicated = !communication.empty();
    fold_in(0, record.own_ticks, communicated ? &communication : nullptr);
    if (communicated) communication = {};
  }
  for (uint32_t left = record.streams & ((1u << max_streams) - 2); left != 0; left &= left - 1)
    fold_in(static_cast<uint32_t>(std::countr_zero(left)), 0, nullptr);
  if (!outer) return;
  ++outer_events[record.layer + 1];
  if (start_ns != 0) warm(record, duration_ns, parameters);
}

void LaneState::start_stream(uint32_t s, uint64_t at_ticks) {
  auto& stream = streams[s].emplace();
  stream.prefix = s == 0 ? 0 : outer_events[s];
  stream.last_end = at_ticks;
  for (uint32_t i = 0; i < signatures; ++i) stream.folder.declare(i, shapes[i]);
}

/// Adds an outer event to the heat map. Nearly all events lie in the same bin as the one before, which costs
/// two comparisons.
void LaneState::warm(const EventRecord& record, uint64_t duration_ns, const int64_t* parameters) {
  const HeatRule& rule = heat_rules[record.signature];
  if (!rule.counts) return;
  bool inside = record.start_ticks >= warm_bin_.from_ticks && record.end_ticks < warm_bin_.end_ticks &&
                record.start_ticks <= record.end_ticks;
  if (!inside) [[unlikely]]
    return warm_elsewhere(record, rule, parameters);
  bool reads = rule.kind == trace::HeatKind::read;
  heat.add_in(warm_bin_.bin, rule.kind, duration_ns, (reads ? rule.read : rule.written).sum(parameters));
  if (!reads && rule.read.count > 0)
    heat.add_in(warm_bin_.bin, trace::HeatKind::read, 0, rule.read.sum(parameters));
}

void LaneState::warm_elsewhere(const EventRecord& record, const HeatRule& rule, const int64_t* parameters) {
  auto since = [&](uint64_t from, uint64_t to) {
    return to > from ? ticks_to_ns(to - from, ns_per_tick) : 0;
  };
  uint64_t begin =
      std::min(start_ns + since(start_ticks, record.start_ticks), trace::HeatMap::last_moment_ns);
  uint64_t end =
      std::min(begin + since(record.start_ticks, record.end_ticks), trace::HeatMap::last_moment_ns);
  bool reads = rule.kind == trace::HeatKind::read;
  heat.add({rule.kind, begin, end, (reads ? rule.read : rule.written).sum(parameters)});
  if (!reads && rule.read.count > 0)
    heat.add({trace::HeatKind::read, begin, begin, rule.read.sum(parameters)});
  // What was found to lie in a bin does so by more than rounding can move it.
  HeatBins::Bin bin = heat.bin_at(end);
  warm_bin_ = {};
  if (bin.first_ns >= bin.end_ns || bin.end_ns <= start_ns) return;
  double margin = 2 / ns_per_tick + 2;
  auto ticks_at = [&](uint64_t at_ns) {
    return at_ns > start_ns ? static_cast<double>(at_ns - start_ns) / ns_per_tick : 0;
  };
  double first = bin.first_ns > start_ns ? ticks_at(bin.first_ns) + margin : 0;
  double last = ticks_at(bin.end_ns) - margin;
  constexpr double exact = 9e15;  // where numbers of this type still tell neighbors apart
  if (first < last && last < exact)
    warm_bin_ = {bin, start_ticks + static_cast<uint64_t>(first), start_ticks + static_cast<uint64_t>(last)};
}

void LaneState::note(const CommunicationRecord& record) {
  for (size_t c = 0; c < communication.ns.size(); ++c)
    communication.ns[c] = ticks_to_ns(record.ticks[c], ns_per_tick);
}

uint64_t LaneState::outer_events_in_all() const {
  return std::accumulate(std::begin(outer_events), std::end(outer_events), uint64_t{0});
}

void LaneState::note(const MarkRecord& record) {
  marks.push_back({record.what, record.number, outer_events_in_all(), record.ticks});
}

size_t LaneState::memory() const {
  size_t bytes = definitions.size() + shapes.capacity() * sizeof(fold::Shape) +
                 heat_rules.capacity() * sizeof(HeatRule) + heat.memory() + marks.capacity() * sizeof(Mark);
  for (auto& stream : streams)
    if (stream) bytes += stream->folder.memory();
  return bytes;
}

void LaneState::save(ByteWriter& out) const {
  out.varint(state_version);
  out.varint(events);
  out.u64(bit_cast<uint64_t>(ns_per_tick));
  out.varint(definitions.size());
  out.raw(definitions.bytes());
  for (uint64_t n : outer_events) out.varint(n);
  for (auto& stream : streams) {
    out.u8(stream ? 1 : 0);
    if (!stream) continue;
    out.varint(stream->prefix);
    out.varint(stream->last_end);
    stream->folder.save(out);
  }
  heat.save(out);
  out.varint(marks.size());
  for (const Mark& mark : marks) {
    out.varint(static_cast<uint64_t>(mark.what));
    for (uint64_t n : {uint64_t{mark.number}, mark.at, mark.ticks}) out.varint(n);
  }
}

/// In the order in which they are saved.
static std::vector<Mark> restore_marks(ByteReader& in) {
  std::vector<Mark> marks;
  uint64_t before = 0;
  for (size_t left = in.count(4, "more marks than bytes"); left > 0 && in.ok(); --left) {
    Mark mark;
    mark.what = static_cast<MarkKind>(in.bounded(static_cast<uint64_t>(MarkKind::end) - 1, "unknown mark"));
    mark.number = static_cast<uint32_t>(in.bounded(UINT32_MAX, "bad number of a mark"));
    mark.at = in.varint();
    mark.ticks = in.varint();
    if (mark.at < before) in.fail("marks out of order");
    before = mark.at;
    marks.push_back(mark);
  }
  return marks;
}

LaneState LaneState::restore(ByteReader& in) {
  LaneState state;
  uint64_t version = in.varint();
  if (version < oldest_version || version > state_version) in.fail("state of another version");
  state.events = in.varint();
  state.ns_per_tick = bit_cast<double>(in.u64());
  if (!(state.ns_per_tick > 0 && state.ns_per_tick < 1e6)) in.fail("bad clock rate");
  ByteReader definitions(in.raw(in.varint()));
  while (in.ok() && definitions.left() > 0) {
    auto kind = static_cast<RecordKind>(definitions.u8());
    auto encoded = definitions.raw(definitions.varint());
    if (!definitions.ok()) in.fail("bad definitions");
    if (in.ok() && !state.define(kind, encoded)) in.fail("bad definition");
  }
  for (uint64_t& n : state.outer_events) n = in.varint();
  for (auto& stream : state.streams) {
    uint8_t present = in.u8();
    if (!in.ok() || present == 0) continue;
    uint64_t prefix = in.varint(), last_end = in.varint();
    stream.emplace(StreamState{fold::Folder::restore(in, {}, version < rests_version), prefix, last_end});
    if (!in.ok()) break;
  }
  if (in.ok() && version >= heat_version) state.heat = HeatBins::restore(in);
  if (in.ok() && version >= marks_version) state.marks = restore_marks(in);
  if (!in.ok()) return {};
  return state;
}

size_t fold_journal(LaneState& state, const uint8_t* journal, size_t from, size_t used) {
  size_t at = from;
  // Looking for rounds where there are none costs little beside folding so many events.
  constexpr uint32_t longest_pause = 64;
  uint32_t pause = 1, events_to_wait = 0;
  while (used - at >= sizeof(DefinitionRecord)) {
    RecordKind kind;
    std::memcpy(&kind, journal + at, sizeof kind);
    if (kind == RecordKind::event) {
      if (events_to_wait-- == 0) {
        size_t folded = state.fold_rounds({journal + at, used - at});
        at += folded;
        pause = folded > 0 ? 1 : std::min(2 * pause, longest_pause);
        events_to_wait = folded > 0 ? 0 : pause;
        if (folded > 0) continue;
      }
      if (used - at < sizeof(EventRecord)) break;
      // In its place: a copy's fields could only be read once all of it had been written.
      const auto& record = *reinterpret_cast<const EventRecord*>(journal + at);
      size_t bytes = sizeof record + 8 * size_t{record.parameters};
      if (used - at < bytes || record.signature >= state.signatures || record.layer + 1u >= max_streams ||
          record.parameters != state.shapes[record.signature].parameters)
        break;
      state.fold(record, reinterpret_cast<const int64_t*>(journal + at + sizeof record));
      at += bytes;
      continue;
    }
    if (kind == RecordKind::communication) {
      CommunicationRecord record;
      if (used - at < sizeof record) break;
      std::memcpy(&record, journal + at, sizeof record);
      state.note(record);
      at += sizeof record;
      continue;
    }
    if (kind == RecordKind::mark) {
      MarkRecord record;
      if (used - at < sizeof record) break;
      std::memcpy(&record, journal + at, sizeof record);
      if (record.what >= MarkKind::end) break;
      state.note(record);
      at += sizeof record;
      continue;
    }
    DefinitionRecord record;
    std::memcpy(&record, journal + at, sizeof record);
    if (used - at - sizeof record < padded(record.bytes) || kind > RecordKind::define_signature) break;
    std::span<const uint8_t> encoded(journal + at + sizeof record, record.bytes);
    if (!state.define(kind, encoded)) break;
    at += sizeof record + padded(record.bytes);
  }
  return at;
}

}  // namespace refrain::record
