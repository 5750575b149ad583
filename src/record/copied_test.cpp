#include "record/copied.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <random>
#include <string>

namespace refrain::record {
namespace {

#if defined(__GLIBC__)

/// What the system has seen of a stream's descriptor: the position, and the size of the file.
struct Seen {
  off_t position = 0, size = 0;
  static Seen of(FILE* stream) {
    struct stat info {};
    EXPECT_EQ(fstat(fileno(stream), &info), 0);
    return {lseek(fileno(stream), 0, SEEK_CUR), info.st_size};
  }
  bool operator==(const Seen&) const = default;
};

struct Counts {
  int copies = 0, others = 0;
};

/// Makes calls and holds what the stream shows of each against what the system saw of it.
template <class Call>
Counts check(FILE* stream, bool writes, int calls, Call call) {
  Counts counts;
  for (int i = 0; i < calls; ++i) {
    Seen seen = Seen::of(stream);
    BufferPlace before = BufferPlace::of(stream, writes);
    uint64_t bytes = call();
    bool copied = before.only_copied(BufferPlace::of(stream, writes), bytes);
    EXPECT_TRUE(!copied || seen == Seen::of(stream)) << "call " << i << " of " << bytes << " bytes";
    ++(copied ? counts.copies : counts.others);
  }
  return counts;
}

class Copied : public testing::TestWithParam<size_t> {
 protected:
  void SetUp() override { ASSERT_NE(stream_ = std::tmpfile(), nullptr); }
  void TearDown() override { std::fclose(stream_); }
  FILE* stream_ = nullptr;
  std::mt19937 random_{1};
  std::string data_ = std::string(20'000, 'x');
};

TEST_P(Copied, WritesThatReachTheSystemAreNoCopies) {
  std::uniform_int_distribution<size_t> sizes(1, GetParam());
  Counts counts = check(stream_, true, 3000, [&] {
    return static_cast<uint64_t>(std::fwrite(data_.data(), 1, sizes(random_), stream_));
  });
  EXPECT_GT(counts.copies, GetParam() < 1000 ? 2000 : 0);
  EXPECT_GT(counts.others, 0);
}

TEST_P(Copied, ReadsThatReachTheSystemAreNoCopies) {
  for (int i = 0; i < 100; ++i) std::fwrite(data_.data(), 1, data_.size(), stream_);
  std::rewind(stream_);
  std::uniform_int_distribution<size_t> sizes(1, GetParam());
  std::string into(data_.size(), ' ');
  Counts counts = check(stream_, false, 3000, [&] {
    return static_cast<uint64_t>(std::fread(into.data(), 1, sizes(random_), stream_));
  });
  EXPECT_GT(counts.copies, GetParam() < 100 ? 2000 : -1);
  EXPECT_GT(counts.others, 0);
}

TEST_P(Copied, FlushingAndSeekingBetweenCallsDoesNotDeceive) {
  std::uniform_int_distribution<size_t> sizes(1, GetParam());
  check(stream_, true, 2000, [&] {
    if (random_() % 3 == 0) std::fflush(stream_);
    if (random_() % 7 == 0) std::fseek(stream_, 0, SEEK_SET);
    return static_cast<uint64_t>(std::fwrite(data_.data(), 1, sizes(random_), stream_));
  });
}

INSTANTIATE_TEST_SUITE_P(Sizes, Copied, testing::Values(8, 64, 700, 4096, 9000));

TEST(CopiedLines, StreamsWithoutAWholeBufferAreAlwaysTimed) {
  for (int mode : {_IONBF, _IOLBF}) {
    FILE* stream = std::tmpfile();
    ASSERT_NE(stream, nullptr);
    std::setvbuf(stream, nullptr, mode, 512);
    Counts counts = check(stream, true, 300, [&] { return uint64_t{std::fwrite("line\n", 1, 5, stream)}; });
    EXPECT_EQ(counts.copies, 0) << mode;
    counts = check(stream, true, 300, [&] { return uint64_t{std::fputc('x', stream) == 'x'}; });
    EXPECT_EQ(counts.copies, 0) << mode;
    std::fclose(stream);
  }
}

TEST(CopiedLines, CallsThatMoveNothingAreTimed) {
  FILE* stream = std::tmpfile();
  ASSERT_NE(stream, nullptr);
  BufferPlace before = BufferPlace::of(stream, false);
  EXPECT_EQ(std::fgetc(stream), EOF);
  EXPECT_FALSE(before.only_copied(BufferPlace::of(stream, false), 0));
  std::fclose(stream);
}

#endif

TEST(BufferPlace, TellsCopiesFromBuffersThatWereFilled) {
  BufferPlace before{1000, 1100};
  EXPECT_TRUE(before.only_copied({1008, 1100}, 8));
  EXPECT_TRUE(before.only_copied({1100, 1100}, 100));
  EXPECT_FALSE(before.only_copied({1000, 1100}, 8));  // past the buffer
  EXPECT_FALSE(before.only_copied({1000, 1100}, 0));
  EXPECT_FALSE(before.only_copied({1008, 1200}, 8));
  EXPECT_FALSE(BufferPlace({1000, 1000}).only_copied({1008, 5096}, 8));
  EXPECT_FALSE(BufferPlace({1000, 900}).only_copied({1008, 900}, 8));  // by lines
}

TEST(CopyTimes, OneInSixteenIsTimedAndTheOthersLastAsLong) {
  CopyTimes times;
  uint64_t now = 1000;
  int asked = 0;
  auto clock = [&] { return ++asked, now; };
  EXPECT_EQ(times.end_of(0, 8, 900, clock), 1000u);  // the first
  now = 2040;
  EXPECT_EQ(times.end_of(0, 8, 2000, clock), 2040u);  // it may have been slow for being that
  EXPECT_EQ(asked, 2);
  for (int i = 0; i < 15; ++i) EXPECT_EQ(times.end_of(0, 8, 3000, clock), 3040u);
  EXPECT_EQ(asked, 2);
  now = 5000;  // interrupted
  EXPECT_EQ(times.end_of(0, 8, 4000, clock), 5000u);
  EXPECT_EQ(asked, 3);
  EXPECT_LE(times.end_of(0, 8, 6000, clock), 6051u);
}

TEST(CopyTimes, OtherSizesAndWaysAreOtherCopies) {
  CopyTimes times;
  uint64_t now = 0;
  auto clock = [&] { return now; };
  auto learn = [&](size_t way, uint64_t bytes, uint64_t ticks) {
    now = ticks;
    for (int i = 0; i < 2; ++i) EXPECT_EQ(times.end_of(way, bytes, 0, clock), ticks);
  };
  learn(0, 8, 30);
  learn(0, 4000, 300);
  learn(5, 8, 70);
  learn(5, ~uint64_t{0}, 900);
  EXPECT_EQ(times.end_of(0, 9, 100, clock), 130u);
  EXPECT_EQ(times.end_of(0, 2100, 100, clock), 400u);
  EXPECT_EQ(times.end_of(5, 15, 100, clock), 170u);
  EXPECT_EQ(times.end_of(5, uint64_t{1} << 40, 100, clock), 1000u);
}

TEST(CopyTimes, LongCopiesAreTimedEachTime) {
  CopyTimes times;
  for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(times.end_of(1, 8, 0, [&] { return 5000 + i; }), 5000 + i);
}

}  // namespace
}  // namespace refrain::record
