// What merging costs: all ranks' folded traces in one process, for the parallel programs of spmd_streams.hpp
// and for the worst case, ranks that have nothing in common. Counters: the merged tree, and the size of the
// trace file, which must not grow with the ranks where the program is regular.
#include <benchmark/benchmark.h>

#include "format/file.hpp"
#include "merge/finish.hpp"
#include "merge/merge_ranks.hpp"
#include "merge/spmd_streams.hpp"

namespace {

using namespace refrain;
using merge::spmd::Program;

size_t count_nodes(const std::vector<trace::Node>& nodes) {
  size_t n = nodes.size();
  for (const trace::Node& node : nodes) n += count_nodes(node.body);
  return n;
}

void report(benchmark::State& state, const trace::Trace& whole, size_t ranks) {
  state.counters["nodes"] = static_cast<double>(count_nodes(whole.processes[0].streams[0].nodes));
  state.counters["bytes"] = static_cast<double>(format::encode(whole).size());
  state.counters["us_per_rank"] =
      benchmark::Counter(static_cast<double>(ranks) * 1e-6,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

struct Way {
  std::string_view name;
  bool finished;  ///< with the expressions at the end
  unsigned threads = 1;
};

void merge_program(benchmark::State& state, const Program& program, const Way& way) {
  const std::vector<trace::Trace> parts = merge::spmd::traces_of(program, state.range(0));
  trace::Trace whole;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<trace::Trace> mine = parts;
    whole = {};
    state.ResumeTiming();
    merge::Options options{.threads = way.threads};
    whole = way.finished ? merge::merge_ranks(std::move(mine), options)
                         : merge::merge_unfinished(std::move(mine), options);
  }
  if (!way.finished) merge::finish(whole);
  report(state, whole, parts.size());
}

/// Every call of every rank is one of 2^20 others: nothing folds and nothing matches.
void merge_unlike(benchmark::State& state) {
  const int64_t ranks = 64;
  std::vector<trace::Trace> parts;
  for (int64_t r = 0; r < ranks; ++r) {
    trace::Trace t = merge::spmd::trace_of({}, {r, ranks});
    t.signatures.clear();
    for (int64_t k = 0; k < state.range(0); ++k) {
      trace::Signature s{.function = "f", .layer = "posix"};
      s.site = mix64(static_cast<uint64_t>(r * state.range(0) + k)) % (1 << 20);
      t.processes[0].streams[0].nodes.push_back({.signature = static_cast<uint32_t>(t.signatures.size())});
      t.signatures.push_back(std::move(s));
    }
    parts.push_back(std::move(t));
  }
  trace::Trace whole;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<trace::Trace> mine = parts;
    state.ResumeTiming();
    whole = merge::merge_ranks(std::move(mine));
  }
  report(state, whole, parts.size());
  state.counters["ns_per_event"] =
      benchmark::Counter(static_cast<double>(ranks * state.range(0)) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace

int main(int argc, char** argv) {
  for (const Program& program : merge::spmd::programs())
    for (const Way& way : {Way{"tree", false}, Way{"finished", true}, Way{"threads", true, 0}}) {
      std::string name = std::string(program.name) + "/" + std::string(way.name);
      auto* bench = benchmark::RegisterBenchmark(
          name.c_str(), [&program, way](benchmark::State& s) { merge_program(s, program, way); });
      bench->Unit(benchmark::kMillisecond)->Iterations(3);
      if (way.threads != 1) bench->MeasureProcessCPUTime()->UseRealTime();
      if (program.name != "paper1")
        bench->Arg(64)->Arg(2048)->Arg(4096)->Arg(8192);
      else
        bench->Arg(60)->Arg(480)->Arg(960);
    }
  benchmark::RegisterBenchmark("unlike", merge_unlike)
      ->Unit(benchmark::kMillisecond)
      ->Iterations(2)
      ->Arg(1000)
      ->Arg(2000)
      ->Arg(4000)
      ->Arg(8000);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
