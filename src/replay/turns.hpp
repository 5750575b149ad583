// HDF5 lets one process at a time write a file. Ranks that hand one on, by messages which are not repeated,
// take turns with it, in the recorded order: from opening it until it is closed, each holds a lock on the
// byte of a file that stands for its name; there it also notes that a turn has ended, for those that come
// after. Kernels do the same (generate/runtime/hdf5_turns.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "plan/turn_order.hpp"

namespace refrain::replay {

class Turns {
 public:
  /// In the folder of the replay; `places` and who `rank` is in them.
  Turns(const std::string& folder, const plan::TurnPlaces& places, uint32_t rank);

  using Argument = std::pair<uint32_t, size_t>;  ///< number of the signature and of the operand
  /// Waits until the file of this path can be had, alone or among readers, and as many others have had it as
  /// come before this call. Not for ever: complains when it was in vain.
  void take(Argument argument, const std::string& path, bool alone);
  /// Waits until no other has the file.
  void await_end(const std::string& path);
  /// The turn that was taken last is that of the file with this identifier, until it is closed.
  void hold(uint64_t file);
  void end(uint64_t file);
  /// All calls are made once more, when all ranks have made theirs.
  void begin_round();
  /// Why the order was lost, once; empty otherwise.
  std::string complaint() { return std::exchange(complaint_, {}); }
  /// When no rank needs them any more.
  void remove() const;

 private:
  struct Turn {
    int lock = -1;
    int64_t place = 0;  ///< of the byte
  };
  int64_t place_of(const std::string& path) const;
  /// How many turns come before that of a call.
  int64_t before(Argument argument);
  void wait(const std::string& path, bool alone, int64_t after);

  std::string notes_file_;
  const plan::TurnPlaces& places_;
  uint32_t rank_;
  uint64_t round_ = 0;
  std::map<Argument, int64_t> made_;  ///< calls, in this round
  Turn taken_;
  std::map<uint64_t, Turn> held_;  ///< by identifier
  bool order_lost_ = false;
  std::string complaint_;
};

}  // namespace refrain::replay
