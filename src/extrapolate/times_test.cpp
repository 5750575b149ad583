// Models of times on planted data: each family is found again, also under noise, and nothing that a trace can
// hold makes a model that isn't a number.
#include "extrapolate/times.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/hash.hpp"
#include "extrapolate/extrapolate.hpp"
#include "extrapolate/made_up_runs.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

using trace::TimeModel;
using Law = std::function<double(double)>;

const std::vector<double> sizes{4, 6, 9, 16, 24, 32};

/// Values of the law, each off by up to `noise` of itself; the same ones for the same seed.
std::vector<TimePoint> planted(const Law& law, double noise, uint64_t seed) {
  std::vector<TimePoint> points;
  for (double p : sizes) {
    double random = static_cast<double>(mix64(seed * 1000 + static_cast<uint64_t>(p)) >> 11) * 0x1p-53;
    points.push_back({p, law(p) * (1 + noise * (2 * random - 1))});
  }
  return points;
}

/// Which terms a model has.
std::string terms(const TimeModel& m) {
  std::string out;
  for (size_t i = 0; i < TimeModel::terms; ++i)
    if (m.factors[i] != 0) out += "ciLQ"[i];
  return out;
}

struct Planted {
  const char* terms;
  Law law;
};

const std::vector<Planted> families{
    {"c", [](double) { return 5e6; }},
    {"i", [](double p) { return 3e9 / p; }},
    {"cL", [](double p) { return 2e5 * p + 1e6; }},
    {"ci", [](double p) { return 4e8 / p + 3e7; }},
    {"cLQ", [](double p) { return 4e4 * p * p - 1e5 * p + 2e6; }},
};

TEST(FitTime, finds_each_family_without_noise) {
  for (const Planted& f : families) {
    TimeModel m = fit_time(planted(f.law, 0, 0));
    EXPECT_EQ(terms(m), f.terms);
    EXPECT_NEAR(m.at(64) / f.law(64), 1, 1e-3) << f.terms;
  }
}

TEST(FitTime, predicts_under_noise) {
  for (const Planted& f : families)
    for (uint64_t seed = 0; seed < 50; ++seed) {
      TimeModel m = fit_time(planted(f.law, 0.02, seed));
      EXPECT_NEAR(m.at(48) / f.law(48), 1, 0.25) << f.terms << ", seed " << seed << ": " << m.text();
    }
}

TEST(FitTime, noise_alone_is_mostly_a_constant) {
  size_t constants = 0;
  for (uint64_t seed = 0; seed < 100; ++seed)
    constants += terms(fit_time(planted([](double) { return 1e6; }, 0.05, seed))) == "c";
  EXPECT_GT(constants, 70u);
}

/// The largest number of ranks is predicted from the others.
TEST(FitTime, is_chosen_by_what_was_left_out) {
  std::vector<TimePoint> points{{4, 40e6}, {8, 21e6}, {16, 10.5e6}, {32, 4.8e6}};
  TimeModel m = fit_time(points);
  EXPECT_EQ(terms(m), "i") << m.text();
  EXPECT_NEAR(m.at(64), 2.5e6, 0.3e6);
}

TEST(FitTime, few_points) {
  EXPECT_TRUE(fit_time({}).is_zero());
  EXPECT_EQ(terms(fit_time({{4, 7}})), "c");
  EXPECT_EQ(terms(fit_time({{4, 1000}, {8, 500}})), "i");
  EXPECT_EQ(terms(fit_time({{4, 1000}, {8, 1010}})), "c");
  EXPECT_EQ(terms(fit_time({{4, 1000}, {8, 2000}})), "c");
}

TEST(FitTime, whatever_it_is_given_it_gives_numbers) {
  double longest = 0x1p62;
  for (const std::vector<TimePoint>& points :
       std::vector<std::vector<TimePoint>>{{{4, 0}, {8, 0}, {16, 0}},
                                           {{4, 0}, {8, 0}, {16, 1}},
                                           {{4, longest}, {8, 0}, {16, longest}, {32, 1}},
                                           {{1, 1e-9}, {2, 1e-9}, {3, longest}},
                                           {{1, 5}, {1 << 24, 5}, {(1 << 24) - 1, 5}, {3, 0}},
                                           {{4, 10}, {4, 20}, {4, 30}, {4, 40}}}) {
    TimeModel m = fit_time(points);
    for (float f : m.factors) EXPECT_TRUE(std::isfinite(f));
    EXPECT_TRUE(std::isfinite(m.at(16777216)));
  }
}

/// Computing that is shared by the ranks, and calls that take the longer the more there are.
trace::Trace timed_run(uint32_t nprocs) {
  trace::Trace run = run_of(
      [](int64_t rank, int64_t) { return std::vector<trace::Node>{loop(10, {call(1, rank)})}; }, nprocs);
  trace::Timing& t = run.processes[0].streams[0].nodes[0].body[0].timing;
  for (uint32_t i = 0; i < 10 * nprocs; ++i) {
    t.gap.add(8'000'000 / nprocs + (i % 2 == 0 ? 100 : 0) + 400);
    t.duration.add(1000 * nprocs);
  }
  t.communication.ns[2] = 400 * 10 * nprocs;
  run.processes[0].elapsed_ns = 200'000'000 / nprocs;
  return run;
}

TEST(FitTimes, runs_become_a_trace_with_times_at_another_size) {
  auto free = extrapolate({timed_run(4), timed_run(8), timed_run(9), timed_run(32)});
  ASSERT_TRUE(free) << free.error().text();
  auto plain = scale::at_size(*free, 64);
  ASSERT_TRUE(plain) << plain.error().text();
  const trace::Timing& t = plain->processes[0].streams[0].nodes[0].body[0].timing;
  ASSERT_EQ(t.gap.count(), 640u);
  EXPECT_NEAR(static_cast<double>(t.gap.sum_ns()) / 640, 125'000 + 450, 2000);
  EXPECT_NEAR(static_cast<double>(t.communication.ns[2]) / 640, 400, 1);
  EXPECT_NEAR(static_cast<double>(t.duration.sum_ns()) / 640, 64'000, 100);
  EXPECT_NEAR(static_cast<double>(plain->processes[0].elapsed_ns), 3'125'000, 1000);
  EXPECT_TRUE(trace::has_estimates(*plain));
}

TEST(FitTimes, can_be_left_out) {
  auto free = extrapolate({timed_run(4), timed_run(8), timed_run(9)}, {.times = false});
  ASSERT_TRUE(free) << free.error().text();
  EXPECT_FALSE(trace::has_time_laws(*free));
  auto plain = scale::at_size(*free, 64);
  ASSERT_TRUE(plain);
  EXPECT_FALSE(trace::has_estimates(*plain));
  EXPECT_EQ(plain->processes[0].streams[0].nodes[0].body[0].timing.gap.count(), 0u);
}

}  // namespace
}  // namespace refrain::extrapolate
