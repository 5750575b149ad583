#include "record/thread_numbers.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace refrain::record {
namespace {

class ThreadNumbers : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    on_thread_end([] {});
  }
  void SetUp() override { restart_numbers(); }
};

TEST_F(ThreadNumbers, TheLowestFreeOneIsGiven) {
  EXPECT_EQ(own_number(), 0);
  EXPECT_EQ(reserve_number(), 1);
  EXPECT_EQ(reserve_number(), 2);
  release_number(1);
  EXPECT_EQ(reserve_number(), 1);
  EXPECT_EQ(reserve_number(), 3);
}

TEST_F(ThreadNumbers, AnEndedThreadKeepsItsNumberUntilItIsJoined) {
  int number = reserve_number();
  std::thread([&] { adopt_number(number); }).join();
  EXPECT_EQ(reserve_number(), number + 1);
  release_number(number);
  EXPECT_EQ(reserve_number(), number);
}

TEST_F(ThreadNumbers, ADetachedThreadGivesItsNumberBackAtItsEnd) {
  int before = reserve_number();
  detach_number(before);
  std::thread([&] { adopt_number(before); }).join();
  EXPECT_EQ(reserve_number(), before);
  int after = reserve_number();
  std::thread([&] { adopt_number(after); }).join();
  detach_number(after);
  EXPECT_EQ(reserve_number(), after);
}

TEST_F(ThreadNumbers, NumbersOfThreadsThatNobodyJoinedAreTheLastResort) {
  int number = reserve_number();
  std::thread([&] { adopt_number(number); }).join();
  for (int n = number + 1; n < max_threads; ++n) EXPECT_EQ(reserve_number(), n);
  EXPECT_EQ(reserve_number(), number);
  EXPECT_EQ(reserve_number(), no_number);
}

}  // namespace
}  // namespace refrain::record
