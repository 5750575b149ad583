// The heat map of a lane is the one that comes of adding its calls one by one, however their times lie to its
// bins.
#include "part/state.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/clock.hpp"

namespace refrain::record {
namespace {

using trace::HeatKind;

TEST(LaneState, HeatMapIsThatOfItsCalls) {
  trace::Signature pwrite{.function = "pwrite", .layer = "posix"};
  pwrite.result = {.kind = trace::OperandKind::integer, .role = trace::Role::bytes_written};
  ByteWriter encoded;
  pwrite.write(encoded);
  constexpr uint64_t epoch = 1'700'000'000'000'000'000;
  for (double rate : {1.0, 40.0, 0.37, 1.0 / 3}) {
    LaneState state;
    state.ns_per_tick = rate;
    state.start_ticks = 123'456'789;
    state.start_ns = epoch;
    ASSERT_TRUE(state.define(RecordKind::define_signature, encoded.bytes()));
    HeatBins expected;
    std::mt19937 random(7);
    uint64_t now = state.start_ticks;
    for (int i = 0; i < 200'000; ++i) {
      now += random() % (i % 1000 == 0 ? 50'000'000 : 3000);
      uint64_t end = now + random() % 2000;
      if (i % 997 == 0) now -= 5'000'000;  // another stream's call, told late
      int64_t bytes = random() % 5000;
      EventRecord event{};
      event.kind = RecordKind::event;
      event.streams = event.parameters = 1;
      event.start_ticks = now;
      event.end_ticks = end;
      state.fold(event, &bytes);
      uint64_t begin_ns = epoch + (now > state.start_ticks ? ticks_to_ns(now - state.start_ticks, rate) : 0);
      expected.add({HeatKind::written, begin_ns, begin_ns + (end > now ? ticks_to_ns(end - now, rate) : 0),
                    static_cast<uint64_t>(bytes)});
      now = std::max(now, end);
    }
    EXPECT_EQ(state.heat.map(), expected.map()) << rate;
  }
}

}  // namespace
}  // namespace refrain::record
