// How many I/O phases per second the engine simulates, for each policy and way of sharing: on Table 1 of the
// paper, on packs of many jobs that start together, and on jobs that start apart, where bandwidth and stretch
// have to notice that waiting requests overtake each other. And how long a job file takes from its text to
// the results as JSON, by number of jobs, for each mapping. One core.
#include <benchmark/benchmark.h>

#include "schedule/experiment.hpp"
#include "schedule/generate.hpp"
#include "schedule/job_file.hpp"
#include "schedule/random.hpp"
#include "schedule/sample_jobs.hpp"
#include "schedule/tournament.hpp"

namespace {

using namespace refrain;
using namespace refrain::schedule;

double phases(const Workload& workload) {
  double sum = 0;
  for (const Job& job : workload.jobs) sum += static_cast<double>(job.phase_count());
  return sum;
}

/// `jobs` jobs whose I/O together asks for 1.2 times what the I/O node can do; they start within `spread` of
/// their length.
Workload crowd(uint64_t jobs, double spread) {
  Random random(1, jobs);
  Workload workload{.machine = Machine::uniform(1, static_cast<uint32_t>(jobs))};
  for (uint64_t id = 0; id < jobs; ++id) {
    double compute = 10 + 90 * random.unit();
    double volume = compute * 1.2 / static_cast<double>(jobs) * (0.5 + random.unit());
    uint64_t iterations = 2'000'000 / jobs;
    workload.jobs.push_back(
        periodic_job(static_cast<int64_t>(id), 1, iterations, from_seconds(compute), volume));
    double latest = spread * static_cast<double>(iterations) * 50;
    workload.jobs.back().release = from_seconds(latest * random.unit());
  }
  return workload;
}

void simulate_all(benchmark::State& state, const Workload& workload, const Discipline& discipline) {
  for (auto _ : state) {
    AtRelease mapper(std::vector<uint32_t>(workload.jobs.size()));
    benchmark::DoNotOptimize(run(workload, discipline, mapper));
  }
  state.counters["phases/s"] = benchmark::Counter(phases(workload) * static_cast<double>(state.iterations()),
                                                  benchmark::Counter::kIsRate);
}

/// The requests of a partition alone: matches played per request, of n that wait with random lines.
void overtake(benchmark::State& state) {
  auto waiting = static_cast<uint32_t>(state.range(0));
  Random random(2, waiting);
  double requests = 0;
  double played = 0;
  for (auto _ : state) {
    Tournament queue;
    Time now = 1'000'000'000;
    auto push = [&](uint32_t job) {
      auto started = static_cast<Time>(random.below(static_cast<uint64_t>(now)));
      auto done = static_cast<Time>(1 + random.below(static_cast<uint64_t>(now - started)));
      queue.push(now, job, {started, done});
    };
    for (uint32_t job = 0; job < waiting; ++job) push(job);
    for (int i = 0; i < 100'000; ++i) {
      now += static_cast<Time>(random.below(2'000'000));
      push(static_cast<uint32_t>(queue.pop(now)));
    }
    requests += 100'000;
    played += static_cast<double>(queue.played());
  }
  state.counters["requests/s"] = benchmark::Counter(requests, benchmark::Counter::kIsRate);
  state.counters["matches/request"] = played / requests;
}

/// Short jobs of one to five phases and of 1 to 2,048 nodes, on 16 I/O nodes of 2,048 nodes each.
std::string short_jobs(uint64_t jobs) {
  Random random(3, 0);
  Workload workload{.machine = Machine::uniform(16, 2048)};
  for (uint64_t id = 0; id < jobs; ++id) {
    double compute = 1 + 59 * random.unit();
    double volume = compute * (random.below(2) == 0 ? 0.2 : 1.8) * random.unit();
    auto nodes = static_cast<uint32_t>(1 + random.below(uint64_t{1} << random.below(12)));
    workload.jobs.push_back(
        periodic_job(static_cast<int64_t>(id), nodes, 1 + random.below(5), from_seconds(compute), volume));
  }
  return workload_text(workload);
}

void whole_file(benchmark::State& state, MappingKind mapping, const Policy& policy) {
  auto jobs = static_cast<uint64_t>(state.range(0));
  std::string text = short_jobs(jobs);
  for (auto _ : state) {
    Result<Workload> workload = parse_workload(text);
    Outcome outcome = simulate(*workload, {{.policy = &policy}, {mapping}});
    benchmark::DoNotOptimize(outcome_json(*workload, outcome));
  }
  state.counters["jobs/s"] = benchmark::Counter(
      static_cast<double>(jobs) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void register_files() {
  for (MappingKind kind :
       {MappingKind::first_fit, MappingKind::make_pack, MappingKind::backfill, MappingKind::easy}) {
    for (const char* policy : {"fifo", "stretch"}) {
      std::string name = "file/" + std::string(name_of(kind)) + "/" + policy;
      benchmark::RegisterBenchmark(
          name.c_str(),
          [kind, policy](benchmark::State& state) { whole_file(state, kind, **find_policy(policy)); })
          ->RangeMultiplier(10)
          ->Range(10'000, 1'000'000)
          ->Unit(benchmark::kMillisecond);
    }
  }
}

void register_all() {
  struct Named {
    std::string name;
    Workload workload;
  };
  static const std::vector<Named> workloads = {{"table1", table1(64)},
                                               {"together/100", crowd(100, 0)},
                                               {"apart/100", crowd(100, 0.5)},
                                               {"together/1000", crowd(1000, 0)},
                                               {"apart/1000", crowd(1000, 0.5)}};
  for (const Named& named : workloads) {
    auto add = [&](const std::string& name, const Discipline& discipline) {
      benchmark::RegisterBenchmark((named.name + "/" + name).c_str(), [&named,
                                                                       discipline](benchmark::State& state) {
        simulate_all(state, named.workload, discipline);
      })->Unit(benchmark::kMillisecond);
    };
    for (const Policy& policy : policies()) add(std::string(policy.name), {.policy = &policy});
    add("shared", {.sharing = Sharing::shared});
    add("preemptive", {.sharing = Sharing::preemptive});
  }
  benchmark::RegisterBenchmark("overtake", overtake)
      ->RangeMultiplier(8)
      ->Range(8, 32768)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  register_all();
  register_files();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
