// Whatever is merged, every rank keeps its calls, their order and every value.
#include "merge/merge_ranks.hpp"

#include <gtest/gtest.h>

#include "format/file.hpp"
#include "measure/summary.hpp"
#include "merge/finish.hpp"
#include "merge/merged_calls.hpp"
#include "merge/spmd_streams.hpp"
#include "trace/sample.hpp"

namespace refrain::merge {
namespace {

class SpmdPrograms : public testing::TestWithParam<spmd::Program> {};

TEST_P(SpmdPrograms, AreExactAndSmall) {
  constexpr int64_t ranks = 60;
  for (Options::Align how : {Options::Align::best, Options::Align::greedy}) {
    Trace whole = merge_ranks(spmd::traces_of(GetParam(), ranks), {.align = how});
    ASSERT_EQ(whole.processes.size(), 1u);
    EXPECT_EQ(whole.processes[0].ranks, RankSet::range(0, ranks));
    expect_readable(whole);
    for (int64_t r = 0; r < ranks; ++r)
      ASSERT_TRUE(same_calls(calls_of(whole.processes[0], whole, static_cast<uint32_t>(r)),
                             GetParam().calls({r, ranks})))
          << r;
    size_t nodes = count_nodes(whole.processes[0].streams[0].nodes);
    EXPECT_TRUE(how == Options::Align::greedy || nodes <= GetParam().nodes) << nodes << "\n"
                                                                            << text_of(whole);
  }
}

TEST_P(SpmdPrograms, GiveTheSameWhicheverWayTheyAreMerged) {
  constexpr int64_t ranks = 12;
  Trace at_once = merge_ranks(spmd::traces_of(GetParam(), ranks));
  std::vector<Trace> parts = spmd::traces_of(GetParam(), ranks);
  for (size_t step = 1; step < parts.size(); step *= 2)
    for (size_t i = 0; i + step < parts.size(); i += 2 * step) {
      Trace sent = *format::decode_raw(format::encode_raw(parts[i + step]));
      parts[i] = merge_two(std::move(parts[i]), std::move(sent));
    }
  finish(parts[0]);
  EXPECT_EQ(text_of(parts[0]), text_of(at_once));
}

INSTANTIATE_TEST_SUITE_P(All, SpmdPrograms, testing::ValuesIn(spmd::programs()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(MergeRanks, RegularProgramsHaveNoTables) {
  for (const spmd::Program& program : spmd::programs()) {
    if (program.name == "vpicv" || program.name == "amrp") continue;
    for (int64_t ranks : {16, 64}) {
      std::string text = text_of(merge_ranks(spmd::traces_of(program, ranks)));
      EXPECT_EQ(text.find("][rank]"), std::string::npos) << text;
      EXPECT_EQ(text.find("][place]"), std::string::npos) << text;
      EXPECT_EQ(text.find("{ranks"), std::string::npos) << text;
    }
  }
}

TEST(MergeRanks, StreamsPairByThreadAndLayer) {
  std::vector<Trace> parts;
  for (uint32_t rank = 0; rank < 4; ++rank) {
    std::vector<Stream> streams{{.nodes = {call(spmd::pwrite, {rank, 1}), call(spmd::seek, {9})}}};
    if (rank != 2) streams.push_back({.thread = 1, .nodes = {call(spmd::pread, {rank, 7})}});
    if (rank % 2 == 0)
      streams.push_back({.layer = "mpi", .prefix = int64_t{rank / 2}, .nodes = {call(spmd::seek, {rank})}});
    parts.push_back(one_rank(rank, std::move(streams)));
  }
  Trace whole = merge_ranks(parts);
  expect_readable(whole);
  ASSERT_EQ(whole.processes.size(), 1u);
  EXPECT_EQ(whole.processes[0].streams.size(), 3u);
  for (uint32_t rank = 0; rank < 4; ++rank)
    for (auto [thread, layer] : {std::pair<uint32_t, std::string>{0, ""}, {1, ""}, {0, "mpi"}})
      EXPECT_EQ(calls_of(whole.processes[0], whole, rank, thread, layer),
                calls_of(parts[rank].processes[0], parts[rank], rank, thread, layer));
  EXPECT_EQ(measure::summarize(whole).outer.events, 8u + 3u);
  EXPECT_EQ(measure::summarize(whole).layers[0].totals.events, 3u);
}

/// A rank that wrote `bytes` in the moment that is `ns` after the epoch.
Trace writer(uint32_t rank, uint64_t ns, uint64_t bytes) {
  Trace t = one_rank(rank, {{.nodes = {call(spmd::barrier, {})}}});
  trace::HeatMap& heat = t.processes[0].heat;
  heat.first_bin = ns >> heat.width_log2;
  heat.rows = {{0, {{0, trace::HeatKind::written, bytes, heat.bin_ns()}}}};
  return t;
}

TEST(MergeRanks, HeatMapsHaveARowForEachRank) {
  constexpr uint64_t second = 1'000'000'000;
  std::vector<Trace> parts, tails;
  for (uint32_t rank = 0; rank < 5; ++rank)
    parts.push_back(writer(rank, 100 * second + rank * second, rank + 1));
  tails.push_back(writer(3, 104 * second, 10));
  Trace whole = merge_ranks(std::move(parts));
  concatenate(whole, merge_ranks(std::move(tails)));
  const trace::HeatMap& heat = whole.processes[0].heat;
  ASSERT_EQ(heat.rows.size(), 5u);
  for (uint32_t rank = 0; rank < 5; ++rank) {
    EXPECT_EQ(heat.rows[rank].number, rank);
    EXPECT_EQ(heat.rows[rank].cells.size(), rank == 3 ? 2u : 1u);
    EXPECT_EQ(heat.rows[rank].cells[0].bytes, rank + 1);
    uint64_t at = heat.start_ns() + heat.rows[rank].cells[0].bin * heat.bin_ns();
    EXPECT_LE(at, (100 + rank) * second);
    EXPECT_GT(at + heat.bin_ns(), (100 + rank) * second);
  }
  EXPECT_EQ(heat.rows[3].cells[1].bytes, 10u);
  EXPECT_EQ(heat.rows[3].cells[1].bin, heat.rows[4].cells[0].bin);
  expect_readable(whole);
}

TEST(MergeRanks, HeatMapsOfManyRanksAreGrouped) {
  std::vector<Trace> parts;
  for (uint32_t rank = 1; rank < 5000; rank += 49) {
    parts.push_back(writer(rank, 1'000'000'000, rank));
    parts.back().nprocs = 5000;
  }
  Trace whole = merge_ranks(std::move(parts));
  const trace::HeatMap& heat = whole.processes[0].heat;
  EXPECT_EQ(heat.group_log2, 1u);
  ASSERT_EQ(heat.rows.size(), 103u);
  for (size_t i = 0; i < heat.rows.size(); ++i) {
    EXPECT_EQ(heat.rows[i].number, (1 + 49 * i) / 2);
    EXPECT_EQ(heat.rows[i].cells[0].bytes, 1 + 49 * i);
  }
  expect_readable(whole);
}

TEST(MergeRanks, FactsOfProcesses) {
  std::vector<Trace> parts;
  for (uint32_t rank = 0; rank < 4; ++rank) {
    Trace t = one_rank(rank, {{.nodes = {call(spmd::barrier, {})}}});
    Process& p = t.processes[0];
    p.pid = 100 + rank;
    p.start_ns = 1000 - rank;
    p.elapsed_ns = 10 * rank;
    if (rank == 2) p.ending = trace::Ending::early;
    if (rank == 3) p.loss = {.abandoned = 6};
    parts.push_back(std::move(t));
  }
  Process launcher{.pid = 7, .program = "mpirun"};
  parts[0].processes.push_back(launcher);
  Trace whole = merge_ranks(parts);
  ASSERT_EQ(whole.processes.size(), 2u);
  const Process& p = whole.processes[0];
  EXPECT_EQ(p.pid, 0u);
  EXPECT_EQ(p.start_ns, 997u);
  EXPECT_EQ(p.elapsed_ns, 30u);
  EXPECT_EQ(p.ending, trace::Ending::exited);
  EXPECT_EQ(p.ended_early, RankSet::of({2}));
  EXPECT_EQ(p.loss.abandoned, 6u);
  ASSERT_EQ(p.losses.size(), 1u);
  EXPECT_EQ(p.losses[0].rank, 3u);
  EXPECT_EQ(p.streams[0].nodes[0].timing.duration.count(), 4u) << "times are merged";
  EXPECT_EQ(whole.processes[1].program, "mpirun");
}

TEST(MergeRanks, WhatHappenedAfterTheMergeIsNotForgotten) {
  auto all = [](auto change) {
    std::vector<Trace> parts;
    for (uint32_t rank = 0; rank < 4; ++rank) {
      parts.push_back(one_rank(rank, {{.nodes = {call(spmd::barrier, {})}}}));
      change(rank, parts.back().processes[0]);
    }
    return parts;
  };
  Trace whole = merge_ranks(all([](uint32_t rank, Process& p) {
    if (rank == 1) p.loss = {.unknown = 1};
  }));
  std::vector<Trace> tails = all([](uint32_t rank, Process& p) {
    p.empty_tests = rank;
    if (rank == 1) p.loss = {.unknown = 2};
    if (rank >= 2) p.ending = trace::Ending::early;
  });
  tails.erase(tails.begin());
  concatenate(whole, merge_ranks(std::move(tails)));
  ASSERT_EQ(whole.processes.size(), 1u);
  const Process& p = whole.processes[0];
  EXPECT_EQ(p.ending, trace::Ending::exited);
  EXPECT_EQ(p.ended_early, RankSet::of({2, 3}));
  EXPECT_EQ(p.loss.unknown, 3u);
  ASSERT_EQ(p.losses.size(), 1u);
  EXPECT_EQ(p.losses[0].loss.unknown, 3u);
  EXPECT_EQ(p.empty_tests, 6u);
}

TEST(MergeRanks, DifferentProgramsAndSecondProcessesStayApart) {
  std::vector<Trace> parts;
  for (uint32_t rank = 0; rank < 6; ++rank) {
    Trace t = one_rank(rank, {{.nodes = {call(spmd::seek, {rank})}}});
    if (rank >= 4) t.processes[0].arguments = {"--server"};
    t.processes.push_back(t.processes[0]);
    t.processes[1].start_ns = 5;
    t.processes[1].streams[0].nodes.push_back(call(spmd::seek, {50 + rank}));
    parts.push_back(std::move(t));
  }
  Trace whole = merge_ranks(parts);
  ASSERT_EQ(whole.processes.size(), 4u) << "two programs, each run twice by its ranks";
  expect_readable(whole);
  for (const Process& p : whole.processes)
    for (uint32_t rank : p.ranks.expand()) {
      Calls calls = calls_of(p, whole, rank);
      ASSERT_GE(calls.size(), 1u);
      EXPECT_EQ(calls[0].values[0], rank);
    }
}

TEST(MergeRanks, TablesOfStringsDoNotGrow) {
  std::vector<Trace> parts;
  for (uint32_t rank = 0; rank < 32; ++rank) {
    Trace t = trace::sample::copy();
    t.processes[0].ranks = RankSet::of({rank});
    parts.push_back(std::move(t));
  }
  Trace whole = merge_ranks(parts);
  EXPECT_EQ(whole.templates.size(), parts[0].templates.size());
  EXPECT_EQ(whole.signatures.size(), 7u) << "only those in use";
  // A reference that steps through the table is rewritten name by name, and steps again afterwards.
  auto step_with = [&](trace::Value reference) {
    for (Trace& t : parts)
      t.processes[0].streams[0].nodes = {
          trace::sample::loop(trace::sample::number(2), {trace::sample::event(6, {reference})})};
  };
  step_with(trace::sample::affine(0, {1}));
  Trace stepping = merge_ranks(parts);
  EXPECT_EQ(stepping.templates.size(), 2u) << "only those in use";
  EXPECT_EQ(stepping.processes[0].streams[0].nodes[0].body[0].parameters[0], trace::sample::affine(0, {1}));
  // One that can't be takes its whole table along, once.
  step_with({.form = trace::Form::counter, .step = 1});
  Trace blocks = merge_ranks(parts);
  EXPECT_EQ(blocks.templates.size(), parts[0].templates.size());
}

TEST(MergeRanks, EqualNamesUnderOtherNumbersAreTheSame) {
  std::vector<Trace> parts;
  for (uint32_t rank = 0; rank < 8; ++rank) {
    Trace t = trace::sample::copy();
    t.processes[0].ranks = RankSet::of({rank});
    t.processes[0].streams.resize(1);
    int64_t first = rank % 3;  // some ranks know other names before
    std::vector<trace::Template> names(t.templates.begin(), t.templates.begin() + 2);
    for (int64_t i = 0; i < first; ++i) names.insert(names.begin(), t.templates[static_cast<size_t>(3 - i)]);
    t.templates = names;
    t.processes[0].streams[0].nodes = {trace::sample::loop(
        trace::sample::number(2), {trace::sample::event(6, {trace::sample::affine(first, {1})})})};
    parts.push_back(std::move(t));
  }
  Trace whole = merge_ranks(parts);
  EXPECT_EQ(whole.templates.size(), 2u);
  EXPECT_EQ(whole.processes[0].streams[0].nodes[0].body[0].parameters[0], trace::sample::affine(0, {1}));
}

TEST(MergeRanks, CopiesOfSiblingsSurviveExtraCalls) {
  std::vector<Trace> parts;
  for (uint32_t rank = 0; rank < 6; ++rank) {
    std::vector<Node> body;
    if (rank % 2) body.push_back(call(spmd::seek, {rank}));
    auto place = static_cast<uint32_t>(body.size());
    Node write = call(spmd::pwrite, {0, 0}), read = call(spmd::pread, {0, 0});
    write.parameters[0] = trace::sample::column({5, 1, rank, 8});
    read.parameters[0] = {.form = trace::Form::copy, .base = 3, .sibling = place};
    read.parameters[1] = {.form = trace::Form::copy, .base = 1, .sibling = place + (rank == 5 ? 1u : 0u)};
    if (rank == 5) read.parameters[1].parameter = 0, read.parameters[0] = trace::sample::column({1, 2, 3, 5});
    body.push_back(write);
    body.push_back(read);
    parts.push_back(one_rank(rank, {{.nodes = {trace::sample::loop(trace::sample::number(4), body)}}}));
  }
  Trace whole = merge_ranks(parts);
  expect_readable(whole);
  for (uint32_t rank = 0; rank < 6; ++rank)
    EXPECT_EQ(calls_of(whole.processes[0], whole, rank),
              calls_of(parts[rank].processes[0], parts[rank], rank))
        << text_of(whole);
}

/// What is copied must not become a copy itself, though an earlier call has the same values on all ranks.
TEST(MergeRanks, CopiesAreNotCopiedFromCopies) {
  constexpr int64_t places[] = {136112, 796560, 1587904, 77, 4};
  std::vector<Trace> parts;
  for (uint32_t rank = 0; rank < 5; ++rank) {
    Node read = call(spmd::pread, {0, 0});
    read.parameters[0] = {.form = trace::Form::copy, .base = 3, .parameter = 0, .sibling = 1};
    std::vector<Node> body{call(spmd::seek, {places[rank]}), call(spmd::pwrite, {places[rank], 0}), read};
    for (size_t i = 0; i < 2; ++i)
      body[i].parameters[0] = trace::sample::column({places[rank], 3, places[4 - rank]});
    parts.push_back(one_rank(rank, {{.nodes = {trace::sample::loop(trace::sample::number(3), body)}}}));
  }
  Trace whole = merge_ranks(parts);
  expect_readable(whole);
  for (uint32_t rank = 0; rank < 5; ++rank)
    EXPECT_EQ(calls_of(whole.processes[0], whole, rank),
              calls_of(parts[rank].processes[0], parts[rank], rank))
        << text_of(whole);
}

/// Ranks that merge themselves finish their trace; what reads it later does so again.
TEST(MergeRanks, FinishingTwiceChangesNothing) {
  constexpr int64_t first[] = {9, 2, 7, 1, 8, 0, 4, 2, 6, 3, 9, 9, 1, 5, 0, 8};
  std::vector<Trace> parts;
  for (uint32_t rank = 0; rank < 16; ++rank) {
    Node seek = call(spmd::seek, {0});
    std::vector<int64_t> steps{0};
    for (int64_t i = 1; i < 5; ++i)
      steps.push_back(rank % 4 * 48012345 * i + rank / 4 * 768000777000 * i * i);
    seek.parameters[0] = trace::sample::column(steps);
    seek.parameters[0].base = first[rank];
    parts.push_back(one_rank(rank, {{.nodes = {trace::sample::loop(trace::sample::number(5), {seek})}}}));
  }
  Trace once = merge_ranks(parts), twice = merge_ranks({once});
  for (uint32_t rank = 0; rank < 16; ++rank)
    for (const Trace* whole : {&once, &twice})
      EXPECT_EQ(calls_of(whole->processes[0], *whole, rank),
                calls_of(parts[rank].processes[0], parts[rank], rank))
          << text_of(*whole);
}

TEST(MergeRanks, ExtremeValuesAreExact) {
  const std::vector<int64_t> extremes{INT64_MIN, INT64_MAX, -1, 0, INT64_MIN + 1, INT64_MIN};
  std::vector<Trace> parts;
  for (uint32_t rank = 0; rank < 6; ++rank) {
    Node write = call(spmd::pwrite, {extremes[rank], 0});
    write.parameters[1] = trace::sample::column({0, extremes[rank], extremes[5 - rank]});
    parts.push_back(one_rank(rank, {{.nodes = {trace::sample::loop(trace::sample::number(3), {write})}}}));
  }
  Trace whole = merge_ranks(parts);
  expect_readable(whole);
  for (uint32_t rank = 0; rank < 6; ++rank)
    EXPECT_EQ(calls_of(whole.processes[0], whole, rank),
              calls_of(parts[rank].processes[0], parts[rank], rank));
}

/// An expression with as many integers as there are ranks is no rule.
TEST(MergeRanks, AFewRanksWithoutARuleHaveTables) {
  auto has = [](const std::vector<int64_t>& places, const std::string& text) {
    std::vector<Trace> parts;
    for (uint32_t rank = 0; rank < places.size(); ++rank)
      parts.push_back(one_rank(rank, {{.nodes = {call(spmd::pwrite, {places[rank], 0})}}}));
    return text_of(merge_ranks(parts)).find(text) != std::string::npos;
  };
  EXPECT_TRUE(has({136112, 796560, 1587904}, "[136112, 796560, 1587904][rank]"));
  EXPECT_TRUE(has({512, 1512, 2512}, "rank*1000 + 512"));
  EXPECT_TRUE(has({0, 480, 768000, 768480}, "rank%2*480 + rank/2*768000"));
}

TEST(Concatenate, AddsWhatCameLater) {
  std::vector<Trace> parts, tails;
  for (uint32_t rank = 0; rank < 4; ++rank) {
    std::vector<Stream> before{{.nodes = {call(spmd::pwrite, {rank, 1}), call(spmd::seek, {rank})}}};
    if (rank < 2) before.push_back({.layer = "mpi", .prefix = 1, .nodes = {call(spmd::seek, {rank})}});
    parts.push_back(one_rank(rank, before));
    if (rank == 3) continue;
    std::vector<Stream> after{{.nodes = {call(spmd::close_file, {rank}), call(spmd::seek, {8})}}};
    if (rank > 0) after.push_back({.layer = "mpi", .prefix = 1, .nodes = {call(spmd::pread, {1, rank})}});
    after.push_back({.thread = 2, .nodes = {call(spmd::barrier, {})}});
    tails.push_back(one_rank(rank, after));
  }
  Trace whole = merge_ranks(parts);
  concatenate(whole, merge_ranks(tails));
  expect_readable(whole);
  ASSERT_EQ(whole.processes.size(), 1u);
  for (uint32_t rank = 0; rank < 4; ++rank) {
    Calls outer = calls_of(parts[rank].processes[0], parts[rank], rank);
    Calls layer = calls_of(parts[rank].processes[0], parts[rank], rank, 0, "mpi");
    if (rank < 3) {
      Calls more = calls_of(tails[rank].processes[0], tails[rank], rank);
      Calls inner = calls_of(tails[rank].processes[0], tails[rank], rank, 0, "mpi");
      if (layer.empty() && !inner.empty()) layer = outer;
      layer.insert(layer.end(), rank == 0 ? more.begin() : inner.begin(),
                   rank == 0 ? more.end() : inner.end());
      outer.insert(outer.end(), more.begin(), more.end());
    }
    EXPECT_EQ(calls_of(whole.processes[0], whole, rank), outer) << rank;
    EXPECT_EQ(calls_of(whole.processes[0], whole, rank, 0, "mpi"), layer) << rank << text_of(whole);
    EXPECT_EQ(calls_of(whole.processes[0], whole, rank, 2).size(), rank < 3 ? 1u : 0u);
  }
}

}  // namespace
}  // namespace refrain::merge
