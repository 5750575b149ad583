// What was done to each file, by whom and how: calls, bytes, time, objects inside of it, and the pattern of
// accesses in words; and what each rank did. A trace is run once, rank by rank; regular loops are leaped
// over. Times of a call are the average over all ranks that made it, because a merged trace keeps no others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::measure {

/// Accesses that begin at a multiple of this count as aligned.
constexpr int64_t alignment_bytes = 4096;

struct FileFigures {
  uint64_t calls = 0;
  uint64_t failed = 0;  ///< of the calls
  uint64_t opens = 0, closes = 0;
  uint64_t reads = 0, writes = 0;  ///< accesses to data
  uint64_t bytes_read = 0, bytes_written = 0;
  uint64_t placed = 0;   ///< accesses of which it is known where in the file they begin
  uint64_t aligned = 0;  ///< of these
  double time_ns = 0;    ///< inside the calls, of all ranks together
  double io_ns = 0;      ///< of this, inside calls of layers that work on files

  void add(const FileFigures& other, uint64_t times = 1);
};

/// Something inside of a file: a group, a dataset, an attribute.
struct ObjectUsage {
  std::string kind{}, name{};
  FileFigures figures{};
};

struct LayerFigures {
  std::string layer{};
  FileFigures figures{};
};

struct FileUsage {
  std::string path{};
  trace::RankSet ranks{};              ///< who used it; empty where processes have no ranks
  uint64_t users = 0;                  ///< how many ranks or processes did
  FileFigures outer{};                 ///< what the programs themselves called
  std::vector<LayerFigures> layers{};  ///< layers that saw inner calls: all their calls, outer and inner
  std::vector<ObjectUsage> objects{};
  std::string read_pattern{}, write_pattern{};  ///< in words; empty if it is not known
  std::string pattern_layer{};                  ///< whose accesses they describe
};

/// Ranks that did the same, or one process.
struct RankUsage {
  uint32_t process = 0;
  trace::RankSet ranks{};  ///< empty where processes have no ranks
  FileFigures each{};      ///< what each of them did, with and without files
};

struct Usage {
  std::vector<FileUsage> files{};  ///< by path
  std::vector<RankUsage> ranks{};
  FileFigures without_file{};  ///< calls of the programs that concern no file
  bool complete = true;        ///< false: there are more files or calls than were looked at
  bool steps_complete = true;  ///< false: there are more calls than were looked at
};

struct UsageOptions {
  uint64_t walked_events = 50'000'000;  ///< at most so many are run one by one, of all ranks together
  uint64_t nodes = uint64_t{1} << 26;   ///< at most so many are looked at, of all ranks together
  uint64_t walks = uint64_t{1} << 20;   ///< at most so many are kept for patterns: one per file and rank
  size_t files = 100'000;
  size_t objects = 100'000;
  bool leaps = true;
};

Usage measure_usage(const trace::Trace& trace, const UsageOptions& options = {});

}  // namespace refrain::measure
