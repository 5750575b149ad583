// Reads what recorded processes left in a parts folder and finishes their work: closed segments, the last
// saved state and the journal behind it become one trace. A part of a process that was killed is read the
// same way as one of a process that ended well. Parts are untrusted input.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "merge/align_ranks.hpp"
#include "trace/trace.hpp"

namespace refrain::record {

struct PartsReport {
  uint64_t parts = 0;              ///< files read
  uint64_t still_running = 0;      ///< processes that were alive while their part was read
  uint64_t unended_elsewhere = 0;  ///< on other hosts: alive, killed, or not all of their part is here yet
  std::vector<std::string>
      damaged;  ///< one line for each part that could not be read; the trace notes them too
  std::vector<std::string> remarks;  ///< other things the trace notes
};

/// Called after each part with (done, total).
using Progress = std::function<void(size_t, size_t)>;

/// Fails if the folder is not one of a recording, or if there are parts and none can be read. Ranks are
/// merged.
Result<trace::Trace> read_parts(const std::filesystem::path& folder, PartsReport* report = nullptr,
                                const Progress& progress = {}, const merge::Options& merging = {});

}  // namespace refrain::record
