// HDF5 lets one process at a time write a file. Ranks that hand one on, by messages which are not repeated,
// take turns with it: from opening it until it is closed, each holds a lock on the byte of a file that stands
// for its name. Kernels do the same (generate/runtime/turns.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace refrain::replay {

class Turns {
 public:
  /// In the folder of the replay.
  explicit Turns(const std::string& folder) : locks_file_(folder + "/.refrain_turns") {}

  /// Waits until the file of this path can be had, alone or among readers; not for ever.
  void take(const std::string& path, bool alone);
  /// Waits until no other has the file.
  void await_end(const std::string& path);
  /// The turn that was taken last is that of the file with this identifier, until it is closed.
  void hold(uint64_t file);
  void end(uint64_t file);
  /// When no rank needs them any more.
  void remove() const;

 private:
  std::string locks_file_;
  struct Turn {
    int lock = -1;
    int64_t place = 0;  ///< of the byte
  };
  Turn taken_;
  std::map<uint64_t, Turn> held_;  ///< by identifier
};

}  // namespace refrain::replay
