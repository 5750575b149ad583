#include "record/gathering.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace refrain::record {
namespace {

TEST(Gathering, AllRanksAgreeThatTheyAreTogether) {
  auto page = std::make_unique<SessionPage>();
  std::vector<Decision> decisions(8);
  std::vector<std::thread> ranks;
  for (size_t r = 0; r < decisions.size(); ++r)
    ranks.emplace_back([&, r] {
      Gathering* place = find_gathering(*page, 77);
      arrive(*place);
      decisions[r] = decide(*place, 8, 60'000);
    });
  for (auto& rank : ranks) rank.join();
  for (Decision d : decisions) EXPECT_EQ(d, Decision::together);
}

TEST(Gathering, OneRankMissingKeepsAllApartAlsoWhenItComesLate) {
  auto page = std::make_unique<SessionPage>();
  Gathering* place = find_gathering(*page, 77);
  arrive(*place);
  EXPECT_EQ(decide(*place, 2, 5), Decision::apart);
  arrive(*place);
  EXPECT_EQ(decide(*place, 2, 60'000), Decision::apart);
}

TEST(Gathering, NobodyWaitsForARankThatStaysAway) {
  auto page = std::make_unique<SessionPage>();
  Gathering* place = find_gathering(*page, 77);
  stay_away(*place);
  arrive(*place);
  EXPECT_EQ(decide(*place, 2, 60'000), Decision::apart);
}

TEST(Gathering, JobsMeetInDifferentPlaces) {
  auto page = std::make_unique<SessionPage>();
  Gathering* first = find_gathering(*page, 77);
  EXPECT_EQ(find_gathering(*page, 77), first);
  EXPECT_NE(find_gathering(*page, 78), first);
  for (uint64_t job = 1000; job < 1062; ++job) find_gathering(*page, job);
  EXPECT_EQ(find_gathering(*page, 5000), nullptr);
}

}  // namespace
}  // namespace refrain::record
