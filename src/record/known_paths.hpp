// What a lane found at paths that it opened before. Programs that open and close around every access name the
// same few files again and again, and looking at a path's rules and asking for the kind of what was opened
// costs more than all else that is recorded of an open.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "part/filter.hpp"

namespace refrain::record {

class KnownPaths {
 public:
  struct Path {
    uint32_t file_era = 0;      ///< `names_era` when a file was found there; 0: none was
    Filter::Verdict verdict{};  ///< of the rules, which never change
    bool has_file(uint32_t era) const { return file_era == era; }
  };

  /// The place of a path; its verdict is that of `filter`. Good until the next call.
  Path& look(std::string_view path, const Filter& filter) {
    if (path.size() > longest) [[unlikely]]
      return unkept_ = {.verdict = filter.judge(path)};
    Kept& kept = paths_[place(path)];
    if (kept.length != path.size() || std::memcmp(kept.text, path.data(), path.size()) != 0) [[unlikely]] {
      kept.path = {.verdict = filter.judge(path)};
      kept.length = static_cast<uint32_t>(path.size());
      std::memcpy(kept.text, path.data(), path.size());
    }
    return kept.path;
  }

 private:
  static constexpr int bits = 6;
  static constexpr size_t longest = 116;
  struct Kept {
    Path path;
    uint32_t length = ~uint32_t{0};  ///< at first that of no path
    char text[longest] = {};
  };
  static size_t place(std::string_view path) {
    uint64_t first = 0, last = 0;
    if (path.size() >= sizeof first) [[likely]] {
      std::memcpy(&first, path.data(), sizeof first);
      std::memcpy(&last, path.data() + path.size() - sizeof last, sizeof last);
    } else {
      std::memcpy(&first, path.data(), path.size());
    }
    return (first * 3 + last + path.size()) * 0x9e3779b97f4a7c15ULL >> (64 - bits);
  }

  std::array<Kept, size_t{1} << bits> paths_{};
  Path unkept_;
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
