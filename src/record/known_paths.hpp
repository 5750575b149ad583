// What a lane found at paths that it opened before. Programs that open and close around every access name the
// same few files again and again, and looking at a path's rules, asking for the kind of what was opened and
// taking the path apart costs more than all else that is recorded of an open. They mostly do so from the same
// place in memory, so what stood at an address last is compared first: then nothing else is read of a path.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "part/filter.hpp"
#include "record/templates.hpp"

namespace refrain::record {

class KnownPaths {
 public:
  static constexpr uint32_t most_fields = 4;
  struct Path {
    uint32_t file_era = 0;      ///< `names_era` when a file was found there; 0: none was
    Filter::Verdict verdict{};  ///< of the rules, which never change
    bool has_file(uint32_t era) const { return file_era == era; }

    /// How it stands in a trace, as long as templates and made-up names are those of `text_era`; 0: that has
    /// to be found out.
    uint64_t text_era = 0;
    TemplateTable::Found text{};
    int64_t fields[most_fields]{};
  };

  /// The place of a path; its verdict is that of `filter`. Good until the next call.
  Path& look(const char* path, const Filter& filter) {
    Kept*& last = last_at_[place_of(path)];
    if (last != nullptr && std::strcmp(last->text, path) == 0) [[likely]]
      return last->path;
    return look_further(path, filter, last);
  }

 private:
  static constexpr int bits = 6, address_bits = 4;
  static constexpr size_t longest = 116;
  struct Kept {
    Path path;
    uint32_t length = ~uint32_t{0};  ///< at first that of no path
    char text[longest + 1] = {};
  };
  [[gnu::noinline]] Path& look_further(std::string_view path, const Filter& filter, Kept*& last) {
    if (path.size() > longest) return unkept_ = {.verdict = filter.judge(path)};
    Kept& kept = paths_[place(path)];
    if (kept.length != path.size() || std::memcmp(kept.text, path.data(), path.size()) != 0) {
      kept.path = {.verdict = filter.judge(path)};
      kept.length = static_cast<uint32_t>(path.size());
      std::memcpy(kept.text, path.data(), path.size());
      kept.text[path.size()] = 0;
    }
    last = &kept;
    return kept.path;
  }
  static size_t place_of(const char* address) {
    return reinterpret_cast<uintptr_t>(address) * 0x9e3779b97f4a7c15ULL >> (64 - address_bits);
  }
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
  std::array<Kept*, size_t{1} << address_bits> last_at_{};  ///< by address: what may still stand there
  Path unkept_;
};

/// Changes whenever a call of this process may have put something else where a file was: makes, moves or
/// links names, or enters another folder. What other processes do to names between two opens is not seen: if
/// one puts a pipe in a file's place, this process's calls on it are recorded like those on the file.
inline std::atomic<uint32_t> names_era{1};

/// Changes whenever a call makes up a name, which from then on has a slot in its place; see
/// made_name_slots.hpp.
inline std::atomic<uint32_t> made_names_era{1};  // not 0: beside what else is looked at

/// Tells of such a call when it has been made.
struct NamesChange {
  ~NamesChange() { names_era.fetch_add(1, std::memory_order_relaxed); }
};

}  // namespace refrain::record
