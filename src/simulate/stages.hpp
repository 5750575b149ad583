// The stages of a machine, numbered for the engine: targets, servers, network, metadata server, and for each
// application the connections of its nodes, their caches and the I/O nodes they are behind. Stages that can't
// be the slowest for anybody are left out. I/O nodes that all groups of ranks use alike are one stage.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/engine.hpp"
#include "simulate/machine.hpp"
#include "simulate/striping.hpp"

namespace refrain::simulate {

/// Where the ranks of a group are.
struct Placement {
  uint32_t application = 0;
  uint32_t first_node = 0;  ///< of the group
  uint32_t nodes = 1;       ///< distinct ones
  uint32_t application_nodes = 1;
  /// Which share of its data goes through which I/O nodes.
  struct Share {
    uint32_t stage = 0;
    double share = 0;
    uint32_t io_nodes = 1;  ///< that are one stage
    double ranks = 0;
  };
  std::vector<Share> io_nodes{};
};

class Stages {
 public:
  Stages(const Machine& machine, uint32_t applications);

  /// Where ranks are whose application begins on node `first_node`. All groups have to be placed before
  /// finish() is called, which fills in the I/O nodes.
  Placement place(uint32_t application, uint32_t first_node, uint32_t application_ranks,
                  const std::vector<uint32_t>& ranks);
  void finish(std::vector<Placement*>& placements);
  /// I/O nodes that an application's nodes are behind.
  std::vector<uint32_t> io_nodes_of(uint32_t first_node, uint32_t application_ranks) const;

  uint32_t count() const { return count_; }

  /// What it takes to move the loads.
  struct Transfer {
    Access access{};
    double ranks = 1;
    uint32_t nodes = 1;  ///< of those that move data; bounds what they can do
  };
  std::vector<Work> transfer(const Placement& placement, const TargetLoads& loads, const Transfer& how) const;
  /// Data between the nodes of an application, of which `receivers` receive.
  std::vector<Work> exchange(const Placement& placement, double bytes, uint32_t receivers) const;
  /// A write into the caches of the placement's nodes, of a machine that has some.
  std::vector<Work> cached(const Placement& placement, double bytes, double ranks) const;
  std::vector<Work> metadata(double operations) const;

 private:
  void add_client(std::vector<Work>& works, const Placement& placement, double bytes, uint32_t nodes,
                  double ranks) const;
  static constexpr uint32_t none = UINT32_MAX;

  const Machine& machine_;
  uint32_t servers_ = none, network_ = none, metadata_ = none, clients_ = none, caches_ = none,
           io_nodes_ = none;
  uint32_t count_ = 0;
  std::vector<std::vector<std::pair<uint32_t, double>>> ranks_behind_;  ///< by placement: I/O node, ranks
};

}  // namespace refrain::simulate
