// The kinetic tournament against a plain search, and what it costs: matches played per request, counted, so
// that the logarithm in the cost of an I/O phase is shown and not only argued.
#include "schedule/tournament.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "base/test_rounds.hpp"
#include "schedule/random.hpp"

namespace refrain::schedule {
namespace {

constexpr Time beginning = Time{1} << 45;

Urgency random_line(Random& random, Time now) {
  auto started = static_cast<Time>(random.below(static_cast<uint64_t>(now)));
  return {started, static_cast<Time>(1 + random.below(static_cast<uint64_t>(now - started)))};
}

/// Tangents of a parabola: a (t - a) is the highest of all at t = 2a. Scaled to where times are.
Urgency tangent(double place) {
  double a = 0x1p20 * (1 + place);
  return {beginning + static_cast<Time>(a * 0x1p20), static_cast<Time>(1e15 / a)};
}
Time touched(double place) { return beginning + static_cast<Time>(0x1p41 * (1 + place)); }

double per_request_and_level(const Tournament& queue, uint32_t requests, uint32_t waiting) {
  return static_cast<double>(queue.played()) / requests / (std::bit_width(waiting) - 1);
}

/// `waiting` requests with random lines; each that is served comes back at once.
double cost_of_random_lines(uint32_t waiting) {
  Random random(2, waiting);
  Tournament queue;
  Time now = beginning;
  for (uint32_t job = 0; job < waiting; ++job) queue.push(now, job, random_line(random, now));
  for (uint32_t i = 0; i < 4 * waiting; ++i) {
    now += static_cast<Time>(random.below(static_cast<uint64_t>(beginning) / waiting));
    auto job = static_cast<uint32_t>(queue.pop(now));
    queue.push(now, job, random_line(random, now));
  }
  return per_request_and_level(queue, 5 * waiting, waiting);
}

/// `waiting` tangents in random order; every `stride`-th time that the highest changes, it is served.
double cost_of_tangents(uint32_t waiting, uint32_t stride) {
  Random random(3, waiting);
  std::vector<uint32_t> places(waiting);
  for (uint32_t i = 0; i < waiting; ++i) places[i] = i;
  for (uint32_t i = waiting; i > 1; --i) std::swap(places[i - 1], places[random.below(i)]);
  Tournament queue;
  for (uint32_t job = 0; job < waiting; ++job) {
    queue.push(touched(0), job, tangent(static_cast<double>(places[job]) / waiting));
  }
  for (uint32_t i = 0; i < waiting; i += stride) queue.pop(touched(static_cast<double>(i) / waiting));
  return per_request_and_level(queue, waiting, waiting);
}

TEST(Tournament, PlaysAFewMatchesPerRequestAndLevelHoweverManyWait) {
  for (uint32_t waiting : {16U, 256U, 4096U, 32768U}) {
    EXPECT_LT(cost_of_random_lines(waiting), 2.5) << waiting;
    for (uint32_t stride : {1U, 2U, 16U}) EXPECT_LT(cost_of_tangents(waiting, stride), 3.5) << waiting;
  }
}

TEST(Tournament, ServesWhomAPlainSearchFinds) {
  Random random(4, 0);
  Tournament queue;
  std::map<uint32_t, Urgency> waiting;
  Time now = 1000;
  for (uint32_t step = 0; step < test_rounds(20'000u); ++step) {
    now += static_cast<Time>(random.below(5));
    if (waiting.empty() || random.below(100) < 52) {
      Urgency line = random_line(random, now);
      queue.push(now, step, line);
      waiting[step] = line;
      continue;
    }
    uint32_t best = waiting.begin()->first;
    for (const auto& [job, line] : waiting) {
      const Urgency& highest = waiting[best];
      if (wide(now - line.since) * wide(highest.per) > wide(now - highest.since) * wide(line.per)) best = job;
    }
    ASSERT_EQ(queue.pop(now), best) << step;
    waiting.erase(best);
  }
}

}  // namespace
}  // namespace refrain::schedule
