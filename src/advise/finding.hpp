// Advice: what a trace does that is likely to cost time, where, how much, and what to change. Rules
// (rules.cpp) look at a view of the trace (view.hpp) and leave findings; where nothing is wrong, there are
// none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::advise {

/// A number that a finding rests on: {"calls", 120000, ""}, {"mean size", 512, "B"}.
struct Figure {
  template <class Value>
  Figure(std::string what, Value number, std::string in = {})
      : name(std::move(what)), value(static_cast<double>(number)), unit(std::move(in)) {}
  std::string name;
  double value;
  std::string unit;  ///< "B", "ns", "%" or empty
};

/// Where in the trace.
struct Place {
  size_t process = 0;
  uint32_t thread = 0;
  std::string layer{};               ///< empty: the outer stream
  std::vector<uint32_t> path{};      ///< places in lists of nodes, from the stream's own one down to the call
  std::vector<std::string> lines{};  ///< what stands there, as `dump` prints it: loops, then the call
};

struct Finding {
  std::string rule{};   ///< its name, "small-accesses"
  std::string title{};  ///< what is wrong, in one line
  std::string file{};   ///< which file it is about; may be empty
  Place place{};
  std::vector<Figure> figures{};
  std::string cost{};    ///< what it likely costs
  std::string change{};  ///< what to do: a hint, a property, a call
  uint64_t time_ns = 0;  ///< in the calls concerned, of all ranks together: no more than this can be saved
};

struct Advice {
  std::vector<Finding> findings{};  ///< those that concern the most time first
  uint64_t io_time_ns = 0;          ///< in all outer calls of the trace, of all ranks together
  bool complete = true;             ///< false: figures of some calls are estimates, the trace being too long
};

/// `trace` must not be scale-free: use at_size. Takes time in proportion to the trace's size, not to the
/// number of its calls.
Advice advise(const trace::Trace& trace);

/// Names and one-line descriptions of all rules.
struct RuleName {
  std::string name{};
  std::string about{};
};
std::vector<RuleName> rule_names();

}  // namespace refrain::advise
