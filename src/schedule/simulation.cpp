// The engine knows four kinds of events: a compute phase ends, an I/O ends, a job is released, a job starts.
// Partitions do not influence each other except through the mapper, which acts only when jobs end or are
// released. So each partition has its own heap of compute phases and its own station, and runs ahead on its
// own until the next instant at which another partition has an event; only instants at which some job ends
// are lived through together.
//
// All events of one instant settle before anything is granted:
//   1. I/O that ends now gives way to the next compute phase, compute phases that end now turn into requests.
//      Phases of length zero pass in the same instant, so this goes on until nothing more ends now.
//   2. If jobs ended or were released, the mapper may start others, which take part in step 1.
//   3. Each station grants its I/O node to the request that its policy prefers.
// Without this order, who is served would depend on the order in which simultaneous events are looked at.
//
// Example (one I/O node, fifo): A computes 2 and writes 3, B computes 5 and writes 1, C computes 2, writes 1.
// At 2, A and C ask; both waited since 2, A has the lower id: it writes until 5. At 5, A ends its I/O and B
// asks; only then is the I/O node granted, to C, which has waited since 2: until 6. Then B, until 7.
//
// A job's phases are never expanded: a cursor goes through its blocks. An I/O phase costs one push and pop in
// the heap of compute phases and one in the station: O(log n) for n running jobs.
#include "schedule/simulation.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "schedule/job_progress.hpp"
#include "schedule/stations.hpp"

namespace refrain::schedule {

namespace {

/// What all partitions share.
struct Common {
  std::vector<Progress> jobs;   ///< by position in the workload
  std::vector<uint32_t> ended;  ///< in the present instant
  std::vector<IoInterval>* log = nullptr;
  size_t log_limit = 0;
};

template <class Station>
class Partition {
 public:
  Partition(uint32_t number, Station station, Common& common)
      : number_(number), station_(std::move(station)), common_(common) {}

  Time next() const { return std::min(computing_.next(), station_.next()); }

  void start(uint32_t job, Time now) { go_on(job, now); }

  void settle(Time now) {
    if (station_.next() == now) {
      station_.complete(now, [&](uint64_t job) { end_io(static_cast<uint32_t>(job), now); });
    }
    while (computing_.next() == now) end_compute(static_cast<uint32_t>(computing_.pop().job), now);
  }

  void grant(Time now) {
    station_.grant(now, [&](uint64_t job) { return common_.jobs[job].step().io; });
  }

  /// Lives through all instants before `horizon`, or up to the one in which a job ends; that one is settled
  /// but nothing is granted yet. Returns it, or `never`.
  Time run(Time horizon) {
    for (Time now = next(); now < horizon; now = next()) {
      settle(now);
      if (!common_.ended.empty()) return now;
      grant(now);
    }
    return never;
  }

 private:
  /// To the next compute phase, or the end.
  void go_on(uint32_t job, Time now) {
    Progress& progress = common_.jobs[job];
    if (progress.is_over()) {
      progress.forget_steps();
      common_.ended.push_back(job);
    } else {
      computing_.push({now + progress.step().compute, job});
    }
  }

  void end_compute(uint32_t job, Time now) {
    Progress& progress = common_.jobs[job];
    progress.computed();
    if (progress.step().io > 0) {
      station_.arrive(now, progress.request(job, now));
    } else {
      progress.next();
      go_on(job, now);
    }
  }

  void end_io(uint32_t job, Time now) {
    Progress& progress = common_.jobs[job];
    if (common_.log != nullptr && common_.log->size() < common_.log_limit) {
      common_.log->push_back({number_, job, progress.requested(), now, progress.step().io});
    }
    progress.wrote();
    progress.next();
    go_on(job, now);
  }

  uint32_t number_;
  Heap computing_;  ///< ends of compute phases
  Station station_;
  Common& common_;
};

template <class Station>
class Engine {
 public:
  template <class MakeStation>
  Engine(const Workload& workload, Mapper& mapper, MakeStation make_station, std::vector<IoInterval>* log,
         size_t log_limit)
      : workload_(workload), mapper_(mapper), floor_(workload), placements_(workload.jobs.size()) {
    is_touched_.resize(floor_.partitions());
    common_.jobs.resize(workload.jobs.size());
    common_.log = log;
    common_.log_limit = log_limit;
    for (uint32_t p = 0; p < floor_.partitions(); ++p) partitions_.emplace_back(p, make_station(), common_);
    for (const Job& job : workload.jobs) releases_.push_back(job.release);
    std::sort(releases_.rbegin(), releases_.rend());
  }

  std::vector<Placement> run() {
    instant(0, true);
    while (ended_ < workload_.jobs.size()) {
      Time release = releases_.empty() ? never : releases_.back();
      if (clock_.empty() || release <= clock_.next()) {
        REFRAIN_CHECK(release != never);
        instant(release, true);
        continue;
      }
      Heap::Entry earliest = clock_.pop();
      Partition<Station>& partition = partitions_[earliest.job];
      if (partition.next() != earliest.key) continue;  // it was given an earlier event since
      Time stopped = partition.run(std::min(release, clock_.next()));
      if (stopped != never) {
        touch(static_cast<uint32_t>(earliest.job));
        instant(stopped, true);
      } else if (partition.next() != never) {
        clock_.push({partition.next(), earliest.job});
        if (clock_.top().key == partition.next() && release > partition.next()) {
          instant(partition.next(), false);
        }
      }
    }
    return std::move(placements_);
  }

 private:
  /// Lives through an instant on all partitions that take part in it; `decide`: the mapper has to be asked.
  void instant(Time now, bool decide) {
    while (clock_.next() == now) {
      auto p = static_cast<uint32_t>(clock_.pop().job);
      if (partitions_[p].next() != now) continue;
      partitions_[p].settle(now);
      touch(p);
    }
    while (!releases_.empty() && releases_.back() <= now) releases_.pop_back();
    for (; decide || !common_.ended.empty(); decide = false) ask_mapper(now);
    for (uint32_t p : touched_) {
      is_touched_[p] = false;
      partitions_[p].grant(now);
      if (partitions_[p].next() != never) clock_.push({partitions_[p].next(), p});
    }
    touched_.clear();
  }

  void ask_mapper(Time now) {
    for (uint32_t job : common_.ended) {
      placements_[job].end = now;
      floor_.end(job, placements_[job].partition);
      ++ended_;
    }
    common_.ended.clear();
    mapper_.start_jobs(now, floor_);
    std::vector<Floor::Start> started = floor_.take_started();
    for (const Floor::Start& start : started) {
      double bandwidth = workload_.machine.io_nodes[start.partition].bandwidth;
      placements_[start.job] = {start.partition, now, now};
      common_.jobs[start.job] = Progress(workload_.jobs[start.job],
                                         floor_.costs().at(start.job, start.partition).alone, bandwidth, now);
      partitions_[start.partition].start(start.job, now);
      touch(start.partition);
    }
    for (const Floor::Start& start : started) partitions_[start.partition].settle(now);
  }

  void touch(uint32_t partition) {
    if (is_touched_[partition]) return;
    is_touched_[partition] = true;
    touched_.push_back(partition);
  }

  const Workload& workload_;
  Mapper& mapper_;
  Floor floor_;
  Common common_;
  std::vector<Partition<Station>> partitions_;
  Heap clock_;                     ///< next instants of the partitions; may hold outdated ones
  std::vector<Time> releases_;     ///< still to come, the last one first
  std::vector<uint32_t> touched_;  ///< partitions that take part in the present instant
  std::vector<bool> is_touched_;   ///< by partition: stands there
  std::vector<Placement> placements_;
  size_t ended_ = 0;
};

}  // namespace

std::vector<Placement> run(const Workload& workload, const Discipline& discipline, Mapper& mapper,
                           std::vector<IoInterval>* log, size_t log_limit) {
  auto with = [&]<class MakeStation>(MakeStation make_station) {
    using Station = decltype(make_station());
    return Engine<Station>(workload, mapper, make_station, log, log_limit).run();
  };
  switch (discipline.sharing) {
    case Sharing::shared:
      return with([&] { return SharedStation(discipline.degradation); });
    case Sharing::preemptive:
      return with([] { return PreemptiveStation(); });
    case Sharing::unlimited:
      return with([] { return UnlimitedStation(); });
    case Sharing::exclusive:
      break;
  }
  if (discipline.policy->ages) return with([&] { return ExclusiveStation<Tournament>(*discipline.policy); });
  return with([&] { return ExclusiveStation<SteadyQueue>(*discipline.policy); });
}

}  // namespace refrain::schedule
