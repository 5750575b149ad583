// Equal shares of the bandwidth for all who do I/O. See the essay in shared_station.cpp.
#pragma once

#include <vector>

#include "schedule/heap.hpp"
#include "schedule/request.hpp"

namespace refrain::schedule {

class SharedStation {
 public:
  /// `degradation` is the part of the bandwidth that is lost while two or more jobs share it, in [0, 1).
  explicit SharedStation(double degradation);

  void arrive(Time now, const Request& request);
  Time next() const { return next_; }
  template <class Done>
  void complete(Time now, Done done) {
    catch_up(now);
    reach(first().finish);
    while (!waiting_.empty() && first().finish <= served_) done(take_first());
    forecast();
  }
  template <class IoOf>
  void grant(Time, IoOf) {}

 private:
  struct Transfer {
    Wide finish = 0;
    uint64_t job = 0;
  };

  const Transfer& first() const { return waiting_.front(); }
  uint64_t take_first();
  void catch_up(Time now);
  void reach(Wide finish);
  void forecast();

  Wide kept_;        ///< parts of the bandwidth that remain when it is shared
  Wide served_ = 0;  ///< what a transfer would have got that has been here from the beginning
  Time now_ = 0;     ///< until when `served_` counts
  Time next_ = never;
  std::vector<Transfer> waiting_;  ///< a heap
};

}  // namespace refrain::schedule
