// The packs that may still take jobs, from the fullest: which is the first that has room for a job? See the
// essay in pack_index.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/time.hpp"

namespace refrain::schedule {

class PackIndex {
 public:
  struct Room {
    uint32_t used = 0;  ///< nodes
    uint32_t free = 0;  ///< nodes
    Time io = 0;        ///< I/O time that it may still take
  };

  /// `pack` stands behind all others that use as many nodes. Numbers of packs are small and not given twice.
  void add(uint32_t pack, const Room& room);
  /// It must be there.
  void remove(uint32_t pack);
  /// The first pack, from the fullest, that has room for a job.
  std::optional<uint32_t> fullest(uint32_t nodes, Time io) const;

 private:
  static constexpr uint32_t none = UINT32_MAX;
  struct Node {
    Room room{};
    uint64_t turn = 0;       ///< of being added
    uint32_t most_free = 0;  ///< of it and all below
    Time most_io = 0;        ///< likewise
    uint32_t before = none;  ///< root of the packs before it
    uint32_t behind = none;  ///< likewise
  };
  struct Halves {
    uint32_t before = none;
    uint32_t behind = none;
  };

  bool precedes(const Node& a, const Node& b) const {
    return a.room.used != b.room.used ? a.room.used > b.room.used : a.turn < b.turn;
  }
  void sum_up(uint32_t root);
  Halves split(uint32_t root, const Node& at);
  uint32_t join(uint32_t before, uint32_t behind);
  uint32_t without(uint32_t root, uint32_t pack);
  uint32_t find(uint32_t root, uint32_t nodes, Time io) const;

  std::vector<Node> nodes_;  ///< by pack
  uint32_t root_ = none;
  uint64_t turns_ = 0;
};

}  // namespace refrain::schedule
