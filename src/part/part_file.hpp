// Reading the bytes of a part file, bounded and checked; what they mean is part_reader's business.
#pragma once

#include <memory>
#include <vector>

#include "base/result.hpp"
#include "part/part_layout.hpp"

namespace refrain::record {

class OpenPart;

/// The parts of a part.
struct PartContents {
  std::shared_ptr<const OpenPart> file;
  std::vector<uint8_t> process_info;
  std::vector<uint64_t> closed;  ///< places of states, oldest first; read_closed reads one
  size_t offered = 0;            ///< of these, how many the ranks of `world` merged in place
  uint64_t world = 0;
  std::vector<uint8_t> live;     ///< empty if there is none
  std::vector<uint8_t> journal;  ///< with `journal_slack` zero bytes behind
  size_t journal_used = 0;
  uint64_t unsaved = 0, lost_no_space = 0, lost_in_handlers = 0, lost_abandoned = 0, lost_unknown = 0;
  uint64_t ending = 0, start_ticks = 0, start_ns = 0, owner_pid = 0;
  uint64_t rank = 0, ranks = 0;  ///< rank plus one, and number of ranks, once MPI has said them
  uint64_t empty_tests = 0;
  double ns_per_tick = 1;
};

/// A reader may look this far behind a record whose numbers disagree with its definitions.
constexpr size_t journal_slack = 8 * 512;

/// Runs inside the application too.
Result<PartContents> read_part_file(const char* path);
/// Closed state number `i`. There may be many, of some megabytes each: they are read one at a time.
Result<std::vector<uint8_t>> read_closed(const PartContents& part, size_t i);

/// Whether whoever was making the file ended before it was made: nothing was recorded in it.
bool is_unbegun(const char* path);

}  // namespace refrain::record
