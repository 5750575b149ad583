// What recording costs: runs a loop of small calls (call_loop) bare, recorded, and recorded without the heat
// map, in turn, and compares the medians per call; then the size of the trace and the recorder's memory for
// loops of growing length. Reports ratios within one run; the machine is in the context that Google Benchmark
// prints.
#include <benchmark/benchmark.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace {

/// A folder of its own on tmpfs, if there is one, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name =
        access("/dev/shm", W_OK) == 0 ? "/dev/shm/refrain_bench_XXXXXX" : "refrain_bench_XXXXXX";
    path_ = mkdtemp(name.data()) == nullptr ? "." : name;
  }
  ~Scratch() {
    for (const char* file : {"/data", "/loop.rfn"}) unlink((path_ + file).c_str());
    rmdir(path_.c_str());
  }
  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

const Scratch& scratch() {
  static Scratch place;
  return place;
}

struct Figures {
  double ns_per_call = 0;
  double peak_kb = 0;
};

Figures run(const std::string& kind, long calls, bool recorded, const char* option = "") {
  std::string program = CALL_LOOP;
#ifdef MPI_LOOP
  if (kind == "mpi") program = "mpirun --allow-run-as-root -n 1 " MPI_LOOP;
  if (kind == "end")
    program =
        "mpirun --allow-run-as-root --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -n "
        "64 " MPI_END;
#endif
#ifdef MPI_LOOP_MPICH
  if (kind == "mpich") program = "mpirun.mpich -n 1 " MPI_LOOP_MPICH;
#endif
#ifdef HDF5_LOOP
  if (kind == "hdf5") program = "mpirun --allow-run-as-root -n 1 " HDF5_LOOP;
#endif
  std::string command = program + " " + kind + " " + std::to_string(calls) + " " + scratch().file("data");
  if (recorded)
    command = std::string(REFRAIN) + " record -q " + option + " --include '/dev/shm/**' -o " +
              scratch().file("loop.rfn") + " -- " + command;
  Figures figures;
  FILE* output = popen(command.c_str(), "r");
  if (output == nullptr || fscanf(output, "%lf %lf", &figures.ns_per_call, &figures.peak_kb) != 2)
    figures.ns_per_call = -1;
  if (output != nullptr) pclose(output);
  return figures;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Bare and recorded runs in turn, so that both see the same machine.
void cost_per_call(benchmark::State& state, const char* kind, long calls) {
  std::vector<double> bare, recorded, without;
  for (auto _ : state) {
    bare.push_back(run(kind, calls, false).ns_per_call);
    recorded.push_back(run(kind, calls, true).ns_per_call);
    without.push_back(run(kind, calls, true, "--no-heat-map").ns_per_call);
    if (bare.back() < 0 || recorded.back() < 0 || without.back() < 0)
      return state.SkipWithError("the loop could not be run");
  }
  state.counters["bare_ns"] = median(bare);
  state.counters["recorded_ns"] = median(recorded);
  state.counters["added_ns"] = median(recorded) - median(bare);
  state.counters["heat_map_ns"] = median(recorded) - median(without);  // part of it
  state.counters["ratio"] = median(recorded) / median(bare);
}
BENCHMARK_CAPTURE(cost_per_call, pwrite_8_bytes, "pwrite", 1'000'000L)
    ->Iterations(7)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cost_per_call, pwrite_4_threads, "threads", 300'000L)
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cost_per_call, open_close, "open", 300'000L)->Iterations(5)->Unit(benchmark::kMillisecond);
#ifdef MPI_LOOP
// Two calls: of MPI-IO, and the pwrite inside it.
BENCHMARK_CAPTURE(cost_per_call, mpi_file_write_at_8_bytes, "mpi", 300'000L)
    ->Iterations(7)
    ->Unit(benchmark::kMillisecond);

#ifdef MPI_LOOP_MPICH
BENCHMARK_CAPTURE(cost_per_call, mpi_file_write_at_8_bytes_mpich, "mpich", 300'000L)
    ->Iterations(7)
    ->Unit(benchmark::kMillisecond);
#endif

/// MPI_Finalize of 64 ranks, in which their traces are merged.
void end_of_64_ranks(benchmark::State& state) {
  std::vector<double> bare, recorded;
  for (auto _ : state) {
    bare.push_back(run("end", 100, false).ns_per_call * 1e-6);
    recorded.push_back(run("end", 100, true).ns_per_call * 1e-6);
    if (bare.back() < 0 || recorded.back() < 0) return state.SkipWithError("the program could not be run");
  }
  state.counters["bare_ms"] = median(bare);
  state.counters["recorded_ms"] = median(recorded);
}
BENCHMARK(end_of_64_ranks)->Iterations(5)->Unit(benchmark::kMillisecond);
#endif
#ifdef HDF5_LOOP
// Selects and writes eight elements: four calls, of HDF5 (two), MPI-IO and POSIX.
BENCHMARK_CAPTURE(cost_per_call, hyperslab_and_write, "hdf5", 100'000L)
    ->Iterations(7)
    ->Unit(benchmark::kMillisecond);
#endif

/// Neither may grow with the number of calls.
void size_and_memory(benchmark::State& state) {
  long calls = state.range(0);
  Figures bare, recorded;
  for (auto _ : state) {
    bare = run("pwrite", calls, false);
    recorded = run("pwrite", calls, true);
  }
  struct stat trace {};
  if (stat(scratch().file("loop.rfn").c_str(), &trace) != 0) return state.SkipWithError("no trace");
  state.counters["trace_bytes"] = static_cast<double>(trace.st_size);
  state.counters["recorder_peak_kb"] = recorded.peak_kb - bare.peak_kb;
}
BENCHMARK(size_and_memory)
    ->Arg(1'000)
    ->Arg(100'000)
    ->Arg(10'000'000)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
