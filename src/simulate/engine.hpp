// What carries out flows: an engine that knows stages, each of which serves one second of work per second and
// shares itself among the flows on it by weight, and time. Nothing else in this folder knows SimGrid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/result.hpp"

namespace refrain::simulate {

/// What a flow asks of one stage.
struct Work {
  uint32_t stage = 0;
  double seconds = 0;  ///< that it would take there alone
  double weight = 1;   ///< its share of the stage is in proportion to this
  double bound = 1;  ///< most of the stage that its nodes can use, 1: all. Not for engines: see World::launch
  bool operator==(const Work&) const = default;
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual double now() const = 0;
  /// After `delay_s`, all works begin at once, and each goes on as its stage allows; the flow is done when
  /// all are, `least_s` after they began at the earliest.
  virtual void start(size_t flow, double delay_s, double least_s, std::vector<Work> works) = 0;
};

/// Called with flows that are done at the present time, first with none at time 0.
using FlowHandler = std::function<void(Engine&, const std::vector<size_t>& done)>;

/// Whether this build has an engine; if not, what to say about it.
Result<void> check_engine();

/// Runs until no flow is under way, on SimGrid. Once per process: see run_apart().
void run_engine(uint32_t stages, const FlowHandler& handler);

/// The same for very many flows at a time, without SimGrid: each costs O(log n).
void run_crowd(uint32_t stages, const FlowHandler& handler);

/// Calls `make` in a process of its own, since an engine can run only once in each, and returns what it
/// returns.
Result<std::string> run_apart(const std::function<std::string()>& make);

}  // namespace refrain::simulate
