// The parallel job that a replay runs in: who it is, as the launcher says, and what MPI is needed for beside
// the calls of the trace: adding up results, and ending all ranks when one fails.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.hpp"
#include "replay/libraries.hpp"
#include "replay/totals.hpp"

namespace refrain::replay {

/// Rank and size that the launcher left in the environment; 0 of 1 if there is none.
struct Place {
  uint32_t rank = 0;
  uint32_t size = 1;
  bool launched = false;
};
Place launched_place();

class World {
 public:
  World(Libraries& libraries, Place place) : libraries_(libraries), place_(place) {}

  const Place& place() const { return place_; }
  /// Whether MPI has been started and not ended.
  bool is_on();
  /// Starts and ends MPI where the trace doesn't.
  Result<void> begin();
  void end();
  /// Makes what adding up needs; all ranks call it when MPI has been started, by whomever. Messages of ours
  /// can't be taken for those of the trace then. Fails where MPI sees other processes than the launcher
  /// started: the launcher is that of another MPI library.
  Result<void> join();
  /// Adds up what all ranks did; all of them must call it, while MPI is on.
  Result<void> add_up(Totals& totals);
  /// Waits for all ranks.
  void meet();
  /// Makes a call of the trace that ends all ranks; a recording of the replay holds it.
  void abort(const RecordedAbort& abort);
  /// Ends all ranks.
  [[noreturn]] void abandon();

 private:
  void reduce(std::span<double> values, const char* operation);

  Libraries& libraries_;
  Place place_;
  uint64_t communicator_ = 0;
};

}  // namespace refrain::replay
