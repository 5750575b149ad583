// Programs with random laws, recorded at a few numbers of ranks: at every other number the extrapolated trace
// is right, or what may be wrong is in doubt there. Never is it wrong without a word.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "compare/compare.hpp"
#include "extrapolate/extrapolate.hpp"
#include "extrapolate/made_up_runs.hpp"
#include "scale/at_size.hpp"
#include "trace/factors.hpp"

namespace refrain::extrapolate {
namespace {

struct RandomLaw {
  int kind;
  int64_t a, b, total, group;
  int64_t dimensions, extent;

  int64_t operator()(int64_t r, int64_t p) const {
    int64_t m = trace::grid_extent(p, dimensions, extent);
    switch (kind) {
      case 0:
        return a * r + b;
      case 1:
        return a * p + b;
      case 2:
        return a * (r * (total / p) + std::min(r, total % p)) + b;
      case 3:
        return a * (total / p + (r < total % p ? 1 : 0));
      case 4:
        return a * (r % m) + b;
      case 5:
        return a * (r / m) + b;
      case 6:
        return a * m + b;
      case 7:
        return (r + a) % p;
      case 8:
        return a * (r % group) + b * (r / group);
      case 9:
        return a * (r * total / p);
      case 10:
        return a * trace::root_of(p, 2) + b * p;
      case 11:
        return r % group == 0 ? a : b;
      case 12:
        return r % m + 1 < m ? r + 1 : -1;
      default:
        return r == p - 1 ? total / p + total % p : total / p;
    }
  }
};

TEST(RandomLaws, are_found_or_in_doubt) {
  std::mt19937_64 random(11);
  auto below = [&](uint64_t n) { return static_cast<int64_t>(random() % n); };
  const std::vector<std::vector<uint32_t>> sets{
      {6, 16, 27, 32, 60}, {5, 8, 9, 24}, {4, 8, 16, 32}, {8, 16, 24, 32}};
  size_t right = 0, doubtful = 0, refused = 0;
  for (int round = 0; round < 56; ++round) {
    RandomLaw law{
        round % 14, 1 + below(4096), below(10000), 1000 + below(1000000), 2 + below(6), 2 + below(2), 0};
    law.extent = below(static_cast<uint64_t>(law.dimensions));
    Program program = [&](int64_t rank, int64_t nprocs) {
      return std::vector<trace::Node>{call(1, law(rank, nprocs))};
    };
    const std::vector<uint32_t>& sizes = sets[static_cast<size_t>(round / 14) % sets.size()];
    std::vector<trace::Trace> runs;
    for (uint32_t size : sizes) runs.push_back(run_of(program, size));
    auto free = extrapolate(runs);
    if (!free) {
      ++refused;
      continue;
    }
    for (uint32_t target : {12u, 40u, 64u, 100u}) {
      auto here = scale::at_size(*free, target);
      bool doubt = !here || !scale::doubts_at_size(*free, target).empty();
      auto compared = here ? compare::compare(*here, run_of(program, target)) : Result<compare::Comparison>{};
      bool same = here && compared && !compared->difference;
      EXPECT_TRUE(same || doubt) << "law " << law.kind << " a " << law.a << " b " << law.b << " total "
                                 << law.total << " group " << law.group << " dims " << law.dimensions << "["
                                 << law.extent << "] from " << sizes[0] << ".." << sizes.back() << " at "
                                 << target << ": "
                                 << (compared && compared->difference ? compared->difference->calls[0] : "");
      ++(same && !doubt ? right : doubtful);
    }
  }
  RecordProperty("right", static_cast<int>(right));
  EXPECT_GT(right, 2 * doubtful);
  EXPECT_LT(refused, 8u);
}

}  // namespace
}  // namespace refrain::extrapolate
