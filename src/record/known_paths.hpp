// What a lane found at paths that it opened before. Programs that open and close around every access name the
// same few files again and again, and looking at a path's rules and asking for the kind of what was opened
// costs more than all else that is recorded of an open.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/hash.hpp"
#include "part/filter.hpp"

namespace refrain::record {

class KnownPaths {
 public:
  struct Path {
    uint64_t hash = 0;          ///< 0: none
    uint32_t file_era = 0;      ///< `names_era` when a file was found there; 0: none was
    Filter::Verdict verdict{};  ///< of the rules, which never change
    bool has_file(uint32_t era) const { return file_era == era; }
  };

  /// The place of a path; its verdict is that of `filter`.
  Path& look(std::string_view path, const Filter& filter) {
    uint64_t hash = hash_of(path);
    Path& known = paths_[hash >> (64 - bits)];
    if (known.hash != hash) [[unlikely]]
      known = {.hash = hash, .verdict = filter.judge(path)};
    return known;
  }

 private:
  static constexpr int bits = 6;
  static uint64_t hash_of(std::string_view path) {
    uint64_t hash = path.size() + 1;
    for (; path.size() >= 8; path.remove_prefix(8)) {
      uint64_t word;
      std::memcpy(&word, path.data(), 8);
      hash = hash_combine(hash, word);
    }
    uint64_t rest = 0;
    std::memcpy(&rest, path.data(), path.size());
    return hash_combine(hash, rest) | 1;
  }

  std::array<Path, size_t{1} << bits> paths_{};
};

/// Changes whenever a call of this process may have put something else where a file was: makes, moves or
/// links names, or enters another folder. What other processes do to names between two opens is not seen: if
/// one puts a pipe in a file's place, this process's calls on it are recorded like those on the file.
inline std::atomic<uint32_t> names_era{1};

/// Tells of such a call when it has been made.
struct NamesChange {
  ~NamesChange() { names_era.fetch_add(1, std::memory_order_relaxed); }
};

}  // namespace refrain::record
