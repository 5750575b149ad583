// Applications on a machine: what `refrain simulate` does. Bytes and operations are those of the traces; time
// is modeled. See docs/simulate.md for the model.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "coordinate/protocol.hpp"
#include "schedule/policy.hpp"
#include "simulate/machine.hpp"
#include "simulate/outcome.hpp"
#include "simulate/program.hpp"

namespace refrain::simulate {

struct Application {
  std::string name{};
  const Program* program = nullptr;
  double start_s = 0;
  uint32_t first_node = 0;
  coordinate::Profile profile{};  ///< for policies; may be empty
};

struct SimulationOptions {
  bool detail = false;  ///< what ranks do at the same time and to the same targets is merged as it happens
  bool every_turn = false;                ///< of every loop, also of those that have become steady
  double think = 1;                       ///< compute takes so many times what was recorded
  std::optional<uint32_t> aggregators{};  ///< instead of hints; 0: no collective buffering
  std::optional<uint64_t> buffer_bytes{};
  const schedule::Policy* policy = nullptr;  ///< with a coordinator in between
  double idle_s = 0.02;                      ///< an application that rests so long gives its lease back
  double phase_gap_s = 0.1;                  ///< a longer pause begins a new phase
  std::function<void(uint64_t operations)> progress{};  ///< called now and then
};

/// Whether all applications fit where they are to be.
Result<void> check_places(const Machine& machine, const std::vector<Application>& applications);

/// Runs all to their ends, in a process of its own. The same arguments give the same outcome, bit by bit.
Result<Outcome> simulate(const Machine& machine, const std::vector<Application>& applications,
                         const SimulationOptions& options);

}  // namespace refrain::simulate
