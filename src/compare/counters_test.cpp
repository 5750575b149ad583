#include "compare/counters.hpp"

#include <gtest/gtest.h>

#include "trace/sample.hpp"

namespace refrain::compare {
namespace {

uint64_t value(const Counters& counters, const std::string& name, bool inner = false) {
  for (const Counter& c : counters.list)
    if (c.name == name && c.inner == inner) return c.value;
  return 0;
}

TEST(Counters, OfACopy) {
  Counters c = counters(trace::sample::copy(), false);
  EXPECT_TRUE(c.complete);
  EXPECT_EQ(value(c, "files"), 12u);
  EXPECT_EQ(value(c, "calls of pwrite"), 55u);
  EXPECT_EQ(value(c, "failed calls of stat"), 1u);
  EXPECT_EQ(value(c, "bytes read"), 8u * 131072);
  EXPECT_EQ(value(c, "reads"), 8u);
  EXPECT_EQ(value(c, "consecutive reads"), 7u);
  EXPECT_EQ(value(c, "reads of 100K-1M bytes"), 8u);
  EXPECT_EQ(value(c, "writes"), 63u);
  EXPECT_EQ(value(c, "writes of 10K-100K bytes"), 55u);
}

TEST(Counters, InnerCallsOnRequest) {
  trace::Trace t = trace::sample::everything();
  EXPECT_EQ(value(counters(t, false), "calls of fwrite"), 3u * 4);
  Counters all = counters(t, true);
  uint64_t inner = 0;
  for (const Counter& c : all.list)
    if (c.inner && c.name.starts_with("calls of")) inner += c.value;
  EXPECT_EQ(inner, 3u * 16) << "of sixteen ranks";
}

TEST(Counters, DifferencesGoBothWays) {
  trace::Trace a = trace::sample::copy(), b = a;
  EXPECT_TRUE(different(counters(a, true), counters(b, true)).empty());
  b.signatures[6].error = "";
  b.processes[0].streams[0].nodes[2].count = trace::sample::number(9);
  auto pairs = different(counters(a, false), counters(b, false));
  bool failed = false, reads = false;
  for (const CounterPair& p : pairs) {
    failed |= p.counter.name == "failed calls of stat" && p.counter.value == 1 && p.there == 0;
    reads |= p.counter.name == "consecutive reads" && p.counter.value == 7 && p.there == 8;
  }
  EXPECT_TRUE(failed && reads);
  pairs = different(counters(b, false), counters(a, false));
  EXPECT_EQ(pairs.back().counter.name, "failed calls of stat");
  EXPECT_EQ(pairs.back().there, 1u);
}

}  // namespace
}  // namespace refrain::compare
