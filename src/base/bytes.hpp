// The byte codec under every file and message of Refrain: little-endian fixed words, LEB128 varints,
// zigzag for signed values, length-prefixed strings. Writing cannot fail. Reading is safe on any bytes:
// the first bad read puts the reader into a failed state that remembers offset and reason, and every
// read after that returns zero; callers check once per unit of work.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace refrain {

constexpr uint64_t zigzag(int64_t v) {
  return (static_cast<uint64_t>(v) << 1) ^ static_cast<uint64_t>(v >> 63);
}
constexpr int64_t unzigzag(uint64_t v) { return static_cast<int64_t>(v >> 1) ^ -static_cast<int64_t>(v & 1); }

/// Bytes that `v` takes as a varint.
constexpr size_t varint_size(uint64_t v) { return (static_cast<size_t>(std::bit_width(v | 1)) + 6) / 7; }

constexpr size_t svarint_size(int64_t v) { return varint_size(zigzag(v)); }

class ByteWriter {
 public:
  void u8(uint8_t v) { bytes_.push_back(v); }
  void u32(uint32_t v) { fixed(v, 4); }
  void u64(uint64_t v) { fixed(v, 8); }
  void varint(uint64_t v);
  void svarint(int64_t v) { varint(zigzag(v)); }
  void raw(std::span<const uint8_t> data) { bytes_.insert(bytes_.end(), data.begin(), data.end()); }
  void string(std::string_view s);

  size_t size() const { return bytes_.size(); }
  std::span<const uint8_t> bytes() const { return bytes_; }
  std::vector<uint8_t> take() { return std::move(bytes_); }

 private:
  void fixed(uint64_t v, int n) {
    for (int i = 0; i < n; ++i) bytes_.push_back(static_cast<uint8_t>(v >> (8 * i)));
  }
  std::vector<uint8_t> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> data) : data_(data) {}

  uint8_t u8();
  uint32_t u32() { return static_cast<uint32_t>(fixed(4)); }
  uint64_t u64() { return fixed(8); }
  uint64_t varint();
  int64_t svarint() { return unzigzag(varint()); }
  std::span<const uint8_t> raw(uint64_t n);
  std::string_view string(uint64_t max_length = 1 << 20);
  /// A varint that must not exceed `max`; fails naming `what` otherwise.
  uint64_t bounded(uint64_t max, const char* what);
  /// The number of elements that follow, each of at least `min_bytes_each` bytes: bounded by what is left,
  /// so that a lying length can't make the caller allocate.
  size_t count(size_t min_bytes_each, const char* what);

  void fail(const char* reason);
  bool ok() const { return reason_ == nullptr; }
  /// Why and where the first failure happened; nullptr and the current offset while ok.
  const char* reason() const { return reason_; }
  size_t offset() const { return ok() ? at_ : failed_at_; }
  size_t left() const { return data_.size() - at_; }

 private:
  uint64_t fixed(int n);
  std::span<const uint8_t> data_;
  size_t at_ = 0;
  size_t failed_at_ = 0;
  const char* reason_ = nullptr;
};

}  // namespace refrain
