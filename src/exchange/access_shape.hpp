// The access pattern that most bytes of a trace follow, in the few numbers that benchmarks of I/O have:
// transfer size, block, segments, one file or one for each rank, collective or not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "trace/trace.hpp"

namespace refrain::exchange {

struct AccessShape {
  uint64_t ranks = 1;
  std::string layer{};     ///< that moved most bytes
  std::string path{};      ///< of the first of the files
  uint64_t files = 1;      ///< that a rank uses, one after the other
  bool is_shared = false;  ///< several ranks use the same file
  bool writes = false, reads = false;
  bool is_collective = false;
  bool settles = false;                    ///< fsync or the like
  bool is_random = false;                  ///< offsets follow no constant step, and go back
  uint64_t transfer = 1;                   ///< bytes; most of the bytes are moved in transfers of this size
  uint64_t transfers = 0;                  ///< of a rank, that of the first ranks which moves most
  uint64_t block = 1;                      ///< contiguous bytes of a rank in a file
  uint64_t segments = 1;                   ///< such blocks of a rank in a file
  double pause_s = 0;                      ///< outside of calls, on an average rank
  std::vector<std::string> differences{};  ///< between the trace and this pattern
};

/// Fails if no data is moved. At most `most_walked_ranks` ranks are looked at, evenly spread.
Result<AccessShape> access_shape(const trace::Trace& trace, const std::string& layer);
constexpr uint64_t most_walked_ranks = 256;

}  // namespace refrain::exchange
