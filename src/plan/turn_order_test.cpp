#include "plan/turn_order.hpp"

#include <gtest/gtest.h>

namespace refrain::plan {
namespace {

Turn writes(uint32_t rank, uint32_t call, const char* file = "a", bool makes = false) {
  return {.rank = rank, .file = file, .path = file, .signature = call, .makes = makes};
}
Turn reads(uint32_t rank, uint32_t call, const char* file = "a") {
  return {.rank = rank, .file = file, .path = file, .signature = call, .alone = false};
}

TurnPlaces placed(const std::vector<Turn>& turns) {
  trace::Trace trace;
  trace::Process process{.ranks = trace::RankSet::range(0, 4)};
  return place_turns(trace, process, turns);
}

TEST(TurnOrder, IsThatOfRanksWhereNothingTells) {
  TurnPlaces places = placed({writes(0, 0, "a", true), writes(1, 1), writes(2, 1), writes(3, 1)});
  EXPECT_EQ(places.of.at({0, 0, 0}).first.at(0), 0);
  for (uint32_t rank = 1; rank < 4; ++rank) EXPECT_EQ(places.of.at({0, 1, 0}).first.at(rank), rank);
  EXPECT_EQ(places.doubt, "ranks hand a on, and nothing tells in which order: they have it by rank");
}

TEST(TurnOrder, WhoMakesTheFileIsFirst) {
  TurnPlaces places = placed({writes(0, 1), writes(1, 1), writes(2, 1), writes(3, 0, "a", true)});
  EXPECT_EQ(places.of.at({0, 0, 0}).first.at(3), 0);
  for (uint32_t rank = 0; rank < 3; ++rank) EXPECT_EQ(places.of.at({0, 1, 0}).first.at(rank), rank + 1);
}

TEST(TurnOrder, ReadersComeLastTogether) {
  TurnPlaces places = placed({writes(0, 0), reads(0, 1), reads(1, 1), writes(2, 0), reads(2, 1)});
  for (uint32_t rank : {0u, 1u, 2u}) EXPECT_EQ(places.of.at({0, 1, 0}).first.at(rank), 2);
}

TEST(TurnOrder, ARanksOwnOrderIsKept) {
  TurnPlaces places = placed({reads(0, 1), writes(0, 0), writes(1, 0)});
  EXPECT_EQ(places.of.at({0, 0, 0}).first.at(1), 0);
  EXPECT_EQ(places.of.at({0, 1, 0}).first.at(0), 1);
  EXPECT_EQ(places.of.at({0, 0, 0}).first.at(0), 2);
}

TEST(TurnOrder, FilesInTheOppositeOrderDontBlockEachOther) {
  TurnPlaces places = placed({reads(0, 0, "b"), writes(0, 1, "a"), reads(1, 2, "a"), writes(1, 3, "b")});
  int64_t b_read = places.of.at({0, 0, 0}).first.at(0), b_written = places.of.at({0, 3, 0}).first.at(1);
  int64_t a_written = places.of.at({0, 1, 0}).first.at(0), a_read = places.of.at({0, 2, 0}).first.at(1);
  EXPECT_TRUE((b_read < b_written) || (a_read < a_written));
}

/// Each makes a file that the other reads then.
TEST(TurnOrder, ThreadsOfARankDontWaitForEachOthersLaterCalls) {
  auto on = [](uint32_t thread, Turn turn) {
    turn.thread = thread;
    return turn;
  };
  TurnPlaces places = placed({on(0, writes(0, 0, "a", true)), on(0, reads(0, 1, "b")),
                              on(1, writes(0, 0, "b", true)), on(1, reads(0, 1, "a"))});
  for (uint32_t thread : {0u, 1u}) {
    EXPECT_EQ(places.of.at({thread, 0, 0}).first.at(0), 0);
    EXPECT_EQ(places.of.at({thread, 1, 0}).first.at(0), 1);
  }
}

TEST(TurnOrder, CallsThatAreRepeatedHaveRegularPlaces) {
  TurnPlaces places = placed({writes(0, 0, "a"), writes(0, 0, "b"), writes(1, 0, "a"), writes(1, 0, "b")});
  EXPECT_EQ(places.of.at({0, 0, 0}).first.at(1), 1);
  EXPECT_TRUE(places.of.at({0, 0, 0}).step.is_constant(0));
}

TEST(TurnOrder, PlacesWithoutARuleAreSaid) {
  TurnPlaces places = placed({writes(0, 0, "a"), writes(0, 0, "b"), writes(0, 0, "c"), writes(1, 0, "b"),
                              writes(2, 0, "a"), writes(2, 0, "b"), writes(2, 0, "c")});
  EXPECT_FALSE(places.of.contains({0, 0, 0}));
  EXPECT_NE(places.doubt.find("follows no rule"), std::string::npos);
}

}  // namespace
}  // namespace refrain::plan
