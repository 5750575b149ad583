// Putting irregular events by changes when they are folded, and how much memory they take until then.
#include <gtest/gtest.h>

#include "base/test_rounds.hpp"
#include "fold/program_test.hpp"
#include "fold/round_trip_test.hpp"

namespace refrain::fold {
namespace {

using acceptance::Recording;

constexpr Options never{.rests = false};

/// Calls of so many functions in random order.
Recording noise(uint64_t seed, size_t events, uint64_t functions) {
  acceptance::Random random(seed);
  Recording r;
  for (size_t i = 0; i < events; ++i)
    r.add(static_cast<uint32_t>(acceptance::numbered + random.below(functions)), {random.below(100'000)});
  return r;
}

void append_loop(Recording& r, int64_t iterations, uint32_t calls) {
  for (int64_t i = 0; i < iterations; ++i)
    for (uint32_t c = 0; c < calls; ++c) r.add(acceptance::numbered + c, {i * 8});
}

TEST(Rest, TakesLittleMemory) {
  Recording r = noise(1, 40'000, 16);
  Folder resting, searching(never);
  for (Folder* folder : {&resting, &searching}) {
    acceptance::declare_all(*folder);
    acceptance::feed(*folder, r, 0, r.size(), r.parameters.data());
  }
  EXPECT_LT(resting.memory(), searching.memory() / 2);
  EXPECT_LT(resting.work(), searching.work() / 4);
}

TEST(Rest, LosesNothing) {
  for (uint64_t functions : {2, 6, 16, 24}) {
    SCOPED_TRACE(functions);
    Recording r = noise(functions, 10'000, functions);
    Tree tree = fold_all(r), searched = fold_all(r, never);
    expect_exact(tree, r);
    EXPECT_LE(encoded(tree).size(), encoded(searched).size() * 101 / 100);
  }
}

TEST(Rest, EndsWhereALoopBegins) {
  Recording r = noise(3, 5'000, 12);
  append_loop(r, 20'000, 3);
  Folder folder;
  acceptance::declare_all(folder);
  acceptance::feed(folder, r, 0, r.size(), r.parameters.data());
  EXPECT_EQ(folder.period(), 3u);
  expect_exact(folder.finish(), r);
}

TEST(Rest, ComesAndGoes) {
  Recording r;
  for (uint64_t turn = 1; turn <= 6; ++turn) {
    Recording some = noise(turn, 3'000, 12);
    r.calls.insert(r.calls.end(), some.calls.begin(), some.calls.end());
    r.parameters.insert(r.parameters.end(), some.parameters.begin(), some.parameters.end());
    append_loop(r, 500, 4);
  }
  expect_exact(fold_all(r), r);
}

TEST(Rest, RandomProgramsStayExact) {
  for (int seed = 1; seed <= test_rounds(40); ++seed) {
    SCOPED_TRACE(seed);
    Recording r = RandomProgram(seed).run(6'000), after = noise(seed, 3'000, 20);
    r.calls.insert(r.calls.end(), after.calls.begin(), after.calls.end());
    r.parameters.insert(r.parameters.end(), after.parameters.begin(), after.parameters.end());
    expect_exact(fold_all(r), r);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Rest, GoesOnFromASavedState) {
  Recording r = noise(7, 6'000, 10);
  append_loop(r, 1'000, 5);
  for (size_t stop : {500, 2'000, 5'999, 6'100, 8'000}) {
    SCOPED_TRACE(stop);
    Folder folder;
    acceptance::declare_all(folder);
    const int64_t* at = acceptance::feed(folder, r, 0, stop, r.parameters.data());
    ByteWriter saved, again;
    folder.save(saved);
    ByteReader in(saved.bytes());
    Folder restored = Folder::restore(in);
    ASSERT_TRUE(in.ok()) << in.reason();
    restored.save(again);
    EXPECT_TRUE(
        std::equal(saved.bytes().begin(), saved.bytes().end(), again.bytes().begin(), again.bytes().end()));
    acceptance::feed(restored, r, stop, r.size(), at);
    expect_exact(restored.finish(), r);
  }
}

TEST(Rest, DamagedStatesAreRefusedOrHarmless) {
  Recording r = noise(9, 2'500, 12);
  Folder folder;
  acceptance::declare_all(folder);
  acceptance::feed(folder, r, 0, r.size(), r.parameters.data());
  ByteWriter saved;
  folder.save(saved);
  acceptance::Random random(11);
  for (int attempt = 0; attempt < 200; ++attempt) {
    std::vector<uint8_t> bytes(saved.bytes().begin(), saved.bytes().end());
    for (int64_t n = 1 + random.below(3); n > 0; --n)
      bytes[static_cast<size_t>(random.below(bytes.size()))] = static_cast<uint8_t>(random.next());
    ByteReader in(bytes);
    Folder restored = Folder::restore(in);
    if (in.ok()) restored.finish();
  }
}

}  // namespace
}  // namespace refrain::fold
