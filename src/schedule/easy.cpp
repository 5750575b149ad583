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
//
// Only what changed is looked at. A job that could not start on a partition can't start there later either,
// unless jobs ended there or the partition was reserved: so once a job is blocked, those behind it are sought
// for such partitions only (`WaitingJobs`), and newly released ones are held against all. The order is the
// same as if all were gone through: what is free only shrinks while jobs start, so that a job which was
// passed over would be so again.
#include <algorithm>

#include "base/check.hpp"
#include "schedule/mapping.hpp"
#include "schedule/waiting.hpp"

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
      : most_load_(largest_within(sensibility * static_cast<double>(full_load))),
        waiting_(workload, Costs(workload)),
        may_have_room_(workload.machine.io_nodes.size(), true),
        reservations_(workload.machine.io_nodes.size()) {}

  void take_over(const Floor& floor) override { waiting_.remove_running(floor); }

  void start_jobs(Time now, Floor& floor) override {
    std::vector<uint32_t> fresh = waiting_.let_in(now);
    for (uint32_t p : floor.take_freed()) {
      may_have_room_[p] = true;
      reservations_[p].job = none;
    }
    for (;;) {
      WaitingJobs::Position longest = waiting_.longest();
      if (longest == WaitingJobs::none) return;
      uint32_t job = waiting_.job(longest);
      if (start(job, now, floor, nullptr) != none) continue;
      Reservation reservation = reserve(job, now, floor);
      for (uint32_t other : fresh) mark_room_for(other, floor);
      may_have_room_[reservation.partition] = true;
      start_behind(now, floor, reservation);
      may_have_room_[reservation.partition] = true;  // should the next reservation be elsewhere
      return;
    }
  }

 private:
  static constexpr uint32_t none = UINT32_MAX;

  /// A partition on which a job behind the blocked one may start, and the first that fits.
  struct Offer {
    uint32_t partition = 0;
    WaitingJobs::Position first = WaitingJobs::none;
  };
  /// The reservation that a partition last gave, without regard to the time at which it was asked.
  struct Kept {
    uint32_t job = none;
    Reservation reservation{};
  };

  Room free_room(uint32_t p, const Floor& floor) const {
    bool takes_any_load = floor.running(p).empty();
    return {floor.free_nodes(p), takes_any_load ? never : most_load_ - floor.load(p), never};
  }

  static Room need(uint32_t job, uint32_t p, const Floor& floor) {
    const Cost& cost = floor.costs().at(job, p);
    return {floor.workload().jobs[job].nodes, cost.load, cost.alone};
  }

  bool fits(uint32_t job, uint32_t p, const Floor& floor) const {
    return free_room(p, floor).holds(need(job, p, floor));
  }

  /// What the reservation leaves to jobs that run into it.
  Room beside(const Reservation& reservation) const {
    return {reservation.nodes_left, most_load_ - reservation.load, never};
  }
  /// What is left to jobs that end before it begins.
  static Room before(const Reservation& reservation, Time now) {
    return {UINT32_MAX, never, reservation.begin - now};
  }

  /// Starts the job on the least loaded partition that takes it and returns that, or `none`.
  uint32_t start(uint32_t job, Time now, Floor& floor, Reservation* reservation) {
    uint32_t best = none;
    for (uint32_t p = 0; p < floor.partitions(); ++p) {
      if (best != none && floor.load(p) >= floor.load(best)) continue;
      if (!fits(job, p, floor)) continue;
      if (reservation != nullptr && p == reservation->partition) {
        Room needed = need(job, p, floor);
        if (!before(*reservation, now).holds(needed) && !beside(*reservation).holds(needed)) continue;
      }
      best = p;
    }
    if (best == none) return none;
    if (reservation != nullptr && best == reservation->partition) {
      Room needed = need(job, best, floor);
      if (!before(*reservation, now).holds(needed)) {
        reservation->nodes_left -= needed.nodes;
        reservation->load += needed.load;
      }
    }
    floor.start(job, best, now);
    waiting_.remove(job);
    reservations_[best].job = none;
    return best;
  }

  void mark_room_for(uint32_t job, const Floor& floor) {
    for (uint32_t p = 0; p < floor.partitions(); ++p) {
      if (!may_have_room_[p] && fits(job, p, floor)) may_have_room_[p] = true;
    }
  }

  /// The first job that may start on `p` while the reservation holds.
  WaitingJobs::Position first_on(uint32_t p, Time now, const Floor& floor,
                                 const Reservation& reservation) const {
    size_t kind = floor.costs().kind(p);
    Room free = free_room(p, floor);
    if (p != reservation.partition) return waiting_.first(kind, free);
    auto both = [&free](const Room& room) {
      return Room{std::min(free.nodes, room.nodes), std::min(free.load, room.load),
                  std::min(free.time, room.time)};
    };
    return std::min(waiting_.first(kind, both(before(reservation, now))),
                    waiting_.first(kind, both(beside(reservation))));
  }

  /// Starts the jobs that may pass the blocked one.
  void start_behind(Time now, Floor& floor, Reservation& reservation) {
    std::vector<Offer> offers;
    for (uint32_t p = 0; p < floor.partitions(); ++p) {
      if (may_have_room_[p]) offers.push_back({p, first_on(p, now, floor, reservation)});
      may_have_room_[p] = false;
    }
    for (;;) {
      WaitingJobs::Position next = WaitingJobs::none;
      for (const Offer& offer : offers) next = std::min(next, offer.first);
      if (next == WaitingJobs::none) return;
      uint32_t taken = start(waiting_.job(next), now, floor, &reservation);
      REFRAIN_CHECK(taken != none);
      for (Offer& offer : offers) {
        if (offer.first != next && offer.partition != taken) continue;
        offer.first = first_on(offer.partition, now, floor, reservation);
      }
    }
  }

  Reservation reserve(uint32_t job, Time now, const Floor& floor) {
    Reservation best;
    for (uint32_t p = 0; p < floor.partitions(); ++p) {
      if (floor.workload().machine.io_nodes[p].nodes < floor.workload().jobs[job].nodes) continue;
      if (reservations_[p].job != job) reservations_[p] = {job, reserve_on(p, job, floor)};
      Reservation found = reservations_[p].reservation;
      found.begin = std::max(now, found.begin);
      if (found.begin < best.begin) best = found;
    }
    return best;
  }

  Reservation reserve_on(uint32_t p, uint32_t job, const Floor& floor) const {
    Room needed = need(job, p, floor);
    uint32_t free = floor.free_nodes(p);
    Load load = floor.load(p);
    Time begin = 0;
    for (const Floor::Running& running : floor.running(p)) {
      if (free >= needed.nodes && load + needed.load <= most_load_) break;
      free += running.nodes;
      load -= running.load;
      begin = running.expected_end;
    }
    return {p, begin, free - needed.nodes, load + needed.load};
  }

  Load most_load_;
  WaitingJobs waiting_;
  std::vector<bool> may_have_room_;  ///< by partition: a job that waits may fit
  std::vector<Kept> reservations_;   ///< by partition
};

}  // namespace

std::unique_ptr<Mapper> easy_mapper(const Workload& workload, double sensibility) {
  return std::make_unique<EasyMapper>(workload, sensibility);
}

}  // namespace refrain::schedule
