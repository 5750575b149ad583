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
  /// Handles of one class made by one thread; stays valid.
  struct Shelf {
    std::string name;
    uint32_t thread = 0;
    std::vector<uint64_t> words{};
    std::vector<bool> made{}, live{};
  };
  Shelf& shelf(std::string_view handle_class, uint32_t thread);

  void put(Shelf& shelf, int64_t slot, uint64_t word);
  enum class If : uint8_t {
    open,       ///< throws Trouble if it isn't
    ever_made,  ///< also when it was closed: the library counts references, and the trace knows best
    awaited,    ///< waits for another thread to make it
  };
  uint64_t get(const Shelf& shelf, int64_t slot, If condition);
  void drop(Shelf& shelf, int64_t slot);

  static constexpr int64_t max_slot = int64_t{1} << 24;
  static constexpr int patience_seconds = 60;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<std::string, uint32_t>, Shelf> shelves_;
};

}  // namespace refrain::replay
