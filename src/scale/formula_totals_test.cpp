// Totals in P, against those of the trace at numbers of ranks.
#include "scale/formula_totals.hpp"

#include <gtest/gtest.h>

#include "measure/summary.hpp"
#include "scale/at_size.hpp"
#include "trace/sample.hpp"

namespace refrain::scale {

using namespace trace;

namespace {

using E = RankExpression;

TEST(FormulaTotals, agree_with_those_at_numbers_of_ranks) {
  Trace t = sample::scale_free();
  FormulaTotals totals = formula_totals(t);
  ASSERT_EQ(totals.functions.size(), 3u);
  EXPECT_EQ(totals.functions[1].calls.text(), "1024/P*P");
  EXPECT_EQ(totals.functions[2].calls.text(), "(P+15)/16");
  EXPECT_GE(totals.laws, 4u);
  for (uint32_t n : {1u, 7u, 16u, 17u, 1000u}) {
    auto plain = at_size(t, n);
    ASSERT_TRUE(plain);
    measure::Summary summary = measure::summarize(*plain);
    for (size_t i = 0; i < summary.outer.functions.size(); ++i) {
      EXPECT_TRUE(totals.functions[i].calls.is_exact());
      EXPECT_EQ(totals.functions[i].calls.at(n), static_cast<int64_t>(summary.outer.functions[i].calls)) << n;
    }
  }
}

TEST(FormulaTotals, say_where_they_are_not_formulas) {
  Trace t = sample::scale_free();
  std::vector<Node>& nodes = t.processes[0].streams[0].nodes;
  nodes.push_back(Node{.ranks = RankSet::where(E::equal(E::rank() % 3, E::constant(2))), .signature = 1});
  nodes.push_back(
      Node{.kind = NodeKind::loop, .count = {.base = Number(E::rank())}, .body = {nodes[0].body[0]}});
  FormulaTotals totals = formula_totals(t);
  EXPECT_EQ(totals.functions[1].calls.text(), "1024/P*P + more");
  EXPECT_EQ(totals.functions[2].calls.text(), "(P+15)/16 + more");
}

TEST(FormulaTotals, terms_add_up) {
  Formula f;
  E p = E::nprocs();
  f.add(p);
  f.add(E::constant(3) * p);
  f.add(E::constant(5));
  f.add(E::constant(2));
  EXPECT_EQ(f.text(), "P*4 + 7");
  EXPECT_EQ(f.at(10), 47);
  EXPECT_EQ(Formula().text(), "0");
}

}  // namespace
}  // namespace refrain::scale
