// Groups of so many neighbors, the last of which is smaller.
#include <gtest/gtest.h>

#include <algorithm>

#include "compare/compare.hpp"
#include "extrapolate/extrapolate.hpp"
#include "extrapolate/made_up_runs.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

using Nodes = std::vector<trace::Node>;

int64_t members(int64_t r, int64_t p, int64_t k) { return std::min(k, p - r / k * k); }

void expect_certain(const Program& program, const std::vector<uint32_t>& sizes, const std::string& what) {
  std::vector<trace::Trace> runs;
  for (uint32_t size : sizes) runs.push_back(run_of(program, size));
  auto free = extrapolate(runs, {.times = false});
  ASSERT_TRUE(free) << what << ": " << free.error().text();
  for (uint32_t target : {60u, 62u, 101u}) {
    EXPECT_TRUE(scale::doubts_at_size(*free, target).empty()) << what << " at " << target;
    auto here = scale::at_size(*free, target);
    ASSERT_TRUE(here) << here.error().text();
    auto compared = compare::compare(*here, run_of(program, target));
    ASSERT_TRUE(compared);
    EXPECT_FALSE(compared->difference) << what << " at " << target << ": " << compared->difference->calls[0]
                                       << ", not " << compared->difference->calls[1];
  }
}

TEST(GroupSizes, a_file_per_group) {
  auto program = [](int64_t r, int64_t p) {
    int64_t n = members(r, p, 4);
    return Nodes{call(0, r / 4), call(1, n * 1000),
                 loop(3, {transfer(line(1000, 0), line(r % 4 * 1000, n * 1000))})};
  };
  expect_certain(program, {6, 16, 27, 32}, "groups of 4");
}

TEST(GroupSizes, first_ranks_write_for_their_group) {
  auto program = [](int64_t r, int64_t p) {
    return r % 8 == 0 ? Nodes{transfer(members(r, p, 8) * 256, r * 256)} : Nodes{};
  };
  expect_certain(program, {6, 16, 27, 32}, "groups of 8");
}

}  // namespace
}  // namespace refrain::extrapolate
