// What rules look at: totals over ranks and turns, and what handles stand for.
#include "advise/view.hpp"

#include <gtest/gtest.h>

#include "advise/made_up_job.hpp"

namespace refrain::advise {
namespace {

using namespace made_up;

TEST(View, TotalsAreThoseOfAllRanksAndTurns) {
  Job job(100);
  job.outer(
      {job.call("posix", "open", {job.path("out.", by_rank(1)), name("O_WRONLY")}, slot("fd", 0), 100, 1000),
       loop(50, {job.call("posix", "write", {slot("fd", 0), data(), number(8)}, written(by_rank(8)), 5000,
                          10000)})});
  View view(job.trace(), 0);
  ASSERT_EQ(view.calls().size(), 2u);
  const Call& write = view.calls()[1];
  EXPECT_EQ(write.calls, 5000u);
  EXPECT_EQ(write.bytes, 50u * 8 * 4950);
  EXPECT_EQ(write.time_ns, 10000u);
  EXPECT_EQ(write.ranks, 100u);
  EXPECT_EQ(view.io_time_ns(), 11000u);
  EXPECT_EQ(view.bytes_by_rank().size(), 100u);
  EXPECT_EQ(view.bytes_by_rank().at(7), 50u * 56);
  EXPECT_TRUE(view.complete());
  EXPECT_EQ(view.place(write).lines, (Names{"loop i 50", "write(fd0, data, 8) -> rank*8"}));
  EXPECT_EQ(view.place(write).path, (std::vector<uint32_t>{1, 0}));
}

TEST(View, ARankTooManyIsEstimated) {
  Job job(4'000'000);
  std::vector<Node> nodes;
  for (int i = 0; i < 40; ++i)
    nodes.push_back(
        job.call("posix", "write", {slot("fd", 0), data(), number(8)}, written(by_rank(8)), 4'000'000, 7000));
  job.outer(std::move(nodes));
  View view(job.trace(), 0);
  EXPECT_EQ(view.calls()[39].calls, 4'000'000u);
  EXPECT_NEAR(static_cast<double>(view.calls()[39].bytes), 8 * 4e6 * 2e6, 8 * 4e6 * 2e4);
  EXPECT_FALSE(view.complete());
}

TEST(View, HandlesLeadToFiles) {
  Job job(4);
  job.outer({job.call("posix", "open", {job.path("shared"), name("O_RDWR")}, slot("fd", 0), 4, 1),
             job.call("posix", "open", {job.path("own.", by_rank(1)), name("O_RDWR")}, slot("fd", 1), 4, 1),
             job.call("posix", "dup", {slot("fd", 1)}, slot("fd", 2), 4, 1),
             job.call("posix", "write", {slot("fd", 0), data(), number(8)}, written(8), 4, 1),
             job.call("posix", "write", {slot("fd", 2), data(), number(8)}, written(8), 4, 1)});
  View view(job.trace(), 0);
  ASSERT_EQ(view.files().size(), 5u);
  const File& shared = view.files()[view.calls()[3].samples[0].file];
  EXPECT_EQ(shared.name, "shared");
  EXPECT_TRUE(view.shared(shared));
  for (const Sample& sample : view.calls()[4].samples) {
    const File& own = view.files()[sample.file];
    EXPECT_EQ(own.name, "own." + std::to_string(sample.rank));
    EXPECT_FALSE(view.shared(own));
  }
}

TEST(View, AnEmptyTraceHasNothing) {
  Job job(0);
  EXPECT_EQ(job.rules(), Names{});
  job.outer({});
  EXPECT_EQ(job.rules(), Names{});
}

}  // namespace
}  // namespace refrain::advise
