// Skipping I/O gives what going through all phases one by one gives.
#include "schedule/job_progress.hpp"

#include <gtest/gtest.h>

#include "schedule/random.hpp"

namespace refrain::schedule {
namespace {

/// What a policy would see after `count` I/Os, phase by phase.
Request after_plainly(const Job& job, uint64_t count) {
  Progress progress(job, job.alone(1), 1, 7);
  while (!progress.is_over()) {
    progress.computed();
    if (progress.step().io > 0) {
      if (count-- == 0) break;
      progress.wrote();
    }
    progress.next();
  }
  return progress.request(1, 9);
}

Job random_job(Random& random) {
  Job job;
  for (uint64_t blocks = random.below(5); blocks > 0; --blocks) {
    std::vector<Phase> phases;
    for (uint64_t n = 1 + random.below(4); n > 0; --n) {
      phases.push_back({static_cast<Time>(random.below(3)) * second, static_cast<double>(random.below(3))});
    }
    job.add_block(phases, 1 + random.below(6));
  }
  return job;
}

void expect_equal(const Request& a, const Request& b, uint64_t number) {
  EXPECT_EQ(a.io, b.io) << number;
  EXPECT_EQ(a.remaining, b.remaining) << number;
  EXPECT_EQ(a.io_done, b.io_done) << number;
  EXPECT_EQ(a.work_done, b.work_done) << number;
}

TEST(Progress, SkipsAsItGoes) {
  for (uint64_t number = 0; number < 5000; ++number) {
    Random random(11, number);
    Job job = random_job(random);
    Progress progress(job, job.alone(1), 1, 7);
    uint64_t passed = 0;
    for (int step = 0; step < 6; ++step) {
      uint64_t count = random.below(9);
      if (random.below(2) == 0) progress.seek_io();
      progress.skip_io(count);
      passed += count;
      progress.seek_io();
      progress.seek_io();
      expect_equal(progress.request(1, 9), after_plainly(job, passed), number);
    }
  }
}

TEST(Progress, SkipsBillionsAtOnce) {
  Job job;
  job.add_block({{1, 0}}, uint64_t{1} << 50U);
  job.add_block({{2, 1e-9}, {3, 0}}, uint64_t{1} << 50U);
  Progress progress(job, job.alone(1), 1, 0);
  progress.seek_io();
  EXPECT_EQ(progress.request(1, 0).work_done, (Time{1} << 50) + 2);
  progress.skip_io((uint64_t{1} << 50U) - 1);
  progress.seek_io();
  EXPECT_EQ(progress.request(1, 0).remaining, 1 + 3);
  progress.skip_io(1);
  EXPECT_EQ(progress.request(1, 0).remaining, 3);
  progress.skip_io(UINT64_MAX);
  EXPECT_TRUE(progress.is_over());
  EXPECT_EQ(progress.request(1, 0).remaining, 0);
}

}  // namespace
}  // namespace refrain::schedule
