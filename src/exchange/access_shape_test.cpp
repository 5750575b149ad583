#include "exchange/access_shape.hpp"

#include "exchange/sample_calls.hpp"

namespace refrain::exchange {
namespace {

using sample::Calls;

TEST(AccessShape, SharedFileInSegments) {
  trace::Trace t = sample::parallel(4, [](Calls& calls, uint32_t rank) {
    calls.open("out.dat", O_RDWR | O_CREAT, 0);
    for (int64_t segment = 0; segment < 3; ++segment)
      for (int64_t i = 0; i < 2; ++i) calls.pwrite(0, 64, (segment * 4 + rank) * 128 + i * 64);
    calls.close(0);
  });
  auto shape = access_shape(t, "");
  ASSERT_TRUE(shape) << shape.error().message;
  EXPECT_EQ(shape->ranks, 4u);
  EXPECT_EQ(shape->layer, "posix");
  EXPECT_TRUE(shape->is_shared && shape->writes && !shape->reads && !shape->is_random);
  EXPECT_EQ(shape->transfer, 64u);
  EXPECT_EQ(shape->block, 128u);
  EXPECT_EQ(shape->segments, 3u);
  EXPECT_EQ(shape->files, 1u);
}

TEST(AccessShape, OneFilePerRankAndStep) {
  trace::Trace t = sample::parallel(4, [](Calls& calls, uint32_t rank) {
    for (int step = 0; step < 5; ++step) {
      calls.open("step" + std::to_string(step) + "/part" + std::to_string(rank), O_WRONLY | O_CREAT, 0);
      for (int i = 0; i < 4; ++i) calls.write(0, 1000);
      calls.add("fsync", {{0}}).close(0);
    }
  });
  auto shape = access_shape(t, "");
  ASSERT_TRUE(shape) << shape.error().message;
  EXPECT_FALSE(shape->is_shared);
  EXPECT_TRUE(shape->settles);
  EXPECT_EQ(shape->files, 5u);
  EXPECT_EQ(shape->transfer, 1000u);
  EXPECT_EQ(shape->block, 4000u);
  EXPECT_EQ(shape->segments, 1u);
}

TEST(AccessShape, SaysWhatDiffers) {
  trace::Trace t = sample::parallel(2, [](Calls& calls, uint32_t rank) {
    calls.open("a", O_RDWR, 0);
    for (int64_t place : {70, 10, 50, 90, 0, 30}) calls.pwrite(0, rank == 0 ? 7 : 8, place * 100);
    calls.close(0).open("other", O_RDWR, 0).write(0, 3).close(0);
  });
  auto shape = access_shape(t, "");
  ASSERT_TRUE(shape) << shape.error().message;
  EXPECT_TRUE(shape->is_random);
  std::string all;
  for (const std::string& d : shape->differences) all += d + "\n";
  for (const char* part : {"other groups", "2 sizes", "different amounts: 42 to 48", "random"})
    EXPECT_NE(all.find(part), all.npos) << part << " in\n" << all;
}

// As IOR does with -z: the whole file, in blocks of the mean.
TEST(AccessShape, RandomPlacesAreDealtOut) {
  trace::Trace t = sample::parallel(2, [](Calls& calls, uint32_t rank) {
    calls.open("a", O_RDWR, 0);
    for (int64_t place : {7, 1, 9, 5, 0}) calls.pwrite(0, 100, place * 100);
    for (int64_t place : {3, 8, 2}) calls.pwrite(0, 100, place * 100);
    if (rank == 0)
      for (int64_t place : {6, 4}) calls.pwrite(0, 100, place * 100);
    calls.close(0);
  });
  auto shape = access_shape(t, "");
  ASSERT_TRUE(shape) << shape.error().message;
  EXPECT_TRUE(shape->is_random && shape->is_shared);
  EXPECT_EQ(shape->transfer, 100u);
  EXPECT_EQ(shape->block, 900u);
  EXPECT_EQ(shape->segments, 1u);
}

TEST(AccessShape, OffsetsThatGoForwardAreNotRandom) {
  Calls calls;
  calls.open("a", O_RDWR, 0).pwrite(0, 64, 0);
  for (int64_t i = 0; i < 64; ++i) calls.pwrite(0, 1000, 4096 + i * 1000);
  calls.pwrite(0, 10, 100'000).pwrite(0, 10, 100'100).close(0);
  auto shape = access_shape(alone(calls), "");
  ASSERT_TRUE(shape) << shape.error().message;
  EXPECT_FALSE(shape->is_random);
  EXPECT_EQ(shape->transfer, 1000u);
  EXPECT_EQ(shape->block, 64'000u);
  EXPECT_EQ(shape->segments, 1u);
  std::string all;
  for (const std::string& d : shape->differences) all += d + "\n";
  EXPECT_NE(all.find("offsets go forward"), all.npos) << all;
}

TEST(AccessShape, NothingToMove) {
  Calls calls;
  calls.open("a", O_RDWR, 0).close(0);
  auto shape = access_shape(alone(calls), "");
  ASSERT_FALSE(shape);
  EXPECT_EQ(shape.error().message, "no data is read or written");
}

}  // namespace
}  // namespace refrain::exchange
