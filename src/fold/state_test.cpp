#include <algorithm>

#include "base/test_rounds.hpp"
#include "fold/program_test.hpp"
#include "fold/round_trip_test.hpp"

namespace refrain::fold {
namespace {

using acceptance::Recording;

std::vector<uint8_t> saved(const Folder& folder) {
  ByteWriter w;
  folder.save(w);
  return w.take();
}

/// Folds with a stop at each of `stops`: saved, restored, gone on.
Tree fold_with_stops(const Recording& r, const std::vector<size_t>& stops) {
  Folder folder;
  acceptance::declare_all(folder);
  const int64_t* at = r.parameters.data();
  size_t from = 0;
  for (size_t stop : stops) {
    at = acceptance::feed(folder, r, from, stop, at);
    from = stop;
    std::vector<uint8_t> bytes = saved(folder);
    ByteReader in(bytes);
    Folder restored = Folder::restore(in);
    EXPECT_TRUE(in.ok()) << in.reason();
    EXPECT_EQ(in.left(), 0u);
    EXPECT_EQ(restored.events(), stop);
    EXPECT_EQ(saved(restored), bytes);
    folder = std::move(restored);
  }
  acceptance::feed(folder, r, from, r.size(), at);
  return folder.finish();
}

std::vector<size_t> random_stops(uint64_t seed, size_t events, size_t n) {
  acceptance::Random random(seed);
  std::vector<size_t> stops;
  for (size_t i = 0; i < n; ++i) stops.push_back(static_cast<size_t>(random.below(events)));
  std::sort(stops.begin(), stops.end());
  return stops;
}

void expect_unchanged_by_stops(const Recording& r, uint64_t seed, size_t stops) {
  EXPECT_EQ(encoded_with_times(fold_with_stops(r, random_stops(seed, r.size(), stops))),
            encoded_with_times(fold_all(r)));
}

TEST(State, GoingOnFromASavedStateGivesTheSameTree) {
  for (const acceptance::Named& stream : acceptance::all) {
    SCOPED_TRACE(stream.name);
    expect_unchanged_by_stops(stream.make(), 5, test_rounds(2u));
  }
}

TEST(State, RandomProgramsToo) {
  for (int seed = 1; seed <= test_rounds(60); ++seed) {
    SCOPED_TRACE(seed);
    Recording r = RandomProgram(seed).run(2000);
    if (r.size() > 0) expect_unchanged_by_stops(r, seed, 6);
    if (testing::Test::HasFailure()) return;
  }
}

/// Feeds a folder restored from damaged bytes; whatever it holds, it must not misbehave.
void exercise(std::span<const uint8_t> bytes) {
  ByteReader in(bytes);
  Folder folder = Folder::restore(in);
  if (!in.ok()) {
    EXPECT_EQ(folder.events(), 0u);
    return;
  }
  acceptance::declare_all(folder);
  Recording r = acceptance::pure_noise(50);
  for (int64_t i = 0; i < 20; ++i) r.add(acceptance::pread, {3, i, 1});
  acceptance::feed(folder, r, 0, r.size(), r.parameters.data());
  folder.memory();
  folder.finish();
}

TEST(State, DamagedStatesAreRefusedOrHarmless) {
  acceptance::Random random(9);
  for (int seed = 1; seed <= test_rounds(40); ++seed) {
    Recording r = RandomProgram(seed).run(400);
    Folder folder;
    acceptance::declare_all(folder);
    acceptance::feed(folder, r, 0, r.size(), r.parameters.data());
    std::vector<uint8_t> bytes = saved(folder);
    for (int attempt = 0; attempt < 100; ++attempt) {
      std::vector<uint8_t> damaged = bytes;
      for (int64_t n = 1 + random.below(3); n > 0; --n)
        damaged[static_cast<size_t>(random.below(damaged.size()))] =
            static_cast<uint8_t>(random.below(2) ? random.next() : random.next() % 6);
      exercise(damaged);
    }
    for (size_t cut = 0; cut < bytes.size(); cut += 1 + bytes.size() / 20) {
      ByteReader in(std::span<const uint8_t>(bytes).first(cut));
      Folder::restore(in);
      EXPECT_FALSE(in.ok());
    }
  }
}

}  // namespace
}  // namespace refrain::fold
