// A file that a program has open, or mapped, as far as it matters for what the file must hold beforehand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

namespace refrain::plan {

struct OpenFile {
  std::string path{};
  bool appends = false;
  int64_t position = 0;
  int64_t mapped_at = 0, mapped_bytes = 0;  ///< where a mapping of it begins, and its length
  uint64_t entries = 0;                     ///< of a folder, so many as were listed
  bool is_first_listing = false;
  uint64_t own_entries = 0;  ///< of these, so many may be files that the actor had made by then
  bool by_lines = true;      ///< only whole lines were read so far
  size_t lines = 0;          ///< number of these

  /// A mapping of it. Numbers may come from anywhere.
  std::shared_ptr<OpenFile> mapped(int64_t at, uint64_t length) const {
    constexpr int64_t most = INT64_MAX / 4;
    auto map = std::make_shared<OpenFile>(*this);
    map->appends = false;
    map->mapped_at = at < 0 || at > most ? 0 : at;
    map->mapped_bytes = static_cast<int64_t>(std::min<uint64_t>(length, most));
    return map;
  }
  /// Whether so many bytes from an offset on lie in the mapping.
  bool holds(int64_t offset, int64_t bytes) const {
    return offset >= 0 && offset <= mapped_bytes && bytes <= mapped_bytes - offset;
  }
};

}  // namespace refrain::plan
