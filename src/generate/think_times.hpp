// Time that the recorded program spent between calls, for kernels that spend it, too.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/levels.hpp"
#include "trace/trace.hpp"

namespace refrain::generate {

/// Computing time before an execution of a call; see plan/levels.hpp.
struct Thinking {
  enum class Role : uint8_t { plain, own, up_to };
  uint64_t ns = 0;
  Role role = Role::plain;
};

/// What is known of the time before calls, in the order in which they are printed.
struct ThinkTimes {
  std::vector<Thinking> ns{};
  std::vector<trace::TimeModel> laws{};  ///< of a scale-free trace

  void add(const trace::Node& event, const plan::Levels& levels) {
    uint64_t count = event.timing.gap.count();
    Thinking mean{count == 0 ? 0 : plan::computing_ns(event.timing) / count};
    if (levels.own.contains(&event)) mean.role = Thinking::Role::own;
    if (auto level = levels.shared.find(&event); level != levels.shared.end())
      mean = {static_cast<uint64_t>(level->second.ns), Thinking::Role::up_to};
    ns.push_back(mean);
    laws.push_back(event.time_law ? event.time_law->of(trace::TimeClass::compute) : trace::TimeModel());
  }
  void append(ThinkTimes& other) {
    ns.insert(ns.end(), other.ns.begin(), other.ns.end());
    laws.insert(laws.end(), other.laws.begin(), other.laws.end());
    other = {};
  }
};

}  // namespace refrain::generate
