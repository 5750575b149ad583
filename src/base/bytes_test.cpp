#include "base/bytes.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace refrain {
namespace {

TEST(Bytes, RoundTripsExtremes) {
  const int64_t values[] = {0,
                            1,
                            -1,
                            63,
                            64,
                            -64,
                            -65,
                            1 << 20,
                            std::numeric_limits<int64_t>::max(),
                            std::numeric_limits<int64_t>::min()};
  ByteWriter w;
  for (int64_t v : values) w.svarint(v);
  w.u32(0xdeadbeef);
  w.u64(0x0123456789abcdef);
  w.string("a\0b");
  w.string(std::string_view("x\0y", 3));
  ByteReader r(w.bytes());
  for (int64_t v : values) EXPECT_EQ(r.svarint(), v);
  EXPECT_EQ(r.u32(), 0xdeadbeefu);
  EXPECT_EQ(r.u64(), 0x0123456789abcdefu);
  EXPECT_EQ(r.string(), "a");
  EXPECT_EQ(r.string(), std::string_view("x\0y", 3));
  EXPECT_TRUE(r.ok());
  EXPECT_EQ(r.left(), 0u);
}

TEST(Bytes, VarintSizeAgreesWithTheWriter) {
  for (int bit = 0; bit < 64; ++bit) {
    ByteWriter w;
    w.varint(uint64_t{1} << bit);
    EXPECT_EQ(w.size(), varint_size(uint64_t{1} << bit)) << bit;
  }
}

TEST(Bytes, FirstFailureSticksAndNamesItsOffset) {
  const uint8_t data[] = {5, 0xff};
  ByteReader r(data);
  EXPECT_EQ(r.varint(), 5u);
  EXPECT_EQ(r.varint(), 0u);
  EXPECT_FALSE(r.ok());
  EXPECT_STREQ(r.reason(), "unexpected end");
  EXPECT_EQ(r.offset(), 2u);
  EXPECT_EQ(r.u64(), 0u);
  EXPECT_EQ(r.left(), 0u);
}

TEST(Bytes, RefusesOverlongVarintsAndLyingLengths) {
  const uint8_t overlong[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
  ByteReader r(overlong);
  r.varint();
  EXPECT_STREQ(r.reason(), "number too long");
  ByteWriter w;
  w.varint(1'000'000'000);
  ByteReader c(w.bytes());
  EXPECT_EQ(c.count(1, "too many"), 0u);
  EXPECT_STREQ(c.reason(), "too many");
}

}  // namespace
}  // namespace refrain
