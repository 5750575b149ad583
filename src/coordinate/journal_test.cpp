// A journal as the schedule it tells, and the simulation of the same jobs.
#include "coordinate/journal.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "coordinate/coordinator.hpp"
#include "coordinate/snapshot.hpp"
#include "schedule/sample_jobs.hpp"

namespace refrain::coordinate {
namespace {

using schedule::second;

constexpr Time start = 1'700'000'000 * second;

/// Two jobs of one phase each on one I/O node: 1 computes 1 s and writes 3, 2 computes 2 and writes 1.
std::string two_jobs() {
  Settings settings{.policy = *schedule::find_policy("fifo"), .io_nodes = {{1, 1}}, .lease = 100 * second};
  Coordinator coordinator(settings, start);
  std::string text = start_json(settings, start) + "\n";
  auto say = [&](int at, const char* address, const ClientMessage& message) {
    coordinator.receive(start + at * second, address, message);
    coordinator.settle(start + at * second);
    for (const Event& event : coordinator.take_events()) text += event_json(event) + "\n";
  };
  say(5, "a", Register{.job = 1, .client = 1, .nodes = 2, .name = "one"});
  say(5, "b", Register{.job = 2, .client = 2, .nodes = 3, .name = "two"});
  say(6, "a", Ask{});
  say(7, "b", Ask{});
  say(9, "a", End{});
  say(9, "a", Leave{});
  say(10, "b", End{});
  say(10, "b", Leave{});
  return text;
}

schedule::Workload the_same_jobs() {
  return {schedule::Machine::uniform(1, 5),
          {schedule::sample_job(1, {{1, 3}}), schedule::sample_job(2, {{2, 1}})}};
}

TEST(Journal, TellsASchedule) {
  Result<Happened> happened = parse_journal(two_jobs());
  ASSERT_TRUE(happened) << happened.error().text();
  const schedule::Outcome& outcome = happened->outcome;
  ASSERT_EQ(outcome.placements.size(), 2U);
  EXPECT_EQ(happened->workload.jobs[1].name, "two");
  EXPECT_EQ(happened->workload.machine.io_nodes[0].nodes, 5U);
  EXPECT_EQ(outcome.placements[0].end, 4 * second);
  EXPECT_EQ(outcome.placements[1].end, 5 * second);
  EXPECT_EQ(outcome.makespan, 5 * second);
  EXPECT_DOUBLE_EQ(outcome.stretches[0], 1);
  EXPECT_DOUBLE_EQ(outcome.stretches[1], 5.0 / 3);
  ASSERT_EQ(happened->log.size(), 2U);
  EXPECT_EQ(happened->log[1].requested, 2 * second);
  EXPECT_EQ(happened->log[1].length, 1 * second);
  EXPECT_EQ(happened->log[1].end, 5 * second);
}

TEST(Journal, IsWhatTheSimulationSays) {
  Result<Happened> happened = parse_journal(two_jobs());
  ASSERT_TRUE(happened);
  Result<Happened> simulated = simulate_same(*happened, the_same_jobs());
  ASSERT_TRUE(simulated) << simulated.error().text();
  EXPECT_EQ(simulated->outcome.makespan, happened->outcome.makespan);
  EXPECT_EQ(simulated->outcome.stretches, happened->outcome.stretches);
  EXPECT_EQ(simulated->log.size(), happened->log.size());
  schedule::Workload other = the_same_jobs();
  other.jobs.pop_back();
  EXPECT_FALSE(simulate_same(*happened, other));
}

TEST(Journal, ALeaseThatOutlivesARestartIsOne) {
  std::string text = two_jobs();
  auto line = [](int at, const char* event, int job, const char* more) {
    return fmt::format(R"({{"at_ns": {}, "event": "{}", "job": {}, "step": 0, "io_node": 0{}}})"
                       "\n",
                       start + at * second, event, job, more);
  };
  text += line(20, "job", 3, "");
  text += line(20, "grant", 3, R"(, "lease": 7)");
  text += two_jobs().substr(0, text.find('\n') + 1);  // another start
  text += line(22, "job", 3, "");
  text += line(22, "honor", 3, R"(, "lease": 7)");
  text += line(25, "end", 3, R"(, "lease": 7)");
  Result<Happened> happened = parse_journal(text);
  ASSERT_TRUE(happened) << happened.error().text();
  ASSERT_EQ(happened->log.size(), 3U);
  EXPECT_EQ(happened->log[2].length, 5 * second);
}

TEST(Journal, WhatIsNoJournalIsRefused) {
  std::string text = two_jobs();
  EXPECT_TRUE(parse_journal(text.substr(0, text.size() - 20)));  // the last line is not whole
  for (const std::string& bad : {std::string(), std::string("x\n"), text.substr(text.find('\n') + 1),
                                 "{}\n" + text, text.substr(0, text.find('\n') + 1),
                                 text + R"({"event": "job", "at_ns": -5})"
                                        "\n",
                                 text + R"({"event": "job", "io_node": 4000000000})"
                                        "\n",
                                 std::string(R"({"event": "start", "policy": "fifo"})"
                                             "\n"),
                                 std::string(R"({"event": "start", "policy": 7, "io_nodes": []})"
                                             "\n")}) {
    EXPECT_FALSE(parse_journal(bad)) << bad;
  }
}

}  // namespace
}  // namespace refrain::coordinate
