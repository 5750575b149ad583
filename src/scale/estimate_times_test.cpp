// Laws of times: what they give at numbers of ranks, with which counts, and what readers refuse.
#include "trace/time_law.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/bit_cast.hpp"
#include "scale/at_size.hpp"
#include "trace/sample.hpp"
#include "trace/text.hpp"
#include "trace/trace.hpp"

namespace refrain::scale {

using namespace trace;

namespace {

using E = RankExpression;

std::string text(const Trace& t, bool times = true) {
  std::string out;
  print(t, {.times = times}, [&](std::string_view piece) { out += piece; });
  return out;
}

const Timing& timing_at(const Trace& plain) { return plain.processes[0].streams[0].nodes[0].body[0].timing; }

TEST(TimeModel, terms_and_text) {
  TimeModel m{{1.5e6F, -2e9F, 3, 0.25F}};
  EXPECT_DOUBLE_EQ(m.at(10), 1.5e6 - 2e8 + 30 + 25);
  EXPECT_EQ(m.text(), "1.5ms - 2.0s/P + 3.0ns*P + 0.2ns*P*P");
  EXPECT_EQ(TimeModel().text(), "0ns");
  EXPECT_EQ((TimeModel{{0, -8e3F, 0, 0}}).text(), "-8.0us/P");
}

TEST(TimeModel, bytes_are_checked) {
  for (TimeModel m : {TimeModel(), TimeModel{{1, 2, 3, 4}}, TimeModel{{0, -7.5F, 0, 1e-3F}}}) {
    ByteWriter out;
    m.write(out);
    ByteReader in(out.bytes());
    EXPECT_EQ(TimeModel::read(in), m);
    EXPECT_TRUE(in.ok());
  }
  auto refused = [](uint8_t terms, float factor) {
    ByteWriter out;
    out.u8(terms);
    out.u32(bit_cast<uint32_t>(factor));
    ByteReader in(out.bytes());
    TimeModel::read(in);
    return !in.ok();
  };
  EXPECT_TRUE(refused(1, std::numeric_limits<float>::quiet_NaN()));
  EXPECT_TRUE(refused(1, std::numeric_limits<float>::infinity()));
  EXPECT_TRUE(refused(1, 0));
  EXPECT_TRUE(refused(16, 1));
  EXPECT_FALSE(refused(2, 1));
}

TEST(TimeLaw, becomes_histograms_at_a_number_of_ranks) {
  auto plain = at_size(sample::scale_free(), 40);
  ASSERT_TRUE(plain) << plain.error().text();
  const Timing& t = timing_at(*plain);
  uint64_t executions = 40 * (1024 / 40);
  uint64_t collective = 12 * 40 + 40 * 40 / 2, gap = 100 + 2500000 / 40 + collective;
  EXPECT_EQ(t.gap.count(), executions);
  EXPECT_EQ(t.gap.sum_ns(), executions * gap);
  EXPECT_EQ(t.communication.ns[1], executions * collective);
  EXPECT_EQ(t.duration.sum_ns(), executions * (50000 - 500 * 40));
  EXPECT_EQ(plain->processes[0].elapsed_ns, 1200000000u);
  EXPECT_TRUE(has_estimates(*plain));
  EXPECT_FALSE(has_time_laws(*plain));
  ASSERT_EQ(plain->notes.size(), 1u);
  EXPECT_EQ(plain->notes[0], "times are estimates: fitted to runs of 4, 8 ranks");
  EXPECT_NE(text(*plain).find("# about 1000x gap"), std::string::npos) << text(*plain);
  EXPECT_EQ(text(*plain, false).find("estimate"), std::string::npos);
}

TEST(TimeLaw, negative_ones_are_zero_and_counted) {
  auto plain = at_size(sample::scale_free(), 200);
  ASSERT_TRUE(plain);
  EXPECT_EQ(timing_at(*plain).duration.sum_ns(), 0u);
  EXPECT_GT(timing_at(*plain).duration.count(), 0u);
  EXPECT_EQ(plain->notes[0],
            "times are estimates: fitted to runs of 4, 8 ranks; 1 of 4 came out negative and are taken to be "
            "zero");
}

TEST(TimeLaw, processes_take_no_less_than_their_ranks) {
  Trace t = sample::scale_free();
  t.processes[0].elapsed_law = TimeModel{{0, 0, -1e6F, 0}};
  auto plain = at_size(t, 40);
  ASSERT_TRUE(plain);
  const Timing& of = timing_at(*plain);
  EXPECT_EQ(plain->processes[0].elapsed_ns, (of.gap.sum_ns() + of.duration.sum_ns()) / 40);
}

TEST(TimeLaw, formulas_are_printed_as_estimates) {
  std::string out = text(sample::scale_free());
  EXPECT_NE(out.find("# about gap 100.0ns + 2.5ms/P and collective 12.0ns*P + 0.5ns*P*P call 50.0us - "
                     "500.0ns*P"),
            std::string::npos)
      << out;
  EXPECT_NE(out.find("takes about 1.0s + 8.0s/P"), std::string::npos) << out;
}

/// A loop that rank r runs r times, in which another runs i times in iteration i; and a choice.
TEST(TimeLaw, executions_of_loops_that_differ) {
  Trace t = sample::scale_free();
  std::vector<Node>& nodes = t.processes[0].streams[0].nodes;
  Node call = nodes[0].body[0];
  call.parameters.assign(2, Value());
  Node inner{.kind = NodeKind::loop, .count = {.slopes = {1}}, .body = {call}};
  Node outer{.kind = NodeKind::loop, .count = {.base = Number(E::rank())}, .body = {inner}};
  Node choice{.kind = NodeKind::choice, .count = sample::column({0, 1, 1, 1}), .body = {call, call}};
  Node four{.kind = NodeKind::loop, .count = Value::constant(4), .body = {choice}};
  nodes = {outer, four};
  auto plain = at_size(t, 50);
  ASSERT_TRUE(plain) << plain.error().text();
  const std::vector<Node>& out = plain->processes[0].streams[0].nodes;
  uint64_t sum = 0;
  for (uint64_t r = 0; r < 50; ++r) sum += r == 0 ? 0 : r * (r - 1) / 2;
  EXPECT_EQ(out[0].body[0].body[0].timing.gap.count(), sum);
  EXPECT_EQ(out[1].body[0].body[0].timing.gap.count(), 50u);
  EXPECT_EQ(out[1].body[0].body[1].timing.gap.count(), 150u);
}

}  // namespace
}  // namespace refrain::scale
