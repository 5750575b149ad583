// Tables inside columns, as they are written: bits one behind the other, values scaled down to small ones,
// the few distinct values of a list.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/bytes.hpp"
#include "base/divides.hpp"
#include "trace/column.hpp"
#include "trace/column_code.hpp"

namespace refrain::trace::column_code {

class BitWriter {
 public:
  explicit BitWriter(ByteWriter& out) : out_(out) {}
  void put(uint64_t v, unsigned width) {
    if (width < 64) v &= (uint64_t{1} << width) - 1;
    pending_ |= v << used_;
    if (used_ + width < 64) {
      used_ += width;
      return;
    }
    out_.u64(pending_);
    unsigned taken = 64 - used_;
    pending_ = taken < 64 ? v >> taken : 0;
    used_ = width - taken;
  }
  void flush() {
    for (; used_ > 0; used_ -= std::min(used_, 8u), pending_ >>= 8) out_.u8(static_cast<uint8_t>(pending_));
    pending_ = 0;
  }

 private:
  ByteWriter& out_;
  uint64_t pending_ = 0;
  unsigned used_ = 0;  ///< bits of `pending_`, below 64
};

inline void write_bits(ByteWriter& out, const std::vector<uint64_t>& values, unsigned width) {
  BitWriter bits(out);
  for (uint64_t v : values) bits.put(v, width);
  bits.flush();
}

/// A list of values as min + gcd * small, the common ground of four encodings. The list is a function of the
/// place: there need not be a copy of it.
struct Scale {
  size_t size = 0;
  int64_t min = 0;
  uint64_t gcd = 1;
  uint64_t largest = 0;  ///< small value
  unsigned width = 0;    ///< of `largest`, in bits

  template <class At>
  Scale(size_t n, At at) : size(n), min(at(size_t{0})) {
    int64_t max = min;
    for (size_t i = 1; i < n; ++i) {
      min = std::min(min, at(i));
      max = std::max(max, at(i));
    }
    uint64_t g = 0;
    for (size_t i = 0; i < n && g != 1; ++i)
      if (uint64_t distance = above_min(at(i)); !divides(g, distance)) g = std::gcd(g, distance);
    gcd = std::max<uint64_t>(g, 1);
    largest = above_min(max) / gcd;
    width = width_of(largest);
  }

  template <class At>
  std::vector<uint64_t> small(At at) const {
    std::vector<uint64_t> values;
    values.reserve(size);
    for (size_t i = 0; i < size; ++i) values.push_back(gcd == 1 ? above_min(at(i)) : above_min(at(i)) / gcd);
    return values;
  }
  void write_head(ByteWriter& out, Code code) const {
    out.u8(static_cast<uint8_t>(code));
    out.varint(size);
    out.svarint(min);
    out.varint(gcd);
  }
  size_t head_size() const { return 1 + varint_size(size) + svarint_size(min) + varint_size(gcd); }

 private:
  uint64_t above_min(int64_t v) const { return static_cast<uint64_t>(v) - static_cast<uint64_t>(min); }
};

/// The distinct values of a list, as long as they are few: a small hash table.
class Palette {
 public:
  /// Adds a value, at most one beyond the limit; true if it is a new one.
  bool add(int64_t v) {
    Entry& e = entry_of(v);
    if (e.used) return false;
    e = {v, true, 0};
    values_.push_back(v);
    return true;
  }
  size_t size() const { return values_.size(); }
  /// Puts the values in order.
  void sort() {
    std::sort(values_.begin(), values_.end());
    for (size_t i = 0; i < values_.size(); ++i) entry_of(values_[i]).place = static_cast<uint16_t>(i);
  }
  const std::vector<int64_t>& values() const { return values_; }

  /// A list of these values, which are in order.
  void write(ByteWriter& out, const std::vector<int64_t>& list) {
    out.u8(static_cast<uint8_t>(Code::palette));
    out.varint(list.size());
    out.varint(values_.size());
    int64_t previous = 0;
    for (int64_t v : values_) {
      out.svarint(wrap_sub(v, previous));
      previous = v;
    }
    unsigned width = width_of(values_.size() - 1);
    BitWriter bits(out);
    for (int64_t v : list) bits.put(entry_of(v).place, width);
    bits.flush();
  }

 private:
  struct Entry {
    int64_t value = 0;
    bool used = false;
    uint16_t place = 0;
  };
  Entry& entry_of(int64_t v) {
    size_t at = static_cast<uint64_t>(v) * 0x9e3779b97f4a7c15 >> 55;
    while (entries_[at].used && entries_[at].value != v) at = (at + 1) % entries_.size();
    return entries_[at];
  }
  std::array<Entry, 2 * palette_limit> entries_{};
  std::vector<int64_t> values_;
};

}  // namespace refrain::trace::column_code
