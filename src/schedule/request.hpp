// What a policy sees and what it answers: a request for I/O, and how its urgency grows while it waits.
#pragma once

#include "schedule/time.hpp"

namespace refrain::schedule {

/// A job that waits for its I/O node. Nothing in it changes before it is served.
struct Request {
  uint64_t job = 0;    ///< the lower goes first among equals: in a simulation the position, the order of ids
  Time requested = 0;  ///< when it began to wait
  Time io = 0;         ///< length of the I/O it waits for
  Time remaining = 0;  ///< work left without contention, this I/O included
  Time started = 0;    ///< when the job started
  Time io_done = 0;    ///< I/O time it has had since then
  Time work_done = 0;  ///< I/O and compute time it has had since then
};

/// The line (now - since) / per. The request with the largest value is served, the lowest id among equals.
/// A `per` of zero stands for a value beyond all others. Where `per` differs between requests it must not be
/// negative, and `since` must lie between 0 and now.
struct Urgency {
  Time since = 0;
  Time per = 1;
};

}  // namespace refrain::schedule
