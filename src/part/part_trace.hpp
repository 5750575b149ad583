// From the contents of a part to a trace: what the reader of a parts folder does for all parts, and the
// recorder itself for its own when the ranks merge in place.
#pragma once

#include "part/part_file.hpp"
#include "part/process_info.hpp"
#include "part/state.hpp"
#include "trace/trace.hpp"

namespace refrain::record {

enum class Extent {
  all,
  offered,  ///< what the ranks were to merge in place
  tail,     ///< what came after that
};

/// The pieces of one part, in order; each has one process.
Result<std::vector<trace::Trace>> part_pieces(const PartContents& part, Extent extent);

/// What the thread of a part did with other processes, and how many events its outer stream has. None if it
/// isn't the main thread.
struct PartMarks {
  std::vector<Mark> marks{};  ///< ticks are nanoseconds since the epoch
  uint64_t events = 0;
};
Result<PartMarks> part_marks(const PartContents& part);

/// The process that left the part, with its ending.
Result<PartOwner> owner_of(const PartContents& part);

/// Pieces and threads of one process become that process again.
void join_processes(trace::Trace& trace);

}  // namespace refrain::record
