#include "base/crew.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace refrain {
namespace {

TEST(Crew, DoesAllJobsBeforeItFinishes) {
  for (unsigned threads : {0u, 1u, 2u, 7u}) {
    Crew crew(threads);
    for (int round = 0; round < 3; ++round) {
      std::vector<std::atomic<int>> done(500);
      for (auto& d : done) crew.post([&d] { ++d; });
      crew.finish();
      for (auto& d : done) EXPECT_EQ(d, 1);
    }
  }
}

TEST(Crew, WorksAtOnceWithOneThread) {
  Crew crew(1);
  bool done = false;
  crew.post([&] { done = true; });
  EXPECT_TRUE(done);
}

TEST(Crew, ThrowsWhatAJobThrew) {
  Crew crew(3);
  for (int i = 0; i < 20; ++i)
    crew.post([i] {
      if (i == 10) throw std::runtime_error("no more room");
    });
  EXPECT_THROW(crew.finish(), std::runtime_error);
  crew.post([] {});
  crew.finish();
}

TEST(Crew, EndsWithoutBeingAskedToFinish) {
  std::atomic<int> done = 0;
  {
    Crew crew(2);
    for (int i = 0; i < 100; ++i) crew.post([&] { ++done; });
  }
  EXPECT_LE(done, 100);
}

TEST(InParallel, CallsEachOnce) {
  for (unsigned threads : {0u, 1u, 2u, 7u})
    for (size_t count : {0, 1, 5, 300}) {
      std::vector<std::atomic<int>> calls(count);
      size_t told = 0;
      in_parallel(
          count, threads, [&](size_t i) { ++calls[i]; }, [&](size_t done, size_t) { told = done; });
      for (auto& c : calls) EXPECT_EQ(c, 1);
      EXPECT_EQ(told, count);
    }
}

TEST(InParallel, ThrowsWhatABodyThrewAndEnds) {
  std::atomic<int> calls = 0;
  auto body = [&](size_t i) {
    ++calls;
    if (i == 3) throw std::runtime_error("no more room");
  };
  EXPECT_THROW(in_parallel(1'000'000, 3, body), std::runtime_error);
  EXPECT_LT(calls, 1'000'000);
}

}  // namespace
}  // namespace refrain
