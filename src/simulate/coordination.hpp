// The coordinator between simulated applications: the state machine of `refrain coordinate`, driven by
// simulated time. An application asks all I/O nodes it is behind, in their order, before it transfers; a
// machine without I/O nodes counts as one. Coordinated applications never share an I/O node.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "coordinate/coordinator.hpp"
#include "simulate/outcome.hpp"

namespace refrain::simulate {

class Coordination {
 public:
  struct Application {
    std::string name{};
    uint32_t nodes = 1;
    std::vector<uint32_t> io_nodes{};  ///< ascending
    coordinate::Profile profile{};     ///< may be empty
  };
  /// `bandwidth`: bytes per second of an I/O node, for what policies compute from profiles.
  Coordination(const schedule::Policy& policy, uint32_t io_nodes, double bandwidth,
               std::vector<Application> applications);

  void join(uint32_t application, double now_s);
  /// Begins to ask; the answer comes from settle().
  void ask(uint32_t application, double now_s);
  /// Gives all leases back.
  void end(uint32_t application, double now_s);
  void leave(uint32_t application, double now_s);
  /// To be called when all that happens at this time has been said: who has all its leases now.
  std::vector<uint32_t> settle(double now_s);

  const std::vector<Lease>& leases() const { return leases_; }

 private:
  struct Member {
    Application application{};
    std::vector<uint64_t> held{};  ///< leases of the first I/O nodes
    std::vector<double> granted_s{};
    uint64_t phase = 0;
    bool asking = false;
  };
  void ask_next(uint32_t application, schedule::Time now);
  void granted(uint32_t application, const coordinate::Granted& message, double now_s,
               std::vector<uint32_t>& complete);

  coordinate::Coordinator coordinator_;
  std::vector<Member> members_;
  std::vector<Lease> leases_;
};

}  // namespace refrain::simulate
