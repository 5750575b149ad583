// Random programs, folded as if their calls came from other places: call sites decide where loops are found,
// so the trees differ; the events don't. And one changed value is found where it is.
#include <gtest/gtest.h>

#include "compare/compare.hpp"
#include "fold/program_test.hpp"

namespace refrain::compare {
namespace {

using fold::acceptance::Random;
using fold::acceptance::Recording;

constexpr uint32_t functions = fold::acceptance::call_count;

/// Each function is called from `sites` places, one chosen at random for every call.
trace::Trace folded(const Recording& r, uint32_t sites, uint64_t seed) {
  trace::Trace t;
  Random random(seed);
  fold::Folder folder;
  for (uint32_t site = 0; site < sites; ++site)
    for (uint32_t f = 0; f < functions; ++f) {
      fold::Shape shape = fold::acceptance::shape_of(f);
      trace::Signature s{.function = "f" + std::to_string(f), .layer = "posix", .site = site};
      s.operands.resize(shape.parameters, {.kind = trace::OperandKind::integer});
      folder.declare(site * functions + f, shape);
      t.signatures.push_back(std::move(s));
    }
  const int64_t* parameters = r.parameters.data();
  for (uint32_t call : r.calls) {
    auto site = static_cast<uint32_t>(random.below(sites));
    folder.event(site * functions + call, parameters, {1, 1});
    parameters += fold::acceptance::shape_of(call).parameters;
  }
  t.processes.emplace_back().streams.push_back({.nodes = folder.finish()});
  return t;
}

TEST(CompareRandomPrograms, EqualWhateverTheCallSites) {
  uint64_t walked = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Recording r = fold::RandomProgram(seed).run(2000);
    trace::Trace a = folded(r, 1, seed), b = folded(r, 3, seed);
    for (const auto& [x, y] : {std::pair(&a, &b), std::pair(&b, &a)}) {
      auto result = compare(*x, *y);
      ASSERT_TRUE(result);
      EXPECT_FALSE(result->difference) << "seed " << seed << " event " << result->difference->event;
      walked += result->walked;
    }
  }
  EXPECT_GT(walked, 1000u);
}

TEST(CompareRandomPrograms, OneChangedValueIsFoundWhereItIs) {
  for (uint64_t seed = 0; seed < 120; ++seed) {
    Recording r = fold::RandomProgram(seed).run(2000);
    if (r.parameters.empty()) continue;
    trace::Trace a = folded(r, 1 + seed % 2, seed);
    Random random(seed);
    auto changed = static_cast<size_t>(random.below(r.parameters.size()));
    size_t event = 0, behind = 0;
    for (; behind + fold::acceptance::shape_of(r.calls[event]).parameters <= changed; ++event)
      behind += fold::acceptance::shape_of(r.calls[event]).parameters;
    r.parameters[changed] += 1 + random.below(3);
    auto result = compare(a, folded(r, 2, seed + 1));
    ASSERT_TRUE(result);
    ASSERT_TRUE(result->difference) << "seed " << seed;
    EXPECT_EQ(result->difference->event, event + 1) << "seed " << seed;
    EXPECT_EQ(result->difference->events[0], r.size());
    EXPECT_EQ(result->difference->mismatch.argument, changed - behind + 1);
  }
}

TEST(CompareRandomPrograms, AMissingCallIsFoundWhereItIs) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Recording r = fold::RandomProgram(seed).run(500);
    if (r.size() < 2) continue;
    trace::Trace a = folded(r, 2, seed);
    size_t last = r.size() - 1;
    r.parameters.resize(r.parameters.size() - fold::acceptance::shape_of(r.calls[last]).parameters);
    r.calls.pop_back();
    auto result = compare(a, folded(r, 1, seed));
    ASSERT_TRUE(result && result->difference);
    EXPECT_EQ(result->difference->kind, Difference::Kind::end);
    EXPECT_EQ(result->difference->event, last + 1);
  }
}

}  // namespace
}  // namespace refrain::compare
