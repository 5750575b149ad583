#include "record/thread_numbers.hpp"

#include <gtest/gtest.h>

#include <future>
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

TEST_F(ThreadNumbers, AThreadFromBeforeDoesNotGiveBackWhatIsAnothersNow) {
  std::promise<void> adopted, restarted;
  std::thread early([&] {
    int number = reserve_number();
    adopt_number(number);
    EXPECT_FALSE(number_is_of_before());
    adopted.set_value();
    restarted.get_future().wait();
    EXPECT_TRUE(number_is_of_before());
  });
  adopted.get_future().wait();
  restart_numbers();
  EXPECT_FALSE(number_is_of_before());
  int number = reserve_number();
  EXPECT_EQ(number, 1);  // the early thread's
  detach_number(number);
  restarted.set_value();
  early.join();
  EXPECT_TRUE(number_runs(number));
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
