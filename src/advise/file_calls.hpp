// How many calls a trace makes on each file, exactly: what samples say of calls in loops over many files is
// too rough to rest a finding on. Counted when it is first asked for.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "trace/trace.hpp"

namespace refrain::advise {

class FileCalls {
 public:
  explicit FileCalls(const trace::Trace& trace) : trace_(trace) {}

  /// Of all processes, in the layer that makes most of them; `directory`: where relative paths begin. Nothing
  /// if the trace is too long to count.
  std::optional<uint64_t> on(const std::string& path, const std::string& directory);

 private:
  const trace::Trace& trace_;
  bool counted_ = false, complete_ = false;
  std::unordered_map<std::string, uint64_t> calls_;
};

}  // namespace refrain::advise
