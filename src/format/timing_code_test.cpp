// Times survive their bytes: all but a small part of each, buckets to a quarter of the samples; in few bytes.
#include "format/timing_code.hpp"

#include <gtest/gtest.h>

#include <random>

#include "trace/sample.hpp"

namespace refrain::format {

using namespace trace;

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

/// Rounded down, by less than this part of it.
void expect_rounded(double exact, double rounded, double part) {
  EXPECT_LE(rounded, exact);
  EXPECT_LE(exact - rounded, exact * part);
}

TEST(TimingCode, KeepsMomentsAndTheNumberOfSamples) {
  for (uint64_t samples : {0, 1, 2, 3, 4, 5, 16, 1000}) {
    std::vector<Node> nodes = noisy(1, samples), read = decoded(encoded(nodes), nodes);
    ASSERT_EQ(read.size(), 1u);
    const Histogram &a = nodes[0].timing.duration, &b = read[0].timing.duration;
    EXPECT_EQ(a.count(), b.count());
    expect_rounded(static_cast<double>(a.sum_ns()), static_cast<double>(b.sum_ns()), 0x1p-16);
    expect_rounded(static_cast<double>(a.min_ns()), static_cast<double>(b.min_ns()), 0x1p-8);
    expect_rounded(static_cast<double>(a.max_ns()), static_cast<double>(b.max_ns()), 0x1p-8);
    expect_rounded(a.sum_of_squares(), b.sum_of_squares(), 0x1p-7);
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

TEST(TimingCode, KeepsTimesOfAnySize) {
  constexpr uint64_t most = ~uint64_t{0};
  for (uint64_t ns : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 52, uint64_t{1} << 53, most / 3, most}) {
    std::vector<Node> nodes{event(0, {}, 0)};
    for (uint64_t sample : {ns / 2, ns, ns}) nodes[0].timing.gap.add(sample);
    std::vector<Node> read = decoded(encoded(nodes), nodes);
    ASSERT_EQ(read.size(), 1u);
    const Histogram &a = nodes[0].timing.gap, &b = read[0].timing.gap;
    expect_rounded(static_cast<double>(a.max_ns()), static_cast<double>(b.max_ns()), 0x1p-8);
    expect_rounded(a.sum_of_squares(), b.sum_of_squares(), 0x1p-8);
    EXPECT_EQ(encoded(read), encoded(nodes));
  }
}

TEST(TimingCode, RefusesTimesThatCannotBe) {
  std::vector<Node> nodes{event(0, {}, 0)};
  for (uint64_t ns : {1000, 1000}) nodes[0].timing.gap.add(ns);
  // One event: 2 gaps, no duration; sum, min, max and squares, each as its width and the bits below the
  // first.
  std::vector<uint8_t> bytes = encoded(nodes);
  ASSERT_EQ(bytes.size(), 2 + 3 + 2 + 2 + 2u);
  EXPECT_FALSE(decoded(bytes, nodes).empty());
  for (auto [at, value] : {std::pair{2, 65}, {5, 11}, {5, 65}, {7, 9}, {7, 65}}) {
    std::vector<uint8_t> bad = bytes;
    bad[at] = static_cast<uint8_t>(value);
    EXPECT_TRUE(decoded(bad, nodes).empty()) << at << ' ' << value;
  }
}

TEST(TimingCode, HardlyGrowsWithTheNumberOfSamples) {
  size_t few = encoded(noisy(50, 32)).size(), many = encoded(noisy(50, 512)).size();
  EXPECT_LT(many, few + few / 16);
}

TEST(TimingCode, CommunicationCostsOnlyWhereItIs) {
  std::vector<Node> nodes{event(0, {}), loop(number(2), {event(0, {}), event(0, {})})};
  ByteWriter without;
  write_timings(without, nodes);
  nodes[1].body[1].timing.communication.ns = {0, 70, 0};
  ByteWriter with;
  write_timings(with, nodes);
  EXPECT_EQ(with.size(), without.size() + 6);
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
}  // namespace refrain::format
