// How long comparing takes: traces that are the same, whatever they stand for, and traces that have to be run
// because their loops were found differently.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "compare/compare.hpp"

namespace {

using namespace refrain;
using trace::Node;
using trace::NodeKind;
using trace::Trace;
using trace::Value;

Node pwrite(Value offset) {
  Node node{.signature = 0};
  node.parameters = {Value::constant(0), Value::constant(65536), std::move(offset), Value::constant(65536)};
  return node;
}

Node loop(int64_t count, std::vector<Node> body) {
  return {.kind = NodeKind::loop, .count = Value::constant(count), .body = std::move(body)};
}

Value line(int64_t base, int64_t slope) { return {.base = base, .slopes = {slope}}; }

Trace empty_trace() {
  Trace t;
  trace::Operand integer{.kind = trace::OperandKind::integer};
  trace::Signature s{.function = "pwrite", .layer = "posix"};
  s.operands = {
      {.kind = trace::OperandKind::slot, .text = "fd"}, {.kind = trace::OperandKind::data}, integer, integer};
  s.result = integer;
  t.signatures = {s};
  return t;
}

/// Each rank writes 1000 blocks of its own region, in 20 loops; `peeled`: with the first one outside the
/// loop.
std::vector<Node> rank_nodes(int64_t rank, bool peeled) {
  std::vector<Node> nodes;
  for (int64_t step = 0; step < 20; ++step) {
    int64_t begin = (rank * 20 + step) * 1000 * 65536;
    if (peeled) nodes.push_back(pwrite(Value::constant(begin)));
    nodes.push_back(peeled ? loop(999, {pwrite(line(begin + 65536, 65536))})
                           : loop(1000, {pwrite(line(begin, 65536))}));
  }
  return nodes;
}

Trace side_by_side(uint32_t ranks, bool peeled) {
  Trace t = empty_trace();
  t.nprocs = ranks;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    trace::Process& p = t.processes.emplace_back();
    p.ranks = trace::RankSet::of({rank});
    p.streams.push_back({.nodes = rank_nodes(rank, peeled)});
  }
  return t;
}

Trace merged(uint32_t ranks, bool peeled) {
  Trace t = empty_trace();
  t.nprocs = ranks;
  trace::Process& p = t.processes.emplace_back();
  p.ranks = trace::RankSet::range(0, ranks);
  p.streams.push_back({.nodes = rank_nodes(0, peeled)});
  for (Node& node : p.streams[0].nodes) {
    Value& offset = node.kind == NodeKind::event ? node.parameters[2] : node.body[0].parameters[2];
    int64_t base = offset.base.constant();
    offset.base = trace::Number(trace::Column({{base, 20 * 1000 * 65536, ranks, 0}}, {}));
  }
  return t;
}

Trace one_loop(int64_t events, bool peeled) {
  Trace t = empty_trace();
  t.processes.emplace_back().streams.emplace_back();
  auto& nodes = t.processes[0].streams[0].nodes;
  if (peeled) nodes = {pwrite(Value::constant(0)), loop(events - 1, {pwrite(line(65536, 65536))})};
  if (!peeled) nodes = {loop(events, {pwrite(line(0, 65536))})};
  return t;
}

void run(benchmark::State& state, const Trace& a, const Trace& b) {
  uint64_t walked = 0;
  for (auto _ : state) {
    auto result = compare::compare(a, b);
    if (!result || result->difference) std::abort();
    walked = result->walked;
  }
  state.counters["walked"] = static_cast<double>(walked);
}

void same_loop(benchmark::State& s) { run(s, one_loop(s.range(0), false), one_loop(s.range(0), false)); }
void other_loop(benchmark::State& s) { run(s, one_loop(s.range(0), false), one_loop(s.range(0), true)); }
void same_ranks(benchmark::State& s) {
  auto ranks = static_cast<uint32_t>(s.range(0));
  run(s, side_by_side(ranks, false), side_by_side(ranks, false));
}
void same_merged(benchmark::State& s) {
  auto ranks = static_cast<uint32_t>(s.range(0));
  run(s, merged(ranks, false), merged(ranks, false));
}
void merged_and_not(benchmark::State& s) {
  auto ranks = static_cast<uint32_t>(s.range(0));
  run(s, merged(ranks, false), side_by_side(ranks, false));
}

}  // namespace

BENCHMARK(same_loop)->Arg(10'000'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(other_loop)->Arg(10'000'000)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(same_ranks)->Arg(64)->Arg(4096)->Unit(benchmark::kMillisecond);
BENCHMARK(same_merged)->Arg(64)->Arg(4096)->Unit(benchmark::kMicrosecond);
BENCHMARK(merged_and_not)->Arg(64)->Arg(4096)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
