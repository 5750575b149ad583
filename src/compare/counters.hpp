// The counters of a trace, those that Darshan's users know, as a list that can be compared: calls by
// function, bytes, files, sequential and consecutive accesses, sizes of accesses; by layer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::compare {

struct Counter {
  std::string layer{};  ///< empty: of the whole trace
  bool inner = false;   ///< counts what other calls caused, too
  std::string name{};   ///< "calls of write", "sequential reads", "writes of 1K-10K bytes"
  uint64_t value = 0;
};

struct Counters {
  std::vector<Counter> list{};  ///< without zeros
  bool complete = true;         ///< false: values are lower bounds
};

/// With `layers`, counts layer streams as well.
Counters counters(const trace::Trace& trace, bool layers);

struct CounterPair {
  Counter counter{};  ///< its value is that of the first trace
  uint64_t there = 0;
};

/// The counters that differ, in the order of the first list.
std::vector<CounterPair> different(const Counters& here, const Counters& there);

}  // namespace refrain::compare
