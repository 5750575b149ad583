// k transfers that share a bandwidth all progress at the same rate, 1/k of the whole. So instead of updating
// each of them at every change of k, one counter says how much service everyone present has been given since
// the beginning. A transfer of length v that arrives when the counter stands at c ends when it reaches c + v;
// the order of ends never changes, and a heap of them is all there is: O(log n) per transfer.
//
// Example: A (4 s) arrives at 0, B (1 s) at 1. At 1 the counter is 1; B will end at 2, A at 4. Both share, so
// the counter needs 2 s to get from 1 to 2: B ends at 3. A is alone then and needs from 2 to 4: it ends at 5.
//
// When transfers disturb each other, together they get less than the whole: the paper measured a loss of 2 to
// 16% with four applications. With a degradation d, k >= 2 transfers get (1 - d)/k each.
//
// The counter has 32 binary digits behind the nanosecond, rounded down; ends are rounded up to the next
// nanosecond. This is the only mode in which times are rounded after a job has started.
#include "schedule/shared_station.hpp"

#include <algorithm>
#include <cmath>

namespace refrain::schedule {

namespace {

constexpr unsigned fraction_bits = 32;
constexpr Wide all_parts = Wide{1} << 30U;  ///< parts of a bandwidth

}  // namespace

SharedStation::SharedStation(double degradation)
    : kept_(wide(std::max<int64_t>(1, std::llround((1 - degradation) * static_cast<double>(all_parts))))) {}

/// Moves the counter to `now`.
void SharedStation::catch_up(Time now) {
  if (!waiting_.empty()) {
    Wide parts = waiting_.size() > 1 ? kept_ : all_parts;
    served_ += ((wide(now - now_) << fraction_bits) / waiting_.size()) * parts / all_parts;
  }
  now_ = now;
}

/// Makes up for what was rounded down on the way to an end.
void SharedStation::reach(Wide finish) { served_ = std::max(served_, finish); }

void SharedStation::forecast() {
  if (waiting_.empty()) {
    next_ = never;
    return;
  }
  Wide parts = waiting_.size() > 1 ? kept_ : all_parts;
  Wide missing = (first().finish - std::min(served_, first().finish)) * waiting_.size();
  Wide scaled = (missing * all_parts + parts - 1) / parts;
  Wide unit = Wide{1} << fraction_bits;
  next_ = now_ + std::max<Time>(1, static_cast<Time>((scaled + unit - 1) / unit));
}

void SharedStation::arrive(Time now, const Request& request) {
  catch_up(now);
  waiting_.push_back({served_ + (wide(request.io) << fraction_bits), request.job});
  std::push_heap(waiting_.begin(), waiting_.end(), [](const Transfer& a, const Transfer& b) {
    return a.finish > b.finish || (a.finish == b.finish && a.job > b.job);
  });
  forecast();
}

uint64_t SharedStation::take_first() {
  std::pop_heap(waiting_.begin(), waiting_.end(), [](const Transfer& a, const Transfer& b) {
    return a.finish > b.finish || (a.finish == b.finish && a.job > b.job);
  });
  uint64_t job = waiting_.back().job;
  waiting_.pop_back();
  return job;
}

}  // namespace refrain::schedule
