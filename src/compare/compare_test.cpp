// Every kind of difference is found and named; what doesn't count is not; equal structure is not run.
#include "compare/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "trace/at_rank.hpp"
#include "trace/sample.hpp"

namespace refrain::compare {
namespace {

using trace::Node;
using trace::NodeKind;
using trace::OperandKind;
using trace::Process;
using trace::Signature;
using trace::Trace;
using trace::sample::affine;
using trace::sample::column;
using trace::sample::event;
using trace::sample::loop;
using trace::sample::number;
using Kind = Difference::Kind;

enum Calls : uint32_t { openat_call, read_call, write_call, open_call, pwrite_call, close_call, stat_call };
constexpr uint32_t writev_call = 8, readlist_call = 9;

Comparison compared(const Trace& a, const Trace& b, const Options& options = {}) {
  auto result = compare(a, b, options);
  EXPECT_TRUE(result) << result.error().text();
  return result ? *result : Comparison{};
}

Difference difference(const Trace& a, const Trace& b, const Options& options = {}) {
  auto found = compared(a, b, options).difference;
  EXPECT_TRUE(found);
  return found.value_or(Difference{});
}

bool equal(const Trace& a, const Trace& b, const Options& options = {}) {
  return !compared(a, b, options).difference;
}

Trace of(std::vector<Node> nodes) {
  Trace t = trace::sample::copy();
  t.lists = {trace::Column::of({1, 2, 3}), trace::Column::of({1, 2, 4}), trace::Column::of({1, 2, 3, 4})};
  t.processes[0].streams[0].nodes = std::move(nodes);
  return t;
}

Node write(int64_t size) { return event(write_call, {number(0), number(size), number(size)}); }
Node pwrite(trace::Value offset) { return event(pwrite_call, {number(0), number(8), offset, number(8)}); }

std::vector<Node>& nodes(Trace& t) { return t.processes[0].streams[0].nodes; }

TEST(Compare, ATraceEqualsItself) {
  for (const Trace& t : {trace::sample::copy(), trace::sample::everything()})
    for (bool layers : {false, true}) {
      Comparison c = compared(t, t, {.layers = layers});
      EXPECT_FALSE(c.difference);
      EXPECT_EQ(c.walked, 0u);
      EXPECT_GE(c.pairs, t.processes.size());
    }
}

TEST(Compare, TimesSitesAndTablesDontCount) {
  Trace a = trace::sample::copy(), b = a;
  for (Signature& s : b.signatures) s.site = 7, s.bracket = trace::Bracket::neither;
  b.processes[0].pid = 1;
  b.host = "elsewhere";
  nodes(b)[0].timing.gap.add(12345);
  std::swap(b.templates[0], b.templates[1]);
  nodes(b)[0].parameters[0] = number(1);
  nodes(b)[1].parameters[0] = number(0);
  Comparison c = compared(a, b);
  EXPECT_FALSE(c.difference);
  EXPECT_EQ(c.walked, 0u);
}

TEST(Compare, WhereLoopsWereFoundDoesntCount) {
  Trace a = of({loop(number(3), {write(8)}), loop(number(4), {pwrite(affine(0, {8}))})});
  Trace b = of({write(8), loop(number(2), {write(8)}), pwrite(number(0)), pwrite(number(8)),
                loop(number(2), {pwrite(affine(16, {8}))})});
  EXPECT_TRUE(equal(a, b));
  EXPECT_TRUE(equal(b, a));
  Trace c = of({loop(number(3), {write(8)}), loop(number(4), {pwrite(column({0, 8, 16, 24}))})});
  EXPECT_TRUE(equal(a, c));
}

TEST(Compare, EqualLoopsAreNotRunAmidUnequalOnes) {
  Node huge = loop(number(1'000'000'000'000), {pwrite(affine(0, {8}))});
  Trace a = of({loop(number(2), {write(8)}), huge, write(1)});
  Trace b = of({write(8), write(8), huge, write(2)});
  Comparison c = compared(a, b);
  ASSERT_TRUE(c.difference);
  EXPECT_EQ(c.walked, 3u);
  EXPECT_EQ(c.difference->event, 1'000'000'000'003u);
  EXPECT_EQ(c.difference->events[0], 1'000'000'000'003u);
}

TEST(Compare, NamesTheFunction) {
  Node read = event(read_call, {number(0), number(8), number(8)});
  Difference d = difference(of({write(8), write(8)}), of({write(8), read}));
  EXPECT_EQ(d.kind, Kind::event);
  EXPECT_EQ(d.mismatch.kind, Mismatch::Kind::function);
  EXPECT_EQ(d.event, 2u);
  EXPECT_EQ(d.events[1], 2u);
  EXPECT_EQ(d.functions[0], "write");
  EXPECT_EQ(d.functions[1], "read");
  EXPECT_EQ(d.calls[1], "read(fd0, data, 8) -> 8");
}

TEST(Compare, NamesTheArgumentAndTheIteration) {
  Difference d = difference(of({loop(number(5), {loop(number(4), {pwrite(affine(0, {32, 8}))})})}),
                            of({loop(number(5), {loop(number(4), {pwrite(affine(0, {40, 8}))})})}));
  EXPECT_EQ(d.mismatch.kind, Mismatch::Kind::argument);
  EXPECT_EQ(d.mismatch.argument, 4u);
  EXPECT_EQ(d.mismatch.meaning, "offset");
  EXPECT_EQ(d.mismatch.values[0], "32");
  EXPECT_EQ(d.mismatch.values[1], "40");
  EXPECT_EQ(d.event, 5u);
  EXPECT_EQ(d.events[0], 20u);
  EXPECT_EQ(d.indices[0], (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(d.calls[0], "pwrite(fd0, data, 8, 32) -> 8");
}

TEST(Compare, NamesSlots) {
  Difference d = difference(of({event(close_call, {number(0), number(0)})}),
                            of({event(close_call, {number(3), number(0)})}));
  EXPECT_EQ(d.mismatch.meaning, "fd");
  EXPECT_EQ(d.mismatch.values[1], "fd3");
}

TEST(Compare, NamesTheResult) {
  Node short_write = write(8);
  short_write.parameters[2] = number(5);
  Difference d = difference(of({write(8)}), of({short_write}));
  EXPECT_EQ(d.mismatch.kind, Mismatch::Kind::result);
  EXPECT_EQ(d.mismatch.values[0], "8");
  EXPECT_EQ(d.mismatch.values[1], "5");
}

TEST(Compare, WhatIsChanceDoesntCountIfItIsNamed) {
  Node opened = event(open_call, {number(1), number(7), number(0)});
  Node written = event(write_call, {number(0), number(8), number(8)});
  Node closed = event(close_call, {number(0), number(0)});
  Node asked = event(stat_call, {number(3)});
  Trace won = of({asked, opened, written, closed, write(16)}), lost = of({opened, asked, asked, write(16)});
  lost.signatures[open_call].error = "EEXIST";
  EXPECT_FALSE(equal(won, lost));
  trace::Races races{{open_call, trace::Race::outcome}, {stat_call, trace::Race::attempt}};
  EXPECT_TRUE(equal(won, lost, {.races = {races, races}}));
  EXPECT_TRUE(equal(lost, won, {.races = {races, races}}));
  nodes(lost).push_back(write(1));
  EXPECT_FALSE(equal(won, lost, {.races = {races, races}}));
}

TEST(Compare, NamesTheError) {
  Trace a = of({event(stat_call, {number(3)})}), b = a;
  b.signatures[stat_call].error = "EACCES";
  Difference d = difference(a, b);
  EXPECT_EQ(d.mismatch.kind, Mismatch::Kind::result);
  EXPECT_EQ(d.mismatch.values[0], "ENOENT");
  EXPECT_EQ(d.mismatch.values[1], "EACCES");
  b.signatures[stat_call].error = "";
  EXPECT_EQ(difference(a, b).mismatch.values[1], "nothing");
}

TEST(Compare, NamesFlags) {
  Trace a = of({event(openat_call, {number(0), number(0)})}), b = a;
  b.signatures[openat_call].operands[2].text = "O_RDWR";
  Difference d = difference(a, b);
  EXPECT_EQ(d.mismatch.argument, 3u);
  EXPECT_EQ(d.mismatch.values[1], "O_RDWR");
  b = a;
  b.signatures[openat_call].operands.pop_back();
  EXPECT_EQ(difference(a, b).mismatch.kind, Mismatch::Kind::number_of_arguments);
}

TEST(Compare, NamesStrings) {
  Trace a = of({loop(number(3), {event(open_call, {number(2), affine(0, {1}), number(0)})})}), b = a;
  b.templates[2].literals[1] = ".bin";
  Difference d = difference(a, b);
  EXPECT_EQ(d.mismatch.argument, 1u);
  EXPECT_EQ(d.mismatch.meaning, "path");
  EXPECT_EQ(d.mismatch.values[0], "\"out/part_00000.dat\"");
  EXPECT_EQ(d.mismatch.values[1], "\"out/part_00000.bin\"");
}

TEST(Compare, StringsCompareAsTheyRead) {
  Trace a = of({event(openat_call, {number(0), number(0)})}), b = a;
  a.templates = {{.literals = {"part_7"}, .widths = {}}};
  b.templates = {{.literals = {"part_", ""}, .widths = {0}}};
  b.signatures[openat_call].operands[1].width = 1;
  nodes(b)[0].parameters = {number(0), number(7), number(0)};
  EXPECT_TRUE(equal(a, b));
  nodes(b)[0].parameters[1] = number(8);
  EXPECT_EQ(difference(a, b).mismatch.values[1], "\"part_8\"");
}

TEST(Compare, NamesTheElementOfAList) {
  auto writev = [](int64_t second) {
    return event(writev_call, {number(0), number(1), number(second), number(3), number(6)});
  };
  Difference d = difference(of({writev(2)}), of({writev(9)}));
  EXPECT_EQ(d.mismatch.argument, 2u);
  EXPECT_EQ(d.mismatch.element, 2u);
  EXPECT_EQ(d.mismatch.values[1], "9");
  auto readlist = [](int64_t list) { return event(readlist_call, {number(0), number(list)}); };
  d = difference(of({readlist(0)}), of({readlist(1)}));
  EXPECT_EQ(d.mismatch.element, 3u);
  EXPECT_EQ(d.mismatch.values[0], "3");
  d = difference(of({readlist(0)}), of({readlist(2)}));
  EXPECT_FALSE(d.mismatch.element);
  EXPECT_EQ(d.mismatch.meaning, "length of the list");
  EXPECT_EQ(d.mismatch.values[1], "4");
}

TEST(Compare, LongListsCompareByTheirElements) {
  Trace a = of({event(readlist_call, {number(0), number(0)})}), b = a;
  std::swap(b.lists[0], b.lists[2]);
  EXPECT_FALSE(equal(a, b));
  nodes(b)[0].parameters[1] = number(2);
  EXPECT_TRUE(equal(a, b));
}

TEST(Compare, NamesMissingAndFurtherEvents) {
  Trace a = of({write(1), write(2)}), b = of({write(1)});
  Difference d = difference(a, b);
  EXPECT_EQ(d.kind, Kind::end);
  EXPECT_EQ(d.event, 2u);
  EXPECT_TRUE(d.present[0] && !d.present[1]);
  EXPECT_EQ(d.calls[0], "write(fd0, data, 2) -> 2");
  d = difference(b, a);
  EXPECT_TRUE(!d.present[0] && d.present[1]);
  EXPECT_EQ(d.events[0], 1u);
}

TEST(Compare, PairsThreadsByNumber) {
  Trace a = of({write(1)}), b = a;
  a.processes[0].streams.push_back({.thread = 2, .nodes = {write(2)}});
  b.processes[0].streams.insert(b.processes[0].streams.begin(), {.thread = 2, .nodes = {write(3)}});
  Difference d = difference(a, b);
  EXPECT_EQ(d.thread, 2u);
  EXPECT_EQ(d.mismatch.values[0], "2");
  b.processes[0].streams.erase(b.processes[0].streams.begin());
  d = difference(a, b);
  EXPECT_EQ(d.kind, Kind::thread);
  EXPECT_TRUE(d.present[0] && !d.present[1]);
  a.processes[0].streams.back().nodes.clear();
  EXPECT_TRUE(equal(a, b));
}

Trace ranks(uint32_t n, uint32_t odd_one) {
  Trace t = of({});
  t.nprocs = n;
  Process p = t.processes[0];
  t.processes.clear();
  for (uint32_t rank = 0; rank < n; ++rank) {
    p.ranks = trace::RankSet::of({rank});
    p.streams[0].nodes = {loop(number(1000), {pwrite(affine(rank == odd_one ? 1 : 0, {8}))})};
    t.processes.push_back(p);
  }
  return t;
}

TEST(Compare, PairsRanksByNumber) {
  Trace a = ranks(8, 99), b = ranks(8, 5);
  std::reverse(b.processes.begin(), b.processes.end());
  Difference d = difference(a, b);
  EXPECT_EQ(d.rank, 5u);
  EXPECT_EQ(d.process, 5u);
  EXPECT_EQ(d.event, 1u);
  b = ranks(8, 99);
  b.processes.erase(b.processes.begin() + 3);
  d = difference(a, b);
  EXPECT_EQ(d.kind, Kind::rank);
  EXPECT_EQ(d.rank, 3u);
  EXPECT_TRUE(d.present[0] && !d.present[1]);
}

TEST(Compare, SaysFirstThatTheNumberOfRanksDiffers) {
  Difference d = difference(ranks(4, 0), ranks(8, 1));
  EXPECT_EQ(d.kind, Kind::ranks);
  EXPECT_EQ(d.values[1], "8");
  Trace a = of({write(1)}), b = a;
  b.processes.push_back(b.processes[0]);
  d = difference(a, b);
  EXPECT_EQ(d.kind, Kind::processes);
  EXPECT_EQ(d.values[0], "1");
}

TEST(Compare, RanksThatRepeatEachOtherAreRunOnce) {
  Trace a = ranks(64, 99), b = a;
  for (Process& p : b.processes)
    p.streams[0].nodes = {pwrite(number(0)), loop(number(999), {pwrite(affine(8, {8}))})};
  Comparison c = compared(a, b);
  EXPECT_FALSE(c.difference);
  EXPECT_EQ(c.walked, 1000u);
  EXPECT_EQ(c.pairs, 64u);
}

/// One process for all ranks, each of which writes behind the one before and then elsewhere.
Trace merged(uint32_t n, std::vector<int64_t> elsewhere, int64_t trips = 1'000'000'000) {
  Trace t = of({});
  t.nprocs = n;
  t.processes[0].ranks = trace::RankSet::range(0, n);
  trace::Value block = affine(0, {8});
  block.base = trace::Number(trace::Column({{0, 4096, n, 0}}, {}));
  trace::Value other{.base = trace::Number(trace::Column::of(elsewhere))};
  Node first = write(1);
  first.ranks = trace::RankSet::of({0});
  nodes(t) = {first, loop(number(trips), {pwrite(block)}), pwrite(other)};
  return t;
}

TEST(Compare, MergedRanksAreComparedAtOnce) {
  Trace a = merged(4, {7, 1, 5, 3});
  Comparison c = compared(a, a);
  EXPECT_FALSE(c.difference);
  EXPECT_EQ(c.walked, 0u);
  EXPECT_EQ(c.pairs, 4u);
}

TEST(Compare, NamesTheRankOfAMergedProcess) {
  Difference d = difference(merged(4, {7, 1, 5, 3}), merged(4, {7, 1, 6, 3}));
  EXPECT_EQ(d.rank, 2u);
  EXPECT_EQ(d.event, 1'000'000'001u);
  EXPECT_EQ(d.mismatch.values[0], "5");
  EXPECT_EQ(d.mismatch.values[1], "6");
}

TEST(Compare, MergedOrNotDoesntCount) {
  Trace together = merged(4, {7, 1, 5, 3}, 100), apart = together;
  apart.processes.clear();
  for (uint32_t rank : {0, 1, 2, 3}) apart.processes.push_back(trace::at_rank(together.processes[0], rank));
  EXPECT_TRUE(equal(together, apart));
  EXPECT_TRUE(equal(apart, together));
  apart.processes[3].streams[0].nodes.pop_back();
  Difference d = difference(together, apart);
  EXPECT_EQ(d.rank, 3u);
  EXPECT_EQ(d.kind, Kind::end);
  EXPECT_EQ(d.event, 101u);
}

TEST(Compare, ProcessesWithoutCallsDontCount) {
  Trace a = merged(4, {7, 1, 5, 3}), b = a;
  a.processes.push_back({.ranks = trace::RankSet::range(0, 4), .program = "uname"});
  a.processes.push_back({.program = "true"});
  EXPECT_TRUE(equal(a, b));
  EXPECT_TRUE(equal(b, a));
  a.processes[1].loss.unknown = 1;
  EXPECT_FALSE(equal(a, b)) << "who knows what it did";
}

TEST(Compare, LayerStreamsOnRequest) {
  Trace a = of({write(1), write(2), write(3)}), b = a;
  a.processes[0].streams.push_back({.layer = "posix", .prefix = 2, .nodes = {write(9), write(3)}});
  b.processes[0].streams.push_back({.layer = "posix", .prefix = 1, .nodes = {write(2), write(9), write(3)}});
  EXPECT_TRUE(equal(a, b));
  EXPECT_TRUE(equal(a, b, {.layers = true}));
  b.processes[0].streams[1].nodes[1] = write(8);
  EXPECT_TRUE(equal(a, b));
  Difference d = difference(a, b, {.layers = true});
  EXPECT_EQ(d.layer, "posix");
  EXPECT_EQ(d.event, 3u);
  EXPECT_EQ(d.events[0], 4u);
  b.processes[0].streams[1] = a.processes[0].streams[1];
  b.processes[0].streams[1].nodes[0] = write(8);
  d = difference(a, b, {.layers = true});
  EXPECT_EQ(d.event, 3u);
  EXPECT_EQ(d.events[1], 4u);
  b.processes[0].streams.pop_back();
  d = difference(a, b, {.layers = true});
  EXPECT_EQ(d.event, 3u);
  EXPECT_EQ(d.mismatch.values[1], "3");
}

TEST(Compare, PathsEqualTheirImages) {
  Trace a = of({event(openat_call, {number(0), number(0)})}), b = a;
  auto set = [](Trace& t, const char* path) { t.templates[0] = {.literals = {path}, .widths = {}}; };
  set(a, "/scratch/../data/x"), set(b, "data/x");
  EXPECT_TRUE(equal(a, b));
  set(a, "/data/x");
  EXPECT_EQ(compared(a, b).walked, 0u);
  set(b, "/tmp/root/data/x");
  EXPECT_FALSE(equal(a, b));
  EXPECT_TRUE(equal(a, b, {.root = "/tmp/root"}));
  EXPECT_FALSE(equal(b, a, {.root = "/tmp/root"}));
  set(b, "data/x");
  a.signatures[openat_call].layer = b.signatures[openat_call].layer = "hdf5";
  EXPECT_FALSE(equal(a, b));
}

TEST(Compare, SaysWhichTraceLacksValues) {
  Trace a = of({loop(number(3), {pwrite(number(0))})});
  Trace b = of({loop(number(3), {pwrite(column({0, 0}))})});
  EXPECT_TRUE(equal(b, b));
  auto result = compare(a, b);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().where, "process 0 of the second trace");
}

TEST(Compare, CopiesAmongTheUppermostNodes) {
  trace::Value copied{.form = trace::Form::copy, .base = 4, .parameter = 2, .sibling = 0};
  Trace a = of({pwrite(number(10)), pwrite(copied)}), b = of({pwrite(number(10)), pwrite(number(14))});
  EXPECT_TRUE(equal(a, b));
  Trace c = of({pwrite(number(11)), pwrite(copied)});
  EXPECT_EQ(difference(a, c).event, 1u);
}

}  // namespace
}  // namespace refrain::compare
