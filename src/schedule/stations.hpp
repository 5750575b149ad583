// The ways in which an I/O node may serve the jobs behind it. Each station has
//   arrive(now, request)  a job wants to do I/O
//   next()                the next instant at which some I/O ends, or `never`
//   complete(now, done)   calls done(job) for each I/O that ends now
//   grant(now, io_of)     called when all that happens at `now` has settled; io_of(job) is the length of its
//   I/O
// Templates, because the engine spends its time here.
#pragma once

#include "schedule/heap.hpp"
#include "schedule/policy.hpp"
#include "schedule/shared_station.hpp"
#include "schedule/tournament.hpp"

namespace refrain::schedule {

/// Requests of a policy whose order never changes while they wait.
class SteadyQueue {
 public:
  bool empty() const { return heap_.empty(); }
  void push(Time, uint64_t job, Urgency urgency) { heap_.push({urgency.since, job}); }
  uint64_t pop(Time) { return heap_.pop().job; }

 private:
  Heap heap_;
};

/// The requests that wait for an I/O node, in the order of a policy: what simulation and coordinator share.
template <class Queue>
class PolicyQueue {
 public:
  explicit PolicyQueue(const Policy& policy) : urgency_(policy.urgency) {}

  bool empty() const { return queue_.empty(); }
  void push(Time now, const Request& request) { queue_.push(now, request.job, urgency_(request)); }
  /// Takes out the request that is to be served at `now`. There must be one.
  uint64_t pop(Time now) { return queue_.pop(now); }

 private:
  Urgency (*urgency_)(const Request&);
  Queue queue_;
};

/// One job at a time, to the end of its I/O: the model of the paper.
template <class Queue>
class ExclusiveStation {
 public:
  explicit ExclusiveStation(const Policy& policy) : queue_(policy) {}

  void arrive(Time now, const Request& request) { queue_.push(now, request); }
  Time next() const { return busy_until_; }
  template <class Done>
  void complete(Time, Done done) {
    busy_until_ = never;
    done(current_);
  }
  template <class IoOf>
  void grant(Time now, IoOf io_of) {
    if (busy_until_ != never || queue_.empty()) return;
    current_ = queue_.pop(now);
    busy_until_ = now + io_of(current_);
  }

 private:
  PolicyQueue<Queue> queue_;
  uint64_t current_ = 0;
  Time busy_until_ = never;
};

/// One job at a time, always the one with the shortest I/O left; whoever has more left is interrupted. Equals
/// are not.
class PreemptiveStation {
 public:
  void arrive(Time, const Request& request) { left_.push({request.io, request.job}); }
  Time next() const { return busy_until_; }
  template <class Done>
  void complete(Time, Done done) {
    busy_until_ = never;
    done(current_);
  }
  template <class IoOf>
  void grant(Time now, IoOf) {
    if (left_.empty()) return;
    if (busy_until_ != never) {
      if (left_.top().key >= busy_until_ - now) return;
      left_.push({busy_until_ - now, current_});
    }
    Heap::Entry shortest = left_.pop();
    current_ = shortest.job;
    busy_until_ = now + shortest.key;
  }

 private:
  Heap left_;
  uint64_t current_ = 0;
  Time busy_until_ = never;
};

/// Every job has the whole bandwidth for itself: no contention, the ideal that others are compared with.
class UnlimitedStation {
 public:
  void arrive(Time now, const Request& request) { ends_.push({now + request.io, request.job}); }
  Time next() const { return ends_.next(); }
  template <class Done>
  void complete(Time now, Done done) {
    while (ends_.next() == now) done(ends_.pop().job);
  }
  template <class IoOf>
  void grant(Time, IoOf) {}

 private:
  Heap ends_;
};

}  // namespace refrain::schedule
