// The processes of a trace that did something, and what they had to do with each other: who started whom, who
// waited for whom, and who read from a pipe what another one had written. What repeats or compares a trace
// works on this, so that processes without calls (a shell that only becomes another program, `true`) make no
// difference where they order nothing.
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.hpp"
#include "trace/trace.hpp"

namespace refrain::trace {

struct ProcessTree {
  struct Member {
    size_t process = 0;         ///< in the trace
    std::vector<Step> steps{};  ///< in order; numbers are those of members and of links
  };
  std::vector<Member> members{};  ///< the root first, each behind the one that started it
  uint32_t links = 0;             ///< steps that are told and heard

  /// Whether the member is the program that the first process has become in the end.
  bool is_last(size_t member) const;
};

/// Whether the process made no calls, and none are missing.
bool is_idle(const Process& process);

/// Fails with the reason if the trace doesn't say who started a process that made calls, if the processes are
/// ranks of a parallel job, or if steps contradict each other.
Result<ProcessTree> process_tree(const Trace& trace);

}  // namespace refrain::trace
