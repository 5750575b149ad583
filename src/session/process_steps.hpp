// From the marks that processes left (record/process_marks.hpp) to the steps of a trace: who started whom and
// waited for whom, and who read from a pipe what another one had written.
#pragma once

#include <string>
#include <vector>

#include "part/part_trace.hpp"
#include "trace/trace.hpp"

namespace refrain::record {

/// A process by what tells it apart from others of its host, and its marks.
struct MarkedProcess {
  uint64_t start_ns = 0;
  uint32_t pid = 0;
  std::string host{};
  PartMarks marks{};
};

/// Gives the processes of a trace their steps, and puts each behind the one that started it, in the order in
/// which that one did: when they began to record is chance. Leaves traces of parallel jobs and of several
/// hosts as they are.
void add_steps(trace::Trace& trace, const std::vector<MarkedProcess>& marked);

}  // namespace refrain::record
