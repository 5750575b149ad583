// What calls have left in memory for others to take: references, encoded objects, values of links. Such
// memory belongs to the application, which may copy it, write it to a file and read it back; so it is known
// by what it holds. A thread's pieces of one sort are numbered in the order in which they appear, the same
// content being the same piece. There are never more than a limit: a further one takes the number of the
// oldest, which is then no longer known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace refrain::record {

class KnownMemory {
 public:
  static constexpr uint32_t limit = 4096;
  static constexpr size_t limit_bytes = 1 << 22;  ///< of all pieces
  static constexpr size_t piece_bytes = 1 << 15;  ///< of one; a larger one is never known

  using Number = std::optional<uint32_t>;
  /// The number of this content, old or new.
  Number put(std::span<const char> bytes);
  Number find(std::span<const char> bytes) const;
  /// The piece that begins there, of a sort that tells its length itself: no piece is the beginning of
  /// another, and nothing is read beyond the first byte that differs.
  Number find_at(const char* place) const;

 private:
  void forget(uint32_t number);

  std::vector<std::vector<char>> pieces_{};  ///< by number; empty if it was forgotten
  std::vector<uint64_t> hashes_{};           ///< of these, in one line so that finding one is quick
  size_t bytes_ = 0;
  uint32_t next_ = 0;
};

}  // namespace refrain::record
