// How fast events are folded and how small the tree gets, beside the figures of the prototype that settled
// the algorithm (its times are without gap and duration histograms; its nodes and bytes include the
// experiment with alternatives). Streams of values are timed at the end.
#include <benchmark/benchmark.h>

#include <ctime>

#include "fold/acceptance.hpp"
#include "fold/stream.hpp"
#include "format/node_code.hpp"

namespace {

using namespace refrain;
using namespace refrain::fold;
using acceptance::Recording;

/// Time of this thread only, so that a busy machine doesn't count.
double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

size_t count_nodes(const std::vector<trace::Node>& nodes) {
  size_t n = nodes.size();
  for (const auto& node : nodes) n += count_nodes(node.body);
  return n;
}

/// The time of an iteration is that of all events; finish() is reported apart.
void fold_recording(benchmark::State& state, const Recording& r) {
  double event_seconds = 0, finish_seconds = 0;
  std::vector<trace::Node> tree;
  size_t memory = 0;
  for (auto _ : state) {
    Folder folder;
    acceptance::declare_all(folder);
    double start = cpu_seconds();
    acceptance::feed(folder, r, 0, r.size(), r.parameters.data());
    double fed = cpu_seconds();
    memory = folder.memory();
    double finishing = cpu_seconds();
    tree = folder.finish();
    finish_seconds += cpu_seconds() - finishing;
    event_seconds += fed - start;
    state.SetIterationTime(fed - start);
  }
  ByteWriter w;
  format::write_nodes(w, tree);
  double events = static_cast<double>(r.size()) * static_cast<double>(state.iterations());
  state.counters["ns_per_event"] = event_seconds * 1e9 / events;
  state.counters["finish_ns"] = finish_seconds * 1e9 / events;
  state.counters["nodes"] = static_cast<double>(count_nodes(tree));
  state.counters["bytes"] = static_cast<double>(w.size());
  state.counters["memory"] = static_cast<double>(memory);
}

void acceptance_stream(benchmark::State& state, const acceptance::Named& stream) {
  fold_recording(state, stream.make());
  state.counters["proto_ns"] = stream.ns;
  state.counters["proto_nodes"] = static_cast<double>(stream.nodes);
  state.counters["proto_bytes"] = static_cast<double>(stream.bytes);
}

void long_body(benchmark::State& state) { fold_recording(state, acceptance::long_body(state.range(0))); }
BENCHMARK(long_body)->Arg(100)->Arg(1000)->Arg(5000)->UseManualTime()->Unit(benchmark::kMillisecond);

constexpr int64_t stream_length = 1 << 20;

void push_values(benchmark::State& state, int64_t (*value)(int64_t)) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < stream_length; ++i) values.push_back(value(i));
  size_t memory = 0;
  double start = cpu_seconds();
  for (auto _ : state) {
    Stream stream;
    for (int64_t v : values) stream.push(v);
    benchmark::DoNotOptimize(memory = stream.memory());
  }
  double pushed = static_cast<double>(stream_length) * static_cast<double>(state.iterations());
  state.counters["ns_per_value"] = (cpu_seconds() - start) * 1e9 / pushed;
  state.counters["memory"] = static_cast<double>(memory);
}

int64_t affine(int64_t i) { return 512 + i * 4096; }
int64_t grid(int64_t i) { return i / 1000 * 5000000 + i % 1000; }
int64_t periodic(int64_t i) { return static_cast<int64_t>(mix64(static_cast<uint64_t>(i % 37)) % 1000); }
int64_t noise(int64_t i) { return static_cast<int64_t>(mix64(static_cast<uint64_t>(i)) % 1000000); }

}  // namespace

int main(int argc, char** argv) {
  for (const acceptance::Named& stream : acceptance::all)
    benchmark::RegisterBenchmark(std::string(stream.name).c_str(), acceptance_stream, stream)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("stream/affine", push_values, affine);
  benchmark::RegisterBenchmark("stream/grid", push_values, grid);
  benchmark::RegisterBenchmark("stream/periodic", push_values, periodic);
  benchmark::RegisterBenchmark("stream/random", push_values, noise);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
