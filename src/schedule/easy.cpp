// EASY backfilling in two dimensions, nodes and I/O load. There are no packs. The load of a job is its I/O
// time divided by its time without contention, V/T; that of a partition the sum over the jobs it runs.
//
// Whenever jobs ended or were released, the waiting ones are gone through by decreasing T. A job starts if
// some partition has the nodes and stays within S with its load (an empty one takes any job); of several the
// least loaded. The first job that finds none gets a reservation: on each partition the running jobs are
// taken away in the order of their expected ends until it fits, and the partition where that is earliest is
// its own. Jobs after it may pass, but on that partition only if they should end before the reservation
// begins, or fit into what it leaves of nodes and load.
//
// Example: 8 nodes, S = 1, running A (6 nodes, load 0.5) until 10. B (4 nodes, load 0.8) is blocked and
// reserved for 10; it leaves 4 nodes and a load of 0.2. At 0, C (2 nodes, T = 9, load 0.5) passes, as it ends
// before 10. D (2 nodes, T = 20, load 0.1) passes as well, as B finds 4 nodes and a load of 0.9 with it; were
// its load 0.3, it would have to wait behind B.
//
// Expected ends ignore contention, as a batch scheduler can't know it; a job that is overdue is expected to
// end now. Reservations are made anew each time, so a late end delays nothing but the job that waits for it.
#include <algorithm>

#include "schedule/mapping.hpp"

namespace refrain::schedule {

namespace {

/// The right of the first blocked job.
struct Reservation {
  uint32_t partition = 0;
  Time begin = never;
  uint32_t nodes_left = 0;  ///< when it begins, with the reserved job
  Load load = 0;            ///< likewise
};

class EasyMapper : public Mapper {
 public:
  EasyMapper(const Workload& workload, double sensibility)
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
           (floor.running(p).empty() || within_limit(floor.load(p) + floor.costs().at(job, p).load()));
  }

  /// Whether starting the job on the reserved partition would not delay the reservation. If it runs into it,
  /// it takes its part of what is left.
  bool may_pass(uint32_t job, Time now, const Floor& floor, Reservation& reservation, bool take) const {
    const Cost& cost = floor.costs().at(job, reservation.partition);
    if (now + cost.alone <= reservation.begin) return true;
    uint32_t nodes = floor.workload().jobs[job].nodes;
    if (nodes > reservation.nodes_left || !within_limit(reservation.load + cost.load())) return false;
    if (take) {
      reservation.nodes_left -= nodes;
      reservation.load += cost.load();
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
    Load own = floor.costs().at(job, p).load();
    std::vector<Floor::Running> running = floor.running(p);
    std::stable_sort(running.begin(), running.end(), [](const Floor::Running& a, const Floor::Running& b) {
      return a.expected_end < b.expected_end;
    });
    uint32_t free = floor.free_nodes(p);
    Load load = floor.load(p);
    Time begin = now;
    size_t gone = 0;
    while (gone < running.size() && (free < nodes || !within_limit(load + own))) {
      free += floor.workload().jobs[running[gone].job].nodes;
      load -= floor.costs().at(running[gone].job, p).load();
      begin = std::max(now, running[gone].expected_end);
      ++gone;
    }
    return {p, begin, free - nodes, load + own};
  }

  double limit_;
  std::vector<uint32_t> waiting_;  ///< by decreasing time without contention
};

}  // namespace

std::unique_ptr<Mapper> easy_mapper(const Workload& workload, double sensibility) {
  return std::make_unique<EasyMapper>(workload, sensibility);
}

}  // namespace refrain::schedule
