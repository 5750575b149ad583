// A file of HDF5, netCDF or PnetCDF is complete when it is closed, and one process at a time may write it.
// Ranks and threads that hand one on, by messages which are not repeated, take turns with it, in the recorded
// order: from opening it until it is closed, each holds a lock on the byte of a file that stands for its
// name; there it also notes that a turn has ended, for those that come after. Kernels do the same
// (generate/runtime/turns.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "plan/turn_order.hpp"

namespace refrain::replay {

class Turns {
 public:
  /// Keeps its files in the folder of the replay. `rank` selects this rank's values in `places`.
  Turns(const std::string& folder, const plan::TurnPlaces& places, uint32_t rank);

  /// Waits until the file of this path is available, exclusively or for reading, and all turns before this
  /// one have ended. Gives up after a while and says so.
  void take(const plan::TurnCall& call, const std::string& path, bool alone);
  /// Waits until no other rank has the file.
  void await_end(const std::string& path);
  /// The last turn belongs to the file with this identifier and lasts until that is closed.
  void hold(uint64_t file);
  void end(uint64_t file);
  /// Starts over, for another round of all calls; all ranks have ended the last one.
  void begin_round();
  /// Why the order could not be kept; returned once, then empty.
  std::string complaint() { return std::exchange(complaint_, {}); }
  /// To be called when no rank needs the files any more.
  void remove() const;

 private:
  struct Turn {
    int lock = -1;
    int64_t place = 0;  ///< of the byte
  };
  int64_t place_of(const std::string& path) const;
  /// The number of turns before that of a call.
  int64_t before(const plan::TurnCall& call);
  void wait(const std::string& path, bool alone, int64_t after);

  std::string notes_file_;
  const plan::TurnPlaces& places_;
  uint32_t rank_;
  uint64_t round_ = 0;
  std::map<plan::TurnCall, int64_t> made_;  ///< calls, in this round
  Turn taken_;
  std::map<uint64_t, Turn> held_;  ///< by identifier
  bool order_lost_ = false;
  std::string complaint_;
};

}  // namespace refrain::replay
