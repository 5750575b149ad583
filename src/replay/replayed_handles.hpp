// What the slots of a trace stand for in this run: descriptors, streams, MPI and HDF5 handles, each as a
// word. Threads share them: one that uses what another makes waits for it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace refrain::replay {

class Handles {
 public:
  enum class If : uint8_t {
    open,       ///< throws ReplayError if it isn't open
    ever_made,  ///< may be closed: the library counts references, and the recorded call was valid
    awaited,    ///< waits until another thread has made it
  };

  /// Handles of one class made by one thread.
  class Shelf {
   public:
    Shelf(std::string_view name, uint32_t thread) : name_(name), thread_(thread) {}
    const std::string& name() const { return name_; }
    uint32_t thread() const { return thread_; }

    void put(int64_t slot, uint64_t word);
    uint64_t get(int64_t slot, If condition);
    void drop(int64_t slot);

   private:
    struct Entry {
      uint64_t word = 0;
      bool made = false, live = false;
    };

    std::string name_;
    uint32_t thread_;
    std::mutex mutex_{};
    std::condition_variable changed_{};
    std::vector<Entry> entries_{};
  };
  /// References to elements stay valid.
  Shelf& shelf(std::string_view handle_class, uint32_t thread);

  static constexpr int64_t max_slot = int64_t{1} << 24;
  static constexpr int patience_seconds = 60;

 private:
  std::mutex mutex_;
  std::map<std::pair<std::string, uint32_t>, Shelf> shelves_;
};

}  // namespace refrain::replay
