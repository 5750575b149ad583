// Streams made to provoke as much work as possible. Work per event must stay below a constant, and the tree
// must be exact all the same.
#include <algorithm>
#include <bit>
#include <functional>

#include "base/test_rounds.hpp"
#include "fold/round_trip_test.hpp"

namespace refrain::fold {
namespace {

using acceptance::numbered;
using acceptance::Random;
using acceptance::Recording;

/// What the credit allows, what a single event may overdraw, and what closing loops may cost on top.
constexpr uint64_t work_per_event = 192;
constexpr uint64_t work_at_once = 1 << 19;

void call(Recording& r, int64_t which) {
  r.add(static_cast<uint32_t>(numbered + which), {static_cast<int64_t>(r.size()) % 17});
}

/// Loops in loops, each of which ends before its last iteration is complete.
Recording nested_almost_loops() {
  Recording r;
  std::function<void(int)> run = [&](int depth) {
    for (int64_t i = 0; i < 3; ++i) {
      call(r, depth);
      if (depth < 8) run(depth + 1);
      if (i < 2 || depth % 2) call(r, 10 + depth);
    }
  };
  for (int i = 0; i < test_rounds(8); ++i) run(0);
  return r;
}

/// A body whose last event is another one every time.
Recording deviating_at_the_end(int64_t body) {
  Recording r;
  Random random(3);
  for (int64_t i = 0; i < 60000 / body; ++i) {
    for (int64_t k = 0; k + 1 < body; ++k)
      call(r, static_cast<int64_t>(mix64(static_cast<uint64_t>(k)) % 12));
    call(r, 12 + random.below(12));
  }
  return r;
}

Recording fibonacci() {
  Recording r;
  std::vector<char> a{0}, b{0, 1};
  while (b.size() < 50000) {
    std::vector<char> c = b;
    c.insert(c.end(), a.begin(), a.end());
    a = std::move(b);
    b = std::move(c);
  }
  for (char x : b) call(r, x);
  return r;
}

Recording thue_morse() {
  Recording r;
  for (uint64_t i = 0; i < 1 << 15; ++i) call(r, std::popcount(i) % 2);
  return r;
}

/// Every word of 12 bits once: a shift register with feedback.
Recording de_bruijn() {
  Recording r;
  constexpr uint32_t states = 1 << 12;
  std::vector<char> seen(states, 0);
  uint32_t state = 0;
  for (int round = 0; round < 8; ++round) {
    std::fill(seen.begin(), seen.end(), 0);
    for (uint32_t i = 0; i < states; ++i) {  // prefer one
      uint32_t next = (state * 2 + 1) % states;
      if (seen[next]) next = state * 2 % states;
      seen[next] = 1;
      state = next;
      call(r, state % 2);
    }
  }
  return r;
}

/// A body of many optional loops, then events that make the folder look past all of them.
Recording many_optional_loops() {
  Recording r;
  Random random(4);
  for (int64_t i = 0; i < 200; ++i)
    for (int64_t k = 0; k < 22; ++k)
      for (int64_t n = random.below(3); n > 0; --n) call(r, k);
  for (int64_t i = 0; i < 30000; ++i) call(r, random.below(2) ? 21 : 0);
  return r;
}

/// Two bodies that agree in all but one place, in random order.
Recording near_twins() {
  Recording r;
  Random random(6);
  for (int64_t i = 0; i < 800; ++i) {
    int64_t odd = random.below(60);
    for (int64_t k = 0; k < 60; ++k)
      call(r, k == odd ? 23 : static_cast<int64_t>(mix64(static_cast<uint64_t>(k)) % 20));
  }
  return r;
}

/// Few functions in an order without any rule: loops form everywhere by chance, and each could absorb what
/// follows it as one more irregular iteration, with a longer body each time.
Recording few_functions() {
  Recording r;
  Random random(1);
  for (int64_t i = 0; i < 60000; ++i) call(r, random.below(6));
  return r;
}

/// A long body between brackets, of which the recording starts in the middle.
Recording rotated() {
  Recording r;
  for (int64_t i = 0; i < 20; ++i) {
    for (int64_t k = i == 0 ? 1000 : 0; k < 3000; ++k) {
      if (k == 0) r.add(acceptance::file_open, {i});
      call(r, static_cast<int64_t>(mix64(static_cast<uint64_t>(k)) % 20));
    }
    r.add(acceptance::file_close, {i});
  }
  return r;
}

struct Adversary {
  const char* name;
  std::function<Recording()> make;
};

class Adversaries : public testing::TestWithParam<Adversary> {};

TEST_P(Adversaries, CostAtMostAConstantPerEvent) {
  Recording r = GetParam().make();
  uint64_t work = 0;
  Tree tree = fold_all(r, {}, &work);
  expect_exact(tree, r);
  EXPECT_LE(work, work_at_once + work_per_event * r.size());
}

INSTANTIATE_TEST_SUITE_P(
    Streams, Adversaries,
    testing::Values(Adversary{"nested", nested_almost_loops}, Adversary{"few", few_functions},
                    Adversary{"ends20", [] { return deviating_at_the_end(20); }},
                    Adversary{"ends1000", [] { return deviating_at_the_end(1000); }},
                    Adversary{"fibonacci", fibonacci}, Adversary{"thue_morse", thue_morse},
                    Adversary{"de_bruijn", de_bruijn}, Adversary{"optional", many_optional_loops},
                    Adversary{"twins", near_twins}, Adversary{"rotated", rotated}),
    [](const auto& adversary) { return std::string(adversary.param.name); });

TEST(Adversary, BodiesBeginWhereTheyOpen) {
  Recording r = rotated();
  Tree tree = fold_all(r);
  ASSERT_FALSE(tree.empty());
  EXPECT_EQ(tree.back().kind, trace::NodeKind::loop);
  EXPECT_EQ(tree.back().count.base, 19);
  EXPECT_EQ(tree.back().body.front().signature, acceptance::file_open);
}

/// Pure noise must not cost much more than the events themselves.
TEST(Adversary, NoiseIsStoredAtItsOwnSize) {
  for (size_t events : {1u, 10u, 100u, 1000u, 20000u}) {
    Recording r = acceptance::pure_noise(events);
    size_t flat = 0;
    for (size_t i = 0; i < r.size(); ++i)
      flat += 1 + varint_size(r.calls[i]) + varint_size(zigzag(r.parameters[i]));
    EXPECT_LE(encoded(fold_all(r)).size(), flat + flat / 4 + 64) << events;
  }
}

}  // namespace
}  // namespace refrain::fold
