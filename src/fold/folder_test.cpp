#include "fold/folder.hpp"

#include "base/test_rounds.hpp"
#include "fold/program_test.hpp"
#include "fold/round_trip_test.hpp"

namespace refrain::fold {
namespace {

using acceptance::Recording;

class Acceptance : public testing::TestWithParam<acceptance::Named> {};

/// Exact, and no larger than what the prototype made of it.
TEST_P(Acceptance, IsExactAndSmall) {
  Recording r = GetParam().make();
  Tree tree = fold_all(r);
  expect_exact(tree, r);
  EXPECT_LE(count_nodes(tree), GetParam().nodes);
  EXPECT_LE(encoded(tree).size(), GetParam().bytes);
}

INSTANTIATE_TEST_SUITE_P(Streams, Acceptance, testing::ValuesIn(acceptance::all),
                         [](const auto& stream) { return std::string(stream.param.name); });

TEST(Folder, LongBodiesFold) {
  for (int64_t body : {100, 1000, 5000}) {
    Recording r = acceptance::long_body(body, 100000);
    Tree tree = fold_all(r);
    expect_exact(tree, r);
    EXPECT_LE(count_nodes(tree), static_cast<size_t>(body) + 1);
  }
}

TEST(Folder, RandomProgramsComeBackExactly) {
  for (int seed = 1; seed <= test_rounds(300); ++seed) {
    Recording r = RandomProgram(seed).run(4000);
    for (bool adapt : {true, false}) {
      SCOPED_TRACE(seed);
      expect_exact(fold_all(r, {.adapt = adapt}), r);
    }
    if (HasFailure()) return;
  }
}

TEST(Folder, AnEmptyFolderGivesAnEmptyTree) {
  EXPECT_TRUE(Folder().finish().empty());
  Recording one;
  one.add(acceptance::sync, {});
  expect_exact(fold_all(one), one);
}

/// open {write}×n close, with n given per iteration; n < 0: the close is missing.
Recording interrupted(std::initializer_list<int64_t> trips) {
  Recording r;
  int64_t i = 0;
  for (int64_t n : trips) {
    r.add(acceptance::file_open, {i++});
    for (int64_t k = 0; k < (n < 0 ? -n : n); ++k) r.add(acceptance::pwrite, {3, k * 10, 10});
    if (n >= 0) r.add(acceptance::file_close, {i});
  }
  return r;
}

TEST(Folder, TripCountsMayChangeAndLoopsMayBeCutOff) {
  for (const Recording& r :
       {interrupted({3, 3, 3, 5, 0, 1, 2}), interrupted({4, 4, -2}), interrupted({2, 2, 2, -1, 2, 2}),
        interrupted({1, 1, 0, 0, 1}), interrupted({9, 9, 9, -9, -9, 9, 9, 9})})
    expect_exact(fold_all(r), r);
  Recording regular = interrupted({7, 1, 4, 0, 2, 2, 3});
  EXPECT_EQ(count_nodes(fold_all(regular)), 5u);
}

TEST(Folder, InterleavedFiles) {
  Recording r;
  for (int64_t i = 0; i < 2000; ++i) {
    auto file = static_cast<int64_t>(mix64(static_cast<uint64_t>(i)) % 3);
    r.add(acceptance::pwrite, {file + 3, i * 100, 100});
    if (i % 7 == 0) r.add(acceptance::sync, {});
  }
  Tree tree = fold_all(r);
  expect_exact(tree, r);
  EXPECT_LE(count_nodes(tree), 8u);
}

TEST(Folder, ExtraEventEveryFewIterations) {
  for (int64_t every : {2, 3, 7, 50}) {
    Recording r;
    for (int64_t i = 0; i < 3000; ++i) {
      r.add(acceptance::seek, {i * 10});
      r.add(acceptance::pwrite, {3, i * 10, 10});
      if (i % every == every - 1) r.add(acceptance::meta, {i, 1});
    }
    Tree tree = fold_all(r);
    expect_exact(tree, r);
    EXPECT_LE(count_nodes(tree), 12u) << every;
  }
}

TEST(Folder, FinishInMidStreamAndGoOn) {
  Recording r = acceptance::noise();
  Folder folder;
  acceptance::declare_all(folder);
  const int64_t* at = r.parameters.data();
  Recording back;
  for (size_t from = 0; from < 20000; from += 777) {
    at = acceptance::feed(folder, r, from, from + 777, at);
    Recording part = expand(folder.finish());
    EXPECT_EQ(folder.events(), 0u);
    back.calls.insert(back.calls.end(), part.calls.begin(), part.calls.end());
    back.parameters.insert(back.parameters.end(), part.parameters.begin(), part.parameters.end());
  }
  r.calls.resize(back.calls.size());
  r.parameters.resize(back.parameters.size());
  EXPECT_TRUE(back == r);
}

TEST(Folder, MemoryFollowsStructure) {
  Folder folder;
  acceptance::declare_all(folder);
  Recording r = acceptance::nest_of_three();
  acceptance::feed(folder, r, 0, r.size(), r.parameters.data());
  EXPECT_LT(folder.memory(), 200000u);
  Folder heavy;
  acceptance::declare_all(heavy);
  Recording noise = acceptance::pure_noise(20000);
  acceptance::feed(heavy, noise, 0, noise.size(), noise.parameters.data());
  EXPECT_GT(heavy.memory(), 20000u * 32);
}

TEST(Folder, ExtremeValuesSurvive) {
  Recording r;
  for (int64_t i = 0; i < 500; ++i) {
    int64_t v = i % 3 == 0 ? INT64_MIN : i % 3 == 1 ? INT64_MAX : -i;
    r.add(acceptance::pwrite, {v, static_cast<int64_t>(mix64(static_cast<uint64_t>(i))), INT64_MIN + i});
    if (i % 5 == 0) r.add(acceptance::seek, {v});
  }
  expect_exact(fold_all(r), r);
}

TEST(Folder, TheSlopeThatStandsForAnyIsNoneOfAProgram) {
  Recording r;
  for (int64_t i = 0; i < 6; ++i)
    for (int64_t j = 0; j < 3; ++j)
      r.add(acceptance::pwrite, {7, trace::wrap_mul(j, INT64_MIN), trace::wrap_mul(i, INT64_MIN)});
  expect_exact(fold_all(r), r);
}

}  // namespace
}  // namespace refrain::fold
