// Every state (a closed segment, or the live one with its journal) has tables of its own; each becomes a
// small trace, and merging them unites the tables.
#include "part/part_trace.hpp"

#include <algorithm>
#include <map>

#include "api/table.hpp"
#include "base/clock.hpp"
#include "part/state.hpp"
#include "trace/long_list.hpp"

namespace refrain::record {
namespace {

/// Events of a layer that precede its own stream, over the segments of one lane.
using Prefixes = std::array<uint64_t, max_streams>;

Result<void> read_definitions(const LaneState& state, trace::Trace& out) {
  ByteReader in(state.definitions.bytes());
  while (in.left() > 0) {
    auto kind = static_cast<RecordKind>(in.u8());
    ByteReader one(in.raw(in.varint()));
    if (kind == RecordKind::define_template) out.templates.push_back(trace::Template::read(one));
    if (kind == RecordKind::define_list) out.lists.push_back(trace::read_long_list(one));
    if (kind == RecordKind::define_signature) out.signatures.push_back(trace::Signature::read(one));
    if (!one.ok()) return fail(ErrorKind::bad_input, one.reason(), "definitions");
  }
  return {};
}

/// The trace of one state, which is used up.
Result<trace::Trace> finish_state(LaneState& state, const PartOwner& owner, uint64_t start_ticks,
                                  Prefixes& prefixes) {
  trace::Trace piece;
  piece.host = owner.host;
  piece.nprocs = owner.nprocs;
  if (auto done = read_definitions(state, piece); !done) return tl::unexpected(done.error());
  trace::Process process = owner.process;
  for (uint32_t s = 0; s < max_streams; ++s) {
    auto& stream = state.streams[s];
    if (!stream) {
      prefixes[s] += state.outer_events[s];
      continue;
    }
    if (s > std::size(api::layers)) return fail(ErrorKind::bad_input, "unknown layer", "state");
    trace::Stream out;
    out.thread = owner.lane;
    if (s > 0) out.layer = api::layers[s - 1].name;
    out.prefix = s == 0 ? 0 : static_cast<int64_t>(prefixes[s] + stream->prefix);
    prefixes[s] = 0;
    if (stream->last_end > start_ticks)
      process.elapsed_ns =
          std::max(process.elapsed_ns, ticks_to_ns(stream->last_end - start_ticks, state.ns_per_tick));
    out.nodes = stream->folder.finish(piece.signatures);
    process.streams.push_back(std::move(out));
  }
  process.heat = state.heat.map();
  piece.processes.push_back(std::move(process));
  return piece;
}

Result<LaneState> restore_state(std::span<const uint8_t> bytes) {
  ByteReader in(bytes);
  LaneState state = LaneState::restore(in);
  if (!in.ok()) return fail(ErrorKind::bad_input, in.reason(), "state, byte " + std::to_string(in.offset()));
  return state;
}

Result<LaneState> closed_state(const PartContents& part, size_t i) {
  auto bytes = read_closed(part, i);
  if (!bytes) return tl::unexpected(bytes.error());
  return restore_state(*bytes);
}

/// The live state with its journal.
Result<LaneState> last_state(const PartContents& part) {
  LaneState last;
  if (!part.live.empty()) {
    auto state = restore_state(part.live);
    if (!state) return state;
    last = std::move(*state);
  } else {
    last.ns_per_tick = part.ns_per_tick;
  }
  last.start_ticks = part.start_ticks;
  last.start_ns = part.start_ns;
  size_t folded = fold_journal(last, part.journal.data(), 0, part.journal_used);
  if (folded != part.journal_used)
    return fail(ErrorKind::bad_input, "malformed record", "journal, byte " + std::to_string(folded));
  return last;
}

void add_stream(trace::Process& process, trace::Stream stream) {
  for (trace::Stream& s : process.streams) {
    if (s.thread != stream.thread || s.layer != stream.layer) continue;
    s.prefix = s.prefix.constant() + stream.prefix.constant();
    std::move(stream.nodes.begin(), stream.nodes.end(), std::back_inserter(s.nodes));
    return;
  }
  process.streams.push_back(std::move(stream));
}

}  // namespace

void join_processes(trace::Trace& trace) {
  std::vector<trace::Process> joined;
  std::map<std::pair<uint64_t, uint32_t>, size_t> at;
  for (trace::Process& p : trace.processes) {
    auto [found, fresh] = at.try_emplace({p.start_ns, p.pid}, joined.size());
    if (fresh) {
      auto streams = std::move(p.streams);
      p.streams.clear();
      joined.push_back(std::move(p));
      for (trace::Stream& s : streams) add_stream(joined.back(), std::move(s));
      continue;
    }
    trace::Process& whole = joined[found->second];
    whole.elapsed_ns = std::max(whole.elapsed_ns, p.elapsed_ns);
    whole.loss.no_space += p.loss.no_space;
    whole.loss.in_handlers += p.loss.in_handlers;
    whole.loss.abandoned += p.loss.abandoned;
    whole.loss.unknown += p.loss.unknown;
    whole.empty_tests += p.empty_tests;
    whole.heat.merge(std::move(p.heat));
    for (trace::Stream& s : p.streams) add_stream(whole, std::move(s));
  }
  for (trace::Process& p : joined)
    std::stable_sort(p.streams.begin(), p.streams.end(), [](const trace::Stream& a, const trace::Stream& b) {
      return std::pair(a.thread, a.layer) < std::pair(b.thread, b.layer);
    });
  trace.processes = std::move(joined);
}

Result<PartOwner> owner_of(const PartContents& part) {
  ByteReader info(part.process_info);
  PartOwner owner = read_process_info(info);
  if (!info.ok()) return fail(ErrorKind::bad_input, info.reason(), "process information");
  static constexpr trace::Ending endings[] = {trace::Ending::early, trace::Ending::exited,
                                              trace::Ending::replaced};
  owner.process.ending = endings[part.ending < 3 ? part.ending : 0];
  if (part.rank != 0) set_rank(owner, static_cast<int64_t>(part.rank) - 1, static_cast<int64_t>(part.ranks));
  return owner;
}

Result<std::vector<trace::Trace>> part_pieces(const PartContents& part, Extent extent) {
  auto owner = owner_of(part);
  if (!owner) return tl::unexpected(owner.error());
  std::vector<trace::Trace> pieces;
  Prefixes prefixes{};
  size_t end = extent == Extent::offered ? part.offered : part.closed.size();
  for (size_t i = 0; i < end; ++i) {
    auto state = closed_state(part, i);
    if (!state) return tl::unexpected(state.error());
    auto piece = finish_state(*state, *owner, part.start_ticks, prefixes);
    if (!piece) return tl::unexpected(piece.error());
    if (extent != Extent::tail || i >= part.offered) pieces.push_back(std::move(*piece));
  }
  if (extent == Extent::offered) return pieces;
  auto last = last_state(part);
  if (!last) return tl::unexpected(last.error());
  auto piece = finish_state(*last, *owner, part.start_ticks, prefixes);
  if (!piece) return tl::unexpected(piece.error());
  piece->processes[0].empty_tests = part.empty_tests;
  piece->processes[0].loss = {.no_space = part.lost_no_space + part.unsaved,
                              .in_handlers = part.lost_in_handlers,
                              .abandoned = part.lost_abandoned,
                              .unknown = part.lost_unknown};
  pieces.push_back(std::move(*piece));
  return pieces;
}

Result<PartMarks> part_marks(const PartContents& part) {
  PartMarks all;
  auto owner = owner_of(part);
  if (!owner || owner->lane != 0) return all;
  double rate = part.ns_per_tick;
  auto add = [&](const LaneState& state) {
    for (Mark mark : state.marks) {
      mark.at += all.events;
      uint64_t since = mark.ticks > part.start_ticks ? ticks_to_ns(mark.ticks - part.start_ticks, rate) : 0;
      mark.ticks = owner->process.start_ns + since;
      all.marks.push_back(mark);
    }
    all.events += state.outer_events_in_all();
  };
  for (size_t i = 0; i < part.closed.size(); ++i) {
    auto state = closed_state(part, i);
    if (!state) return tl::unexpected(state.error());
    add(*state);
  }
  auto last = last_state(part);
  if (!last) return tl::unexpected(last.error());
  rate = last->ns_per_tick;
  add(*last);
  return all;
}

}  // namespace refrain::record
