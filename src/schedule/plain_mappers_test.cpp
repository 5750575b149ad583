// The mappings as they are defined, each a loop over all jobs and partitions, beside the ones that look only
// at what changed: random workloads must give the same packs, places and times.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/test_rounds.hpp"
#include "schedule/mapping.hpp"
#include "schedule/random.hpp"
#include "schedule/sample_jobs.hpp"

namespace refrain::schedule {
namespace {

uint32_t smallest_partition_for(const Machine& machine, uint32_t nodes) {
  uint32_t smallest = machine.largest_partition();
  for (const IoNode& io_node : machine.io_nodes) {
    if (io_node.nodes >= nodes) smallest = std::min(smallest, io_node.nodes);
  }
  return smallest;
}

bool takes(const Pack& pack, uint32_t nodes, Time io, double sensibility) {
  return nodes <= pack.capacity - pack.nodes &&
         static_cast<double>(pack.io + io) <= sensibility * static_cast<double>(pack.length);
}

std::vector<Pack> plain_packs(const Workload& workload, const Costs& costs, double sensibility) {
  std::vector<Pack> packs;
  std::vector<size_t> fullest_first;  // equals in the order of their making
  for (uint32_t job : longest_first(workload, costs)) {
    uint32_t nodes = workload.jobs[job].nodes;
    const Cost& cost = costs.best(job);
    auto chosen = std::find_if(fullest_first.begin(), fullest_first.end(),
                               [&](size_t p) { return takes(packs[p], nodes, cost.io, sensibility); });
    if (chosen == fullest_first.end()) {
      packs.push_back({.capacity = smallest_partition_for(workload.machine, nodes), .length = cost.alone});
      chosen = fullest_first.insert(chosen, packs.size() - 1);
    }
    Pack& pack = packs[*chosen];
    pack.jobs.push_back(job);
    pack.nodes += nodes;
    pack.io += cost.io;
    pack.release = std::max(pack.release, workload.jobs[job].release);
    auto place =
        std::find_if(fullest_first.begin(), chosen, [&](size_t p) { return packs[p].nodes < pack.nodes; });
    std::rotate(place, chosen, chosen + 1);
  }
  return packs;
}

std::vector<std::vector<size_t>> plain_places(const Workload& workload, const Costs& costs,
                                              const std::vector<Pack>& packs) {
  const std::vector<IoNode>& io_nodes = workload.machine.io_nodes;
  std::vector<std::vector<size_t>> order(io_nodes.size());
  std::vector<Time> free_at(io_nodes.size());
  std::vector<size_t> longest(packs.size());
  std::iota(longest.begin(), longest.end(), size_t{0});
  std::stable_sort(longest.begin(), longest.end(),
                   [&](size_t a, size_t b) { return packs[a].length > packs[b].length; });
  for (size_t p : longest) {
    uint32_t best = 0;
    Time best_end = never;
    for (uint32_t r = 0; r < io_nodes.size(); ++r) {
      if (io_nodes[r].nodes < packs[p].nodes) continue;
      Time length = 0;
      for (uint32_t job : packs[p].jobs) length = std::max(length, costs.at(job, r).alone);
      Time end = std::max(free_at[r], packs[p].release) + length;
      if (end < best_end) {
        best = r;
        best_end = end;
      }
    }
    order[best].push_back(p);
    free_at[best] = best_end;
  }
  return order;
}

/// The right of the first blocked job.
struct Reservation {
  uint32_t partition = 0;
  Time begin = never;
  uint32_t nodes_left = 0;  ///< when it begins, with the reserved job
  Load load = 0;            ///< likewise
};

class PlainEasy : public Mapper {
 public:
  PlainEasy(const Workload& workload, double sensibility)
      : limit_(sensibility * static_cast<double>(full_load)),
        waiting_(longest_first(workload, Costs(workload))) {}

  void start_jobs(Time now, Floor& floor) override {
    bool blocked = false;
    Reservation reservation;
    size_t kept = 0;
    for (size_t i = 0; i < waiting_.size(); ++i) {
      uint32_t job = waiting_[i];
      bool starts = floor.workload().jobs[job].release <= now && start(job, now, floor, blocked, reservation);
      if (!starts) waiting_[kept++] = job;
      if (starts || blocked || floor.workload().jobs[job].release > now) continue;
      blocked = true;
      reservation = reserve(job, now, floor);
    }
    waiting_.resize(kept);
  }

 private:
  bool within_limit(Load load) const { return static_cast<double>(load) <= limit_; }

  bool fits(uint32_t job, uint32_t p, const Floor& floor) const {
    return floor.workload().jobs[job].nodes <= floor.free_nodes(p) &&
           (floor.running(p).empty() || within_limit(floor.load(p) + floor.costs().at(job, p).load));
  }

  /// Whether starting the job on the reserved partition would not delay the reservation. If it runs into it,
  /// it takes its part of what is left.
  bool may_pass(uint32_t job, Time now, const Floor& floor, Reservation& reservation, bool take) const {
    const Cost& cost = floor.costs().at(job, reservation.partition);
    if (now + cost.alone <= reservation.begin) return true;
    uint32_t nodes = floor.workload().jobs[job].nodes;
    if (nodes > reservation.nodes_left || !within_limit(reservation.load + cost.load)) return false;
    if (take) {
      reservation.nodes_left -= nodes;
      reservation.load += cost.load;
    }
    return true;
  }

  bool start(uint32_t job, Time now, Floor& floor, bool blocked, Reservation& reservation) {
    uint32_t best = floor.partitions();
    for (uint32_t p = 0; p < floor.partitions(); ++p) {
      if (!fits(job, p, floor)) continue;
      if (blocked && p == reservation.partition && !may_pass(job, now, floor, reservation, false)) continue;
      if (best == floor.partitions() || floor.load(p) < floor.load(best)) best = p;
    }
    if (best == floor.partitions()) return false;
    if (blocked && best == reservation.partition) may_pass(job, now, floor, reservation, true);
    floor.start(job, best, now);
    return true;
  }

  Reservation reserve(uint32_t job, Time now, const Floor& floor) const {
    Reservation best;
    for (uint32_t p = 0; p < floor.partitions(); ++p) {
      if (floor.workload().machine.io_nodes[p].nodes < floor.workload().jobs[job].nodes) continue;
      Reservation found = reserve_on(p, job, now, floor);
      if (found.begin < best.begin) best = found;
    }
    return best;
  }

  Reservation reserve_on(uint32_t p, uint32_t job, Time now, const Floor& floor) const {
    uint32_t nodes = floor.workload().jobs[job].nodes;
    Load own = floor.costs().at(job, p).load;
    std::vector<Floor::Running> running(floor.running(p).begin(), floor.running(p).end());
    uint32_t free = floor.free_nodes(p);
    Load load = floor.load(p);
    Time begin = now;
    size_t gone = 0;
    while (gone < running.size() && (free < nodes || !within_limit(load + own))) {
      free += floor.workload().jobs[running[gone].job].nodes;
      load -= floor.costs().at(running[gone].job, p).load;
      begin = std::max(now, running[gone].expected_end);
      ++gone;
    }
    return {p, begin, free - nodes, load + own};
  }

  double limit_;
  std::vector<uint32_t> waiting_;  ///< by decreasing time without contention
};

class PlainBackfill : public Mapper {
 public:
  PlainBackfill(std::vector<Pack> packs, std::vector<std::vector<size_t>> order, const Workload& workload,
                double sensibility)
      : packs_(std::move(packs)),
        order_(std::move(order)),
        pack_end_(order_.size()),
        limit_(sensibility * static_cast<double>(full_load)),
        waiting_(longest_first(workload, Costs(workload))),
        started_(workload.jobs.size()) {}

  void start_jobs(Time now, Floor& floor) override {
    for (uint32_t p = 0; p < floor.partitions(); ++p) {
      if (floor.running(p).empty()) start_pack(p, p, now, floor);
    }
    for (uint32_t p = 0; p < floor.partitions(); ++p) {
      if (floor.running(p).empty() && order_[p].empty()) start_pack(p, longest_waiting(p), now, floor);
    }
    for (uint32_t p = 0; p < floor.partitions(); ++p) fill(p, now, floor);
    std::erase_if(waiting_, [this](uint32_t job) { return started_[job]; });
  }

 private:
  void start(uint32_t job, uint32_t p, Time now, Floor& floor) {
    floor.start(job, p, now);
    started_[job] = true;
  }

  bool is_gone(size_t pack) const {
    const std::vector<uint32_t>& jobs = packs_[pack].jobs;
    return std::all_of(jobs.begin(), jobs.end(), [this](uint32_t job) { return started_[job]; });
  }

  /// Starts the first pack in the order of `from` that is left, on `p`, if it is released and fits.
  void start_pack(uint32_t p, uint32_t from, Time now, Floor& floor) {
    std::vector<size_t>& order = order_[from];
    while (!order.empty() && is_gone(order.front())) order.erase(order.begin());
    if (order.empty()) return;
    const Pack& pack = packs_[order.front()];
    if (pack.release > now || pack.nodes > floor.free_nodes(p)) return;
    for (uint32_t job : pack.jobs) {
      if (!started_[job]) start(job, p, now, floor);
    }
    for (const Floor::Running& running : floor.running(p)) {
      pack_end_[p] = std::max(pack_end_[p], running.expected_end);
    }
    order.erase(order.begin());
  }

  /// The partition whose next pack is the longest; orders are by decreasing length.
  uint32_t longest_waiting(uint32_t p) const {
    uint32_t best = p;
    for (uint32_t other = 0; other < order_.size(); ++other) {
      if (order_[other].empty()) continue;
      bool longer =
          order_[best].empty() || packs_[order_[other].front()].length > packs_[order_[best].front()].length;
      if (longer) best = other;
    }
    return best;
  }

  void fill(uint32_t p, Time now, Floor& floor) {
    if (floor.running(p).empty()) return;
    for (uint32_t job : waiting_) {
      if (floor.free_nodes(p) == 0) return;
      const Job& candidate = floor.workload().jobs[job];
      const Cost& cost = floor.costs().at(job, p);
      if (started_[job] || candidate.release > now || candidate.nodes > floor.free_nodes(p)) continue;
      if (now + cost.alone > pack_end_[p]) continue;
      if (static_cast<double>(floor.load(p) + cost.load) > limit_) continue;
      start(job, p, now, floor);
    }
  }

  std::vector<Pack> packs_;
  std::vector<std::vector<size_t>> order_;  ///< by partition, packs that wait
  std::vector<Time> pack_end_;              ///< by partition, when its running pack should end
  double limit_;                            ///< of the load
  std::vector<uint32_t> waiting_;
  std::vector<bool> started_;
};

/// Few values of everything, so that much coincides; `size` jobs.
Workload draw(Random& random, uint64_t size) {
  Workload workload;
  uint64_t partitions = 1 + random.below(5);
  bool differ = random.below(2) == 0;
  for (uint64_t p = 0; p < partitions; ++p) {
    workload.machine.io_nodes.push_back({differ && p > 0 ? static_cast<uint32_t>(1 + random.below(16)) : 16,
                                         differ ? 0.5 * static_cast<double>(1 + random.below(3)) : 1.0});
  }
  bool all_at_once = random.below(2) == 0;
  for (uint64_t id = 0; id < size; ++id) {
    auto nodes = static_cast<uint32_t>(1 + random.below(1 + random.below(16)));
    Job job =
        periodic_job(static_cast<int64_t>(id), nodes, random.below(4),
                     static_cast<Time>(random.below(10)) * second, static_cast<double>(random.below(8)));
    if (!all_at_once) job.release = static_cast<Time>(random.below(20 * size)) * second / 10;
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

std::vector<std::vector<uint32_t>> jobs_of(const std::vector<Pack>& packs) {
  std::vector<std::vector<uint32_t>> jobs;
  for (const Pack& pack : packs) jobs.push_back(pack.jobs);
  return jobs;
}

void expect_same_runs(const Workload& workload, const Discipline& discipline, Mapper& mapper, Mapper& plain) {
  std::vector<Placement> found = run(workload, discipline, mapper);
  std::vector<Placement> expected = run(workload, discipline, plain);
  for (size_t job = 0; job < found.size(); ++job) {
    ASSERT_EQ(found[job].partition, expected[job].partition) << "job " << job;
    ASSERT_EQ(found[job].start, expected[job].start) << "job " << job;
    ASSERT_EQ(found[job].end, expected[job].end) << "job " << job;
  }
}

TEST(PlainMappers, GiveTheSameSchedules) {
  Random random(7, 1);
  for (int round = 0; round < test_rounds(400); ++round) {
    Workload workload = draw(random, 1 + random.below(60));
    double sensibility = std::vector<double>{0.3, 1, 1.5, any_load}[random.below(4)];
    const Discipline discipline = by_policy(round % 2 == 0 ? "fifo" : "stretch");
    SCOPED_TRACE(testing::Message() << "round " << round << ", S = " << sensibility);
    Costs costs(workload);
    std::vector<Pack> packs = plain_packs(workload, costs, sensibility);
    ASSERT_EQ(jobs_of(make_packs(workload, costs, sensibility)), jobs_of(packs));
    std::vector<std::vector<size_t>> places = plain_places(workload, costs, packs);
    ASSERT_EQ(place_packs(workload, costs, packs), places);
    std::unique_ptr<Mapper> backfill = backfill_mapper(packs, places, workload, sensibility);
    PlainBackfill plain_backfill(packs, places, workload, sensibility);
    expect_same_runs(workload, discipline, *backfill, plain_backfill);
    std::unique_ptr<Mapper> easy = easy_mapper(workload, sensibility);
    PlainEasy plain_easy(workload, sensibility);
    expect_same_runs(workload, discipline, *easy, plain_easy);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace refrain::schedule
