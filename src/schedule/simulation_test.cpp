// The engine against a simulation so naive that it can be seen to be right: time goes by second after second,
// phases are expanded, priorities are fractions compared by cross-multiplication, and whoever is served is
// found by looking at all. Thousands of small random workloads, full of ties and empty phases.
#include "schedule/simulation.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/test_rounds.hpp"
#include "schedule/random.hpp"
#include "schedule/sample_jobs.hpp"

namespace refrain::schedule {
namespace {

struct NaiveJob {
  std::vector<std::pair<int64_t, int64_t>> phases{};  ///< compute, io
  int64_t release = 0;
  uint32_t partition = 0;
  enum class State { waiting, computing, asking, writing, done } state = State::waiting;
  size_t at = 0;
  int64_t left = 0;  ///< of the present compute phase or I/O
  int64_t asked = 0;
  int64_t io_done = 0;
  int64_t work_done = 0;
  int64_t end = 0;

  int64_t remaining() const {
    int64_t sum = 0;
    for (auto [compute, io] : phases) sum += compute + io;
    return sum - work_done;
  }
};

/// Whether `a` is to be served rather than `b`, which has a higher id, at `now`.
bool goes_first(const std::string& policy, const NaiveJob& a, const NaiveJob& b, int64_t now) {
  if (policy == "longest-io") return a.left >= b.left;
  if (policy == "shortest-io" || policy == "preemptive") return a.left <= b.left;
  if (policy == "shortest-remaining") return a.remaining() <= b.remaining();
  if (policy == "longest-remaining") return a.remaining() >= b.remaining();
  if (policy == "fifo") return a.asked <= b.asked;
  // io / age smallest; age / work largest. Nothing had is the best there is.
  int64_t mine = policy == "bandwidth" ? a.io_done : a.work_done;
  int64_t other = policy == "bandwidth" ? b.io_done : b.work_done;
  if (policy == "bandwidth" || policy == "stretch") {
    if (mine == 0 || other == 0) return mine == 0;
    return (now - a.release) * other >= (now - b.release) * mine;
  }
  return true;
}

class Naive {
 public:
  Naive(std::vector<NaiveJob> jobs, uint32_t partitions, std::string policy)
      : jobs_(std::move(jobs)), partitions_(partitions), policy_(std::move(policy)) {}

  std::vector<int64_t> run() {
    for (int64_t now = 0; !all_done(); ++now) {
      while (settle(now)) {
      }
      for (uint32_t p = 0; p < partitions_; ++p) grant(p, now);
      for (NaiveJob& job : jobs_) {
        if (job.state != State::computing && job.state != State::writing) continue;
        --job.left;
        ++job.work_done;
        if (job.state == State::writing) ++job.io_done;
      }
    }
    std::vector<int64_t> ends;
    for (const NaiveJob& job : jobs_) ends.push_back(job.end);
    return ends;
  }

 private:
  using State = NaiveJob::State;

  bool all_done() const {
    for (const NaiveJob& job : jobs_) {
      if (job.state != State::done) return false;
    }
    return true;
  }

  void begin_phase(NaiveJob& job, int64_t now) {
    if (job.at == job.phases.size()) {
      job.state = State::done;
      job.end = now;
    } else {
      job.state = State::computing;
      job.left = job.phases[job.at].first;
    }
  }

  bool settle(int64_t now) {
    bool changed = false;
    for (NaiveJob& job : jobs_) {
      if (job.state == State::waiting && job.release <= now) {
        begin_phase(job, now);
      } else if (job.state == State::computing && job.left == 0) {
        job.state = State::asking;
        job.asked = now;
        job.left = job.phases[job.at].second;
        if (job.left == 0) {
          ++job.at;
          begin_phase(job, now);
        }
      } else if (job.state == State::writing && job.left == 0) {
        ++job.at;
        begin_phase(job, now);
      } else {
        continue;
      }
      changed = true;
    }
    return changed;
  }

  void grant(uint32_t p, int64_t now) {
    NaiveJob* best = nullptr;
    for (NaiveJob& job : jobs_) {
      if (job.partition != p) continue;
      if (job.state == State::asking && policy_ == "unlimited") job.state = State::writing;
      if (job.state == State::writing && policy_ != "preemptive" && policy_ != "unlimited") return;
      if (job.state != State::asking) continue;
      if (best == nullptr || !goes_first(policy_, *best, job, now)) best = &job;
    }
    if (best == nullptr) return;
    for (NaiveJob& job : jobs_) {
      if (job.partition != p || job.state != State::writing) continue;
      if (job.left <= best->left) return;
      job.state = State::asking;
    }
    best->state = State::writing;
  }

  std::vector<NaiveJob> jobs_;
  uint32_t partitions_;
  std::string policy_;
};

struct Case {
  Workload workload;
  std::vector<NaiveJob> naive{};
  std::vector<uint32_t> partition{};
};

Case random_case(uint64_t number) {
  Random random(7, number);
  auto partitions = static_cast<uint32_t>(1 + random.below(3));
  Case made{.workload = {.machine = Machine::uniform(partitions, 100)}};
  uint64_t jobs = 1 + random.below(7);
  uint64_t longest = 1 + random.below(6);
  for (uint64_t id = 0; id < jobs; ++id) {
    Job job{.id = static_cast<int64_t>(id),
            .release = static_cast<Time>(random.below(3) * random.below(5)) * second};
    NaiveJob naive{.release = job.release / second,
                   .partition = static_cast<uint32_t>(random.below(partitions))};
    for (uint64_t blocks = random.below(4); blocks > 0; --blocks) {
      std::vector<Phase> phases;
      for (uint64_t n = 1 + random.below(3); n > 0; --n) {
        phases.push_back(
            {static_cast<Time>(random.below(longest)) * second, static_cast<double>(random.below(longest))});
      }
      uint64_t repeat = 1 + random.below(4);
      job.add_block(phases, repeat);
      for (uint64_t i = 0; i < repeat; ++i) {
        for (const Phase& phase : phases)
          naive.phases.emplace_back(phase.compute / second, std::llround(phase.volume));
      }
    }
    made.workload.jobs.push_back(std::move(job));
    made.partition.push_back(naive.partition);
    made.naive.push_back(std::move(naive));
  }
  return made;
}

void expect_like_naive(const Case& made, const Discipline& discipline, const std::string& name,
                       uint64_t number) {
  AtRelease mapper(made.partition);
  std::vector<Placement> placements = run(made.workload, discipline, mapper);
  std::vector<int64_t> expected =
      Naive(made.naive, static_cast<uint32_t>(made.workload.machine.io_nodes.size()), name).run();
  for (size_t job = 0; job < expected.size(); ++job) {
    ASSERT_EQ(placements[job].end, expected[job] * second) << name << ", case " << number << ", job " << job;
    ASSERT_EQ(placements[job].start, made.workload.jobs[job].release);
  }
}

TEST(Engine, AgreesWithANaiveSimulation) {
  for (uint64_t number = 0; number < test_rounds(3000u); ++number) {
    Case made = random_case(number);
    for (const Policy& policy : policies()) {
      expect_like_naive(made, {.policy = &policy}, std::string(policy.name), number);
    }
    expect_like_naive(made, {.sharing = Sharing::preemptive}, "preemptive", number);
    expect_like_naive(made, {.sharing = Sharing::unlimited}, "unlimited", number);
    if (HasFatalFailure()) return;
  }
}

/// Equal shares, with fractions as floating point: at every change all are brought forward.
std::vector<double> naive_shared(const Case& made, double degradation) {
  std::vector<NaiveJob> jobs = made.naive;
  std::vector<double> left(jobs.size());
  std::vector<double> result(jobs.size());
  using State = NaiveJob::State;
  auto begin = [&](size_t j, double now) {
    bool over = jobs[j].at == jobs[j].phases.size();
    jobs[j].state = over ? State::done : State::computing;
    if (over) result[j] = now;
    if (!over) left[j] = static_cast<double>(jobs[j].phases[jobs[j].at].first);
  };
  double now = 0;
  while (true) {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t j = 0; j < jobs.size(); ++j) {
        State state = jobs[j].state;
        bool over =
            state == State::waiting ? static_cast<double>(jobs[j].release) <= now + 1e-9 : left[j] < 1e-9;
        if (state == State::done || !over) continue;
        changed = true;
        if (state == State::computing) {
          jobs[j].state = State::writing;
          left[j] = static_cast<double>(jobs[j].phases[jobs[j].at].second);
        } else {
          jobs[j].at += state == State::writing;
          begin(j, now);
        }
      }
    }
    std::vector<double> rate(jobs.size(), 1);
    double step = 1e18;
    for (size_t j = 0; j < jobs.size(); ++j) {
      if (jobs[j].state == State::done) continue;
      double sharers = 0;
      for (const NaiveJob& other : jobs)
        sharers += other.state == State::writing && other.partition == jobs[j].partition;
      if (jobs[j].state == State::writing) rate[j] = (sharers > 1 ? 1 - degradation : 1) / sharers;
      step = std::min(step, jobs[j].state == State::waiting ? static_cast<double>(jobs[j].release) - now
                                                            : left[j] / rate[j]);
    }
    if (step > 1e17) return result;
    now += step;
    for (size_t j = 0; j < jobs.size(); ++j) left[j] -= step * rate[j];
  }
}

TEST(Engine, SharesBandwidthLikeANaiveSimulation) {
  for (uint64_t number = 0; number < 1000; ++number) {
    Case made = random_case(number);
    double degradation = number % 3 == 0 ? 0.25 : 0;
    AtRelease mapper(made.partition);
    std::vector<Placement> placements =
        run(made.workload, {.sharing = Sharing::shared, .degradation = degradation}, mapper);
    std::vector<double> expected = naive_shared(made, degradation);
    for (size_t job = 0; job < expected.size(); ++job) {
      ASSERT_NEAR(in_seconds(placements[job].end), expected[job], 1e-6)
          << "case " << number << ", job " << job;
    }
  }
}

TEST(Engine, LogsIntervalsUpToALimit) {
  Workload two{Machine::uniform(1, 2), {sample_job(0, {{1, 2}}), sample_job(1, {{1, 3}})}};
  AtRelease mapper({0, 0});
  std::vector<IoInterval> log;
  run(two, {}, mapper, &log, 10);
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log[1].job, 1U);
  EXPECT_EQ(log[1].requested, 1 * second);
  EXPECT_EQ(log[1].end, 6 * second);
  EXPECT_EQ(log[1].length, 3 * second);
  AtRelease again({0, 0});
  log.clear();
  run(two, {}, again, &log, 1);
  EXPECT_EQ(log.size(), 1U);
}

/// Bandwidths differ: the same volume takes twice as long on the second I/O node.
TEST(Engine, IoNodesMayDiffer) {
  Workload two{Machine{{{1, 2.0}, {1, 1.0}}}, {sample_job(0, {{1, 4}}), sample_job(1, {{1, 4}})}};
  AtRelease mapper({0, 1});
  std::vector<Placement> placements = run(two, {}, mapper);
  EXPECT_EQ(placements[0].end, 3 * second);
  EXPECT_EQ(placements[1].end, 5 * second);
}

}  // namespace
}  // namespace refrain::schedule
