// Memory for the calls of one thread: what they write, what they read into, and what lives for one call only
// (names, lists, structures).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace refrain::replay {

enum class Fill : uint8_t { pattern, zero };

class Buffers {
 public:
  explicit Buffers(Fill fill) : fill_(fill) {}

  /// Memory of at least this many bytes; throws ReplayError beyond `max_bytes`. Asynchronous calls may still
  /// use earlier memory, so nothing is freed before the end. Sizes double, so that the overhead is small.
  char* to_write(uint64_t bytes) { return room(out_, bytes, fill_ == Fill::pattern); }
  /// Bytes that are small numbers in every type, because netCDF reports values that don't fit.
  char* numbers_to_write(uint64_t bytes);
  char* to_read(uint64_t bytes) { return room(in_, bytes, false); }

  /// Valid until the next call.
  char* scratch(uint64_t bytes);
  char* text(std::string_view text);
  template <class T>
  T* list(size_t count) {
    return reinterpret_cast<T*>(scratch(count * sizeof(T)));  // NOLINT(bugprone-sizeof-expression)
  }
  /// Memory that calls leave for later calls, by class and slot; empty at first. Throws ReplayError beyond
  /// `max_kept`.
  std::vector<char>& kept(std::string_view sort, int64_t slot);
  void next_call() { used_ = 0, extra_.clear(); }

  /// count * size in bytes; throws ReplayError beyond `max_bytes`.
  static uint64_t bytes_of(uint64_t count, uint64_t size);

  static constexpr uint64_t max_bytes = uint64_t{1} << 36;
  static constexpr int64_t max_kept = 4096;

  struct Free {
    void operator()(char* at) const { std::free(at); }
  };
  using Memory = std::unique_ptr<char[], Free>;  ///< aligned to a page

 private:
  struct Area {
    std::vector<Memory> memory{};
    uint64_t size = 0;
  };
  char* room(Area& area, uint64_t bytes, bool pattern);

  Fill fill_;
  Area in_, out_, numbers_;
  std::unique_ptr<char[]> small_ = std::make_unique<char[]>(small_bytes);
  size_t used_ = 0;
  std::vector<Memory> extra_;
  std::map<std::string, std::vector<std::vector<char>>, std::less<>> kept_;
  static constexpr size_t small_bytes = 1 << 16;
};

}  // namespace refrain::replay
