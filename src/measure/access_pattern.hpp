// How ranks access a file, in words: "each rank a contiguous block of 16 MiB". One rank's accesses in one
// direction are kept as a walk (where it began, in which steps it went on); the walks of all ranks together
// give the words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace refrain::measure {

/// The accesses of one rank to one file in one direction.
struct AccessWalk {
  uint64_t accesses = 0;
  uint64_t bytes = 0;
  int64_t first = 0;       ///< where the first access began
  int64_t last_begin = 0;  ///< where the last one did
  int64_t last_end = 0;    ///< behind its last byte
  int64_t size = 0;        ///< of the first access
  int64_t step = 0;        ///< between the beginnings of the first two
  bool same_size = true;
  bool same_step = true;
  bool consecutive = true;  ///< each began where the one before had ended
  bool forward = true;      ///< or behind that

  void add(int64_t begin, int64_t end);
  /// As if `turns` more rounds had been made, each `shift` further than the one before.
  void leap(int64_t shift, uint64_t turns, uint64_t accesses_per_turn, uint64_t bytes_per_turn);
  bool operator==(const AccessWalk&) const = default;
};

/// The walk of a rank, or of a process.
struct RankWalk {
  uint32_t rank = 0;
  AccessWalk walk{};
  uint64_t ranks = 1;  ///< so many did exactly the same
};

/// Words for what all of them did; `everyone`: how many ranks there are. Empty if nobody did anything.
std::string pattern_words(std::vector<RankWalk> walks, uint64_t everyone);

/// "12,345".
std::string count_words(uint64_t n);
/// "16 MiB", "1.5 KiB", "12,345 bytes": exact unless it has a decimal point.
std::string size_words(uint64_t bytes);

}  // namespace refrain::measure
