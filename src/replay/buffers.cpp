#include "replay/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "replay/replay_error.hpp"

namespace refrain::replay {
namespace {

Buffers::Memory allocate(uint64_t bytes) {
  constexpr uint64_t page = 4096;  // so that files opened with O_DIRECT can be written from it
  uint64_t pages = (bytes + page - 1) / page;
  Buffers::Memory memory(
      bytes > Buffers::max_bytes ? nullptr : static_cast<char*>(std::aligned_alloc(page, pages * page)));
  if (!memory) throw ReplayError{fmt::format("moves {} bytes at once, for which there is no memory", bytes)};
  return memory;
}

}  // namespace

uint64_t Buffers::bytes_of(uint64_t count, uint64_t size) {
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > max_bytes)
    throw ReplayError{"moves more at once than there is memory for"};
  return bytes;
}

char* Buffers::room(Area& area, uint64_t bytes, bool pattern) {
  if (bytes >= area.size) {
    uint64_t size = std::max<uint64_t>(std::bit_ceil(std::min(bytes, max_bytes) + 1), 1 << 16);
    area.memory.push_back(allocate(bytes > max_bytes ? bytes : size));
    area.size = size;
    char* at = area.memory.back().get();
    if (!pattern) memset(at, 0, size);
    for (uint64_t i = 0; pattern && i < size; ++i) at[i] = static_cast<char>('a' + i % 23);
  }
  return area.memory.back().get();
}

char* Buffers::numbers_to_write(uint64_t bytes) {
  size_t before = numbers_.memory.size();
  char* at = room(numbers_, bytes, false);
  bool fresh = numbers_.memory.size() != before && fill_ == Fill::pattern;
  for (uint64_t i = 0; fresh && i < numbers_.size; i += 8) at[i] = static_cast<char>(1 + i / 8 % 100);
  return at;
}

char* Buffers::scratch(uint64_t bytes) {
  uint64_t rounded = (bytes + 15) / 16 * 16 + 16;
  char* at;
  if (rounded <= small_bytes - used_) {
    at = small_.get() + used_;
    used_ += rounded;
  } else {
    extra_.push_back(allocate(rounded));
    at = extra_.back().get();
  }
  memset(at, 0, rounded);
  return at;
}

std::vector<char>& Buffers::kept(std::string_view sort, int64_t slot) {
  if (slot < 0 || slot >= max_kept) throw ReplayError{"memory with an impossible number"};
  auto found = kept_.find(sort);
  if (found == kept_.end()) found = kept_.emplace(sort, std::vector<std::vector<char>>()).first;
  auto at = static_cast<size_t>(slot);
  if (found->second.size() <= at) found->second.resize(at + 1);
  return found->second[at];
}

char* Buffers::text(std::string_view text) {
  char* at = scratch(text.size() + 1);
  memcpy(at, text.data(), text.size());
  return at;
}

}  // namespace refrain::replay
