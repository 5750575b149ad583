// Folding whole iterations at once leaves what folding event by event leaves, byte for byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/test_rounds.hpp"
#include "fold/program_test.hpp"
#include "part/state.hpp"

namespace refrain::record {
namespace {

namespace acceptance = fold::acceptance;

struct Journal {
  std::vector<uint8_t> bytes;
  std::vector<size_t> ends;  ///< of each record
};

void put(Journal& journal, const void* data, size_t size) {
  auto* from = static_cast<const uint8_t*>(data);
  journal.bytes.insert(journal.bytes.end(), from, from + size);
}

/// Which streams a call is in: outer, inner of one of two layers, or outer in a layer that has inner ones
/// too.
uint16_t streams_of(uint32_t call) {
  static constexpr uint16_t choices[] = {1, 1, 2, 4, 1 | 2};
  return choices[call % std::size(choices)];
}

/// What a lane would have left of the calls, at times with all that can be odd about them.
Journal journal_of(const acceptance::Recording& calls, acceptance::Random& random, uint64_t start) {
  Journal journal;
  const int64_t* parameters = calls.parameters.data();
  uint64_t now = start;
  uint64_t usual_gap = 1 + static_cast<uint64_t>(random.below(3000));
  for (uint32_t call : calls.calls) {
    uint64_t count = acceptance::shape_of(call).parameters;
    now += static_cast<uint64_t>(random.below(usual_gap));
    if (random.chance(0.002)) now += static_cast<uint64_t>(random.below(50'000'000));
    EventRecord event{};
    event.kind = RecordKind::event;
    event.streams = streams_of(call);
    event.parameters = static_cast<uint16_t>(count);
    event.layer = static_cast<uint16_t>(call % 2);
    event.signature = call;
    event.own_ticks = static_cast<uint32_t>(random.below(40));
    event.start_ticks = now;
    event.end_ticks = now += static_cast<uint64_t>(random.below(200));
    if (random.chance(0.003)) event.end_ticks = static_cast<uint64_t>(random.next());
    if (random.chance(0.003)) event.start_ticks -= 1'000'000;
    if (random.chance(0.01)) {
      CommunicationRecord spent{RecordKind::communication, {}, {10, 20, 30}};
      put(journal, &spent, sizeof spent);
      journal.ends.push_back(journal.bytes.size());
    }
    put(journal, &event, sizeof event);
    put(journal, parameters, 8 * count);
    journal.ends.push_back(journal.bytes.size());
    parameters += count;
  }
  return journal;
}

LaneState fresh_state(bool heat) {
  LaneState state;
  state.ns_per_tick = 0.37;
  state.start_ticks = 1'000'000;
  state.start_ns = heat ? 1'700'000'000'000'000'000 : 0;
  for (uint32_t call = 0; call < acceptance::call_count; ++call) {
    trace::Signature signature{.function = call % 3 == 0 ? "pwrite" : "fsync", .layer = "posix"};
    signature.bracket = acceptance::shape_of(call).bracket;
    for (uint32_t p = 0; p < acceptance::shape_of(call).parameters; ++p)
      signature.operands.push_back({.kind = trace::OperandKind::integer,
                                    .role = p == 0 ? trace::Role::bytes_written : trace::Role::plain});
    ByteWriter encoded;
    signature.write(encoded);
    EXPECT_TRUE(state.define(RecordKind::define_signature, encoded.bytes()));
  }
  return state;
}

std::vector<uint8_t> saved(const LaneState& state) {
  ByteWriter out;
  state.save(out);
  return out.take();
}

LaneState fold_one_by_one(const Journal& journal, bool heat) {
  LaneState state = fresh_state(heat);
  size_t at = 0;
  for (size_t end : journal.ends) {
    RecordKind kind;
    std::memcpy(&kind, journal.bytes.data() + at, sizeof kind);
    const uint8_t* record = journal.bytes.data() + at;
    if (kind == RecordKind::communication)
      state.note(*reinterpret_cast<const CommunicationRecord*>(record));
    else
      state.fold(*reinterpret_cast<const EventRecord*>(record),
                 reinterpret_cast<const int64_t*>(record + sizeof(EventRecord)));
    at = end;
  }
  return state;
}

/// In pieces, as a lane folds its journal.
LaneState fold_in_pieces(const Journal& journal, bool heat, acceptance::Random& random) {
  LaneState state = fresh_state(heat);
  size_t folded = 0;
  for (size_t i = 0; i < journal.ends.size(); ++i) {
    bool last = i + 1 == journal.ends.size();
    bool event_next = !last && journal.bytes[journal.ends[i]] == static_cast<uint8_t>(RecordKind::event);
    bool whole = last || (event_next && journal.bytes[i == 0 ? 0 : journal.ends[i - 1]] ==
                                            static_cast<uint8_t>(RecordKind::event));
    if (!last && (!whole || !random.chance(0.01))) continue;
    folded = fold_journal(state, journal.bytes.data(), folded, journal.ends[i]);
    EXPECT_EQ(folded, journal.ends[i]);
  }
  return state;
}

void expect_same(const acceptance::Recording& calls, uint64_t seed) {
  acceptance::Random random(seed);
  Journal journal = journal_of(calls, random, 1'000'000);
  for (bool heat : {true, false})
    EXPECT_EQ(saved(fold_in_pieces(journal, heat, random)), saved(fold_one_by_one(journal, heat)));
}

TEST(Rounds, LeaveWhatSingleEventsLeave) {
  for (const acceptance::Named& stream : acceptance::all) {
    SCOPED_TRACE(stream.name);
    acceptance::Recording whole = stream.make(), calls;
    const int64_t* parameters = whole.parameters.data();
    for (size_t i = 0; i < std::min<size_t>(whole.size(), test_rounds(20'000u)); ++i) {
      calls.calls.push_back(whole.calls[i]);
      uint32_t count = acceptance::shape_of(whole.calls[i]).parameters;
      calls.parameters.insert(calls.parameters.end(), parameters, parameters + count);
      parameters += count;
    }
    expect_same(calls, 3);
  }
}

TEST(Rounds, RandomProgramsToo) {
  for (uint64_t seed = 1; seed <= test_rounds(80u); ++seed) {
    SCOPED_TRACE(seed);
    acceptance::Recording calls = fold::RandomProgram(seed).run(3000);
    if (calls.size() > 0) expect_same(calls, seed);
    if (testing::Test::HasFailure()) return;
  }
}

/// Long loops of a few calls, some of them inside others, is what rounds are for.
acceptance::Recording long_loop(uint64_t seed) {
  acceptance::Random random(seed);
  std::vector<uint32_t> body;
  for (int64_t n = 1 + random.below(6); n > 0; --n)
    body.push_back(static_cast<uint32_t>(random.below(acceptance::call_count)));
  acceptance::Recording calls;
  for (int64_t i = 0; i < 2000; ++i) {
    for (uint32_t call : body) {
      calls.calls.push_back(call);
      for (uint32_t p = 0; p < acceptance::shape_of(call).parameters; ++p)
        calls.parameters.push_back(p == 0 ? i * 8 : p == 1 ? random.below(3) : i % 10);
    }
    if (random.chance(0.002)) body.push_back(body[0]);
    if (random.chance(0.002) && body.size() > 1) body.pop_back();
  }
  return calls;
}

TEST(Rounds, OfLongLoops) {
  for (uint64_t seed = 1; seed <= test_rounds(60u); ++seed) {
    SCOPED_TRACE(seed);
    expect_same(long_loop(seed), seed);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Rounds, AreFoundWhereThereAreAny) {
  acceptance::Recording calls;
  for (int64_t i = 0; i < 5000; ++i) {
    calls.add(acceptance::pwrite, {3, i * 8, 8});
    calls.add(acceptance::seek, {i});
  }
  acceptance::Random random(1);
  Journal journal = journal_of(calls, random, 1'000'000);
  LaneState state = fresh_state(false);
  std::span<const uint8_t> records(journal.bytes);
  fold_journal(state, records.data(), 0, journal.ends[8]);
  EXPECT_EQ(state.fold_rounds(records.subspan(journal.ends[8], journal.ends[12] - journal.ends[8])),
            0u);  // too few
  size_t by_rounds = 0;
  for (size_t i = 8; i + 1 < journal.ends.size();) {
    size_t folded = state.fold_rounds(records.subspan(journal.ends[i]));
    by_rounds += folded;
    if (folded == 0) fold_journal(state, records.data(), journal.ends[i], journal.ends[i + 1]);
    for (size_t end = std::max(journal.ends[i] + folded, journal.ends[i + 1]); journal.ends[i] < end;) ++i;
  }
  EXPECT_GT(by_rounds, journal.bytes.size() / 2);
}

}  // namespace
}  // namespace refrain::record
