// Programs of random structure are merged exactly, in whatever order.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/hash.hpp"
#include "base/test_rounds.hpp"
#include "merge/finish.hpp"
#include "merge/merge_ranks.hpp"
#include "merge/merged_calls.hpp"

namespace refrain::merge {
namespace {

/// A program of random structure that depends on the rank in random ways.
class RandomProgram {
 public:
  RandomProgram(uint64_t seed, int64_t ranks) : ranks_(ranks) {
    std::mt19937_64 random(seed);
    top_ = block(random, 0);
  }

  Calls calls(int64_t rank) const {
    Calls c;
    uint64_t noise = static_cast<uint64_t>(rank) * 77 + 1;
    run(top_, rank, 0, c, noise);
    return c;
  }

 private:
  struct Statement {
    int kind;  ///< 0 call, 1 loop, 2 only some ranks, 3 sometimes
    uint32_t function = 0;
    int64_t a = 0, b = 0, c = 0, pattern = 0;
    std::vector<Statement> body{};
  };

  std::vector<Statement> block(std::mt19937_64& random, int depth) {
    std::vector<Statement> list;
    auto below = [&](uint64_t n) { return static_cast<int64_t>(random() % n); };
    for (int64_t n = 1 + below(4); n > 0; --n) {
      Statement s{.kind = depth < 3 && below(2) ? 1 + static_cast<int>(below(3)) : 0};
      s.function = random() % 2 ? uint32_t{spmd::pwrite}
                                : uint32_t{spmd::open_numbered} + static_cast<uint32_t>(random() % 7);
      s.a = below(1000), s.b = below(100), s.c = below(10), s.pattern = below(6);
      if (s.kind != 0) s.body = block(random, depth + 1);
      list.push_back(std::move(s));
    }
    return list;
  }

  int64_t value(const Statement& s, int64_t rank, int64_t i, int64_t k, uint64_t& noise) const {
    switch (s.pattern) {
      case 0:
        return s.a;
      case 1:
        return s.a * rank + s.b * i + k;
      case 2:
        return rank % (s.c + 1) * s.a + i * i * s.b;
      case 3:
        return (rank ^ s.c) + i * s.a;
      case 4:
        return static_cast<int64_t>((noise = mix64(noise)) % 7) * s.a;
      default:
        return rank < s.c ? i * s.b : i * s.a + rank;
    }
  }

  void run(const std::vector<Statement>& list, int64_t rank, int64_t i, Calls& c, uint64_t& noise) const {
    for (const Statement& s : list) {
      if (s.kind == 0) {
        spmd::Call& call = c.emplace_back(spmd::Call{s.function, {}});
        for (uint32_t k = 0; k < spmd::prototypes()[s.function].parameters; ++k)
          call.values.push_back(value(s, rank, i, k, noise));
        continue;
      }
      int64_t trips = s.kind == 1   ? (s.pattern < 3 ? s.c : rank % (s.c + 1))
                      : s.kind == 2 ? (s.pattern < 3 ? rank % (s.c + 1) == 0 : rank * s.c < ranks_)
                                    : static_cast<int64_t>(mix64(noise += 3) % 2);
      for (int64_t k = 0; k < trips; ++k) run(s.body, rank, s.kind == 1 ? k : i, c, noise);
    }
  }

  int64_t ranks_;
  std::vector<Statement> top_;
};

TEST(MergeRanks, RandomProgramsAreExact) {
  for (int seed = 0; seed < test_rounds(150); ++seed) {
    int64_t ranks = 2 + static_cast<int64_t>(mix64(seed) % 23);
    RandomProgram program(seed, ranks);
    std::vector<Trace> parts;
    for (int64_t r = 0; r < ranks; ++r) parts.push_back(spmd::trace_of(program.calls(r), {r, ranks}));
    Options options{.align = seed % 2 ? Options::Align::greedy : Options::Align::best};
    std::vector<Trace> copies = parts;
    Trace whole = merge_ranks(std::move(parts), options);
    ASSERT_EQ(whole.processes.size(), 1u);
    expect_readable(whole);
    for (int64_t r = 0; r < ranks; ++r)
      ASSERT_TRUE(same_calls(calls_of(copies[static_cast<size_t>(r)].processes[0],
                                      copies[static_cast<size_t>(r)], static_cast<uint32_t>(r)),
                             program.calls(r)))
          << "folding, seed " << seed << " rank " << r << text_of(copies[static_cast<size_t>(r)]);
    for (int64_t r = 0; r < ranks; ++r)
      ASSERT_TRUE(same_calls(calls_of(whole.processes[0], whole, static_cast<uint32_t>(r)), program.calls(r)))
          << "seed " << seed << " rank " << r << "\n"
          << text_of(whole);
  }
}

TEST(MergeRanks, AnyOrderOfMergingIsExact) {
  std::mt19937 random(3);
  for (int seed = 1000; seed < 1000 + test_rounds(60); ++seed) {
    int64_t ranks = 2 + static_cast<int64_t>(mix64(seed) % 12);
    RandomProgram program(seed, ranks);
    std::vector<Trace> parts;
    for (int64_t r = 0; r < ranks; ++r) parts.push_back(spmd::trace_of(program.calls(r), {r, ranks}));
    std::shuffle(parts.begin(), parts.end(), random);
    while (parts.size() > 1) {
      Trace last = std::move(parts.back());
      parts.pop_back();
      Trace& other = parts[random() % parts.size()];
      other = merge_two(std::move(other), std::move(last));
      if (random() % 4 == 0) finish(other);
    }
    expect_readable(parts[0]);
    for (int64_t r = 0; r < ranks; ++r)
      ASSERT_TRUE(
          same_calls(calls_of(parts[0].processes[0], parts[0], static_cast<uint32_t>(r)), program.calls(r)))
          << "seed " << seed << " rank " << r;
  }
}

}  // namespace
}  // namespace refrain::merge
