// Merging with several threads: jobs are all done, and the trace is the same.
#include "merge/crew.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "format/file.hpp"
#include "merge/merge_ranks.hpp"
#include "merge/spmd_streams.hpp"

namespace refrain::merge {
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

/// Every number of ranks ends in another mixture of full and broken subtrees.
TEST(Crew, MergesToTheSameTrace) {
  for (const spmd::Program& program : spmd::programs())
    for (int64_t ranks : {1, 15, 16, 17, 48, 60, 120}) {
      std::vector<trace::Trace> parts = spmd::traces_of(program, ranks);
      std::vector<uint8_t> alone = format::encode(merge_ranks(parts));
      for (unsigned threads : {2u, 5u})
        EXPECT_EQ(format::encode(merge_ranks(parts, {.threads = threads})), alone)
            << program.name << " with " << ranks << " ranks and " << threads << " threads";
    }
}

}  // namespace
}  // namespace refrain::merge
