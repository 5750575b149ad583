// Calls with lists of a length that depends on the number of ranks, extrapolated and compared with the same
// calls at other numbers of ranks, where lists are short, and where they are kept by number.
#include "extrapolate/list_arguments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "compare/compare.hpp"
#include "extrapolate/extrapolate.hpp"
#include "extrapolate/made_up_runs.hpp"
#include "format/file.hpp"
#include "merge/merge_ranks.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Node;
using trace::RankSet;

/// A run with a call that takes one list, different on each rank.
using ListOf = std::function<std::vector<int64_t>(int64_t rank, int64_t nprocs)>;
trace::Trace indexed_at(const ListOf& list_of, uint32_t nprocs) {
  std::vector<trace::Trace> parts;
  for (uint32_t rank = 0; rank < nprocs; ++rank) {
    trace::Trace& part = parts.emplace_back();
    part.nprocs = nprocs;
    std::vector<int64_t> list = list_of(rank, nprocs);
    bool is_long = list.size() > trace::Operand::max_width;
    trace::Signature& s = part.signatures.emplace_back();
    s.function = "indexed";
    s.operands = {is_long ? trace::Operand{.kind = trace::OperandKind::long_list}
                          : trace::Operand{.kind = trace::OperandKind::list,
                                           .width = static_cast<uint32_t>(list.size())},
                  trace::Operand{.kind = trace::OperandKind::integer}};
    Node node{};
    if (is_long) {
      part.lists.push_back(trace::Column::of(list));
      list = {0};
    }
    for (int64_t v : list) node.parameters.push_back(trace::Value::constant(v));
    node.parameters.push_back(trace::Value::constant(7 * rank));
    trace::Process& p = part.processes.emplace_back();
    p.ranks = RankSet::range(rank, 1);
    p.ending = trace::Ending::exited;
    p.streams.emplace_back().nodes = {node};
  }
  return merge::merge_ranks(std::move(parts));
}

bool lists_hold(const ListOf& list_of) {
  std::vector<trace::Trace> runs;
  for (uint32_t n : {6u, 16u, 27u, 32u}) runs.push_back(indexed_at(list_of, n));
  auto free = extrapolate(runs);
  EXPECT_TRUE(free) << free.error().text();
  if (!free) return false;
  for (uint32_t n : {60u, 100u}) {
    auto here = scale::at_size(*free, n);
    EXPECT_TRUE(here) << here.error().text();
    if (!here) return false;
    auto compared = compare::compare(*here, indexed_at(list_of, n));
    EXPECT_TRUE(compared && !compared->difference) << n;
    if (!compared || compared->difference) return false;
  }
  return true;
}

/// `of(k)` for k below `length`.
template <class Of>
std::vector<int64_t> listed(int64_t length, Of of) {
  std::vector<int64_t> list;
  for (int64_t k = 0; k < length; ++k) list.push_back(of(k));
  return list;
}

TEST(ListArguments, one_element_per_rank) {
  EXPECT_TRUE(lists_hold([](int64_t, int64_t n) { return listed(n, [](int64_t k) { return 8 * k; }); }));
  EXPECT_TRUE(lists_hold([](int64_t, int64_t n) { return listed(n - 1, [](int64_t) { return 4; }); }));
  EXPECT_TRUE(lists_hold(
      [](int64_t r, int64_t n) { return listed(n, [&](int64_t k) { return (k * n + r) * 512; }); }));
}

TEST(ListArguments, elements_share_a_total) {
  EXPECT_TRUE(lists_hold([](int64_t, int64_t n) {
    return listed(n, [&](int64_t k) { return k * (10007 / n) + std::min(k, 10007 % n); });
  }));
}

TEST(ListArguments, lists_begin_elsewhere_on_each_rank) {
  EXPECT_TRUE(lists_hold(
      [](int64_t r, int64_t n) { return listed(n, [&](int64_t k) { return (r + k) % n * 64; }); }));
  EXPECT_TRUE(lists_hold(
      [](int64_t r, int64_t n) { return listed(n, [&](int64_t k) { return r * 5000 + k * (k + 1) / 2; }); }));
}

TEST(ListArguments, lengths_depend_on_the_rank) {
  EXPECT_TRUE(lists_hold([](int64_t r, int64_t n) {
    return listed(1000 / n + (r < 1000 % n ? 1 : 0), [&](int64_t k) { return (k * n + r) * 16; });
  }));
}

TEST(ListArguments, coordinates_of_points) {
  EXPECT_TRUE(lists_hold([](int64_t r, int64_t n) {
    return listed(2 * n, [&](int64_t k) { return k % 2 == 0 ? r : k / 2 * 3; });
  }));
}

/// A call that takes a list and its names, the same on all ranks.
trace::Trace named_at(const std::function<std::string(int64_t)>& names_of, uint32_t nprocs) {
  trace::Trace run;
  run.nprocs = nprocs;
  trace::Signature& s = run.signatures.emplace_back();
  s.function = "structured";
  s.operands = {{.kind = trace::OperandKind::list, .width = nprocs},
                {.kind = trace::OperandKind::name, .text = names_of(nprocs)}};
  trace::Process& p = run.processes.emplace_back();
  p.ranks = RankSet::range(0, nprocs);
  p.ending = trace::Ending::exited;
  Node node{.parameters = std::vector<trace::Value>(nprocs, trace::Value::constant(4))};
  p.streams.emplace_back().nodes = {node};
  return run;
}

TEST(ListArguments, one_name_per_rank) {
  auto names = [](int64_t n) { return "[MPI_INT, " + std::to_string(n - 3) + " x MPI_DOUBLE, 2 x mpitype]"; };
  std::vector<trace::Trace> runs;
  for (uint32_t n : {6u, 16u, 27u, 32u}) runs.push_back(named_at(names, n));
  auto free = extrapolate(runs);
  ASSERT_TRUE(free) << free.error().text();
  EXPECT_TRUE(format::decode(format::encode(*free)));
  for (uint32_t n : {5u, 60u}) {
    auto here = scale::at_size(*free, n);
    ASSERT_TRUE(here) << here.error().text();
    auto compared = compare::compare(*here, named_at(names, n));
    EXPECT_TRUE(compared && !compared->difference) << n;
  }
  // One name less where only one is left.
  auto here = scale::at_size(*free, 4);
  ASSERT_TRUE(here);
  auto alone = [](int64_t) { return std::string("[MPI_INT, MPI_DOUBLE, 2 x mpitype]"); };
  auto compared = compare::compare(*here, named_at(alone, 4));
  EXPECT_TRUE(compared && !compared->difference);
}

TEST(ListArguments, names_without_a_law_are_refused) {
  std::vector<trace::Trace> runs;
  for (uint32_t n : {6u, 16u, 27u, 32u})
    runs.push_back(
        named_at([](int64_t p) { return "[" + std::to_string(p * p * 7919 % 101 + 1) + " x MPI_INT]"; }, n));
  auto free = extrapolate(runs);
  ASSERT_FALSE(free);
  EXPECT_NE(free.error().text().find("structured, arg2[0]: no law for"), std::string::npos)
      << free.error().text();
}

TEST(ListArguments, what_has_no_law_is_refused_by_name) {
  std::vector<trace::Trace> runs;
  for (uint32_t n : {6u, 16u, 27u, 32u})
    runs.push_back(indexed_at(
        [](int64_t r, int64_t p) {
          return listed(p, [&](int64_t k) { return (k * 7919 + r * p * 31) % 1009; });
        },
        n));
  auto free = extrapolate(runs);
  ASSERT_FALSE(free);
  EXPECT_NE(free.error().text().find("indexed, arg1: no law for lists whose length depends"),
            std::string::npos)
      << free.error().text();
}

/// What the first rank writes for each rank, which folds to other forms in small runs.
TEST(ListsInLoops, have_one_law_whatever_their_forms) {
  auto program = [](int64_t r, int64_t p) {
    if (r > 0) return std::vector<Node>{};
    auto list = listed(p, [&](int64_t k) { return 5003 / p + (k < 5003 % p ? 1 : 0); });
    trace::Value sizes{.form = p < 10 ? trace::Form::separable : trace::Form::column,
                       .column = std::make_shared<const trace::Column>(trace::Column::of(list))};
    return std::vector<Node>{loop(p, {transfer(sizes, trace::Value::constant(0))})};
  };
  std::vector<trace::Trace> runs;
  for (uint32_t n : {6u, 16u, 27u, 32u}) runs.push_back(run_of(program, n));
  auto free = extrapolate(runs, {.times = false});
  ASSERT_TRUE(free) << free.error().text();
  for (uint32_t n : {14u, 60u}) {
    EXPECT_TRUE(scale::doubts_at_size(*free, n).empty());
    auto here = scale::at_size(*free, n);
    ASSERT_TRUE(here) << here.error().text();
    auto compared = compare::compare(*here, run_of(program, n));
    EXPECT_TRUE(compared && !compared->difference) << n;
  }
}

TEST(ListsInLoops, whose_form_is_not_known_are_in_doubt) {
  // The only small run tells by itself which form it has; there may be others between it and the next.
  auto program = [](int64_t r, int64_t p) {
    if (r > 0) return std::vector<Node>{};
    trace::Value counted{.form = trace::Form::counter, .base = 100, .step = 8};
    trace::Value listed_ones{.form = trace::Form::separable,
                             .depth = 1,
                             .column = std::make_shared<const trace::Column>(trace::Column::of({7, 9, 4}))};
    const trace::Value& offset = p < 10 ? listed_ones : counted;
    return std::vector<Node>{loop(3, {loop(p % 5 + 2, {transfer(trace::Value::constant(8), offset)})})};
  };
  std::vector<trace::Trace> runs;
  for (uint32_t n : {6u, 16u, 27u, 32u}) runs.push_back(run_of(program, n));
  auto free = extrapolate(runs, {.times = false});
  ASSERT_TRUE(free) << free.error().text();
  for (uint32_t n = 7; n < 16; ++n) EXPECT_FALSE(scale::doubts_at_size(*free, n).empty()) << n;
  EXPECT_TRUE(std::any_of(free->doubts.begin(), free->doubts.end(), [](const trace::Doubt& d) {
    return d.reason.find("none of the forms") != std::string::npos;
  }));
}

}  // namespace
}  // namespace refrain::extrapolate
