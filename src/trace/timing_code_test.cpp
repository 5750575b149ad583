// Times survive their bytes: moments exactly, buckets to a quarter of the samples; in few bytes.
#include "trace/timing_code.hpp"

#include <gtest/gtest.h>

#include <random>

#include "trace/sample.hpp"

namespace refrain::trace {
namespace {

using sample::event;
using sample::loop;
using sample::number;

std::vector<uint8_t> encoded(const std::vector<Node>& nodes) {
  ByteWriter out;
  write_timings(out, nodes);
  return out.take();
}

/// The tree with its times as they are read back; empty if they are refused.
std::vector<Node> decoded(std::span<const uint8_t> bytes, std::vector<Node> nodes) {
  ByteReader in(bytes);
  read_timings(in, Trace::format_version, nodes);
  if (!in.ok() || in.left() > 0) nodes.clear();
  return nodes;
}

/// Events with that many samples each, about as noisy as real ones.
std::vector<Node> noisy(size_t events, uint64_t samples) {
  std::mt19937_64 random(events);
  std::lognormal_distribution<double> ns(7, 1);
  std::vector<Node> nodes;
  for (size_t i = 0; i < events; ++i) {
    nodes.push_back(event(0, {}, 0));
    for (uint64_t k = 0; k < samples; ++k) {
      nodes.back().timing.gap.add(static_cast<uint64_t>(ns(random)));
      nodes.back().timing.duration.add(static_cast<uint64_t>(ns(random)));
    }
  }
  return nodes;
}

TEST(TimingCode, RoundTripsEverySample) {
  for (const Trace& t : {sample::copy(), sample::everything()})
    for (const Process& p : t.processes)
      for (const Stream& s : p.streams)
        EXPECT_EQ(encoded(decoded(encoded(s.nodes), s.nodes)), encoded(s.nodes));
}

TEST(TimingCode, KeepsMomentsAndTheNumberOfSamples) {
  for (uint64_t samples : {0, 1, 2, 3, 4, 5, 16, 1000}) {
    std::vector<Node> nodes = noisy(1, samples), read = decoded(encoded(nodes), nodes);
    ASSERT_EQ(read.size(), 1u);
    const Histogram &a = nodes[0].timing.duration, &b = read[0].timing.duration;
    EXPECT_EQ(a.count(), b.count());
    EXPECT_EQ(a.sum_ns(), b.sum_ns());
    EXPECT_EQ(a.min_ns(), b.min_ns());
    EXPECT_EQ(a.max_ns(), b.max_ns());
    EXPECT_EQ(a.sum_of_squares(), b.sum_of_squares());
    uint64_t below_a = 0, below_b = 0;
    for (int i = 0; i < Histogram::bucket_count; ++i) {
      below_a += a.bucket(i), below_b += b.bucket(i);
      EXPECT_LE(below_a > below_b ? below_a - below_b : below_b - below_a,
                samples <= 4 ? 0 : samples / 8 + 1);
    }
    EXPECT_EQ(below_b, samples);
    EXPECT_EQ(encoded(read), encoded(nodes));
  }
}

TEST(TimingCode, HardlyGrowsWithTheNumberOfSamples) {
  size_t few = encoded(noisy(50, 32)).size(), many = encoded(noisy(50, 512)).size();
  EXPECT_LT(many, few + few / 8);
}

TEST(TimingCode, CommunicationCostsOnlyWhereItIs) {
  std::vector<Node> nodes{event(0, {}), loop(number(2), {event(0, {}), event(0, {})})};
  ByteWriter without;
  write_timings(without, nodes);
  nodes[1].body[1].timing.communication.ns = {0, 70, 0};
  ByteWriter with;
  write_timings(with, nodes);
  EXPECT_EQ(with.size(), without.size() + 4);
  std::vector<Node> read{event(0, {}), loop(number(2), {event(0, {}), event(0, {})})};
  ByteReader in(with.bytes());
  read_timings(in, Trace::format_version, read);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(read[1].body[1].timing.communication.ns[1], 70u);
  EXPECT_TRUE(read[1].body[0].timing.communication.empty());
  std::vector<Node> fewer{event(0, {}), event(0, {})};
  ByteWriter three;
  write_timings(three, fewer);
  for (uint64_t n : {2, 1, 1, 1}) three.varint(n);
  ByteReader bad(three.bytes());
  read_timings(bad, Trace::format_version, fewer);
  EXPECT_FALSE(bad.ok());
}

}  // namespace
}  // namespace refrain::trace
