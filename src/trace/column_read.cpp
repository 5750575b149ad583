// Reads columns; see column_code.hpp. Any bytes are accepted: memory is bounded by a constant factor of what
// is read, and the first thing that is wrong is named.
#include <algorithm>
#include <vector>

#include "trace/column.hpp"
#include "trace/column_code.hpp"

namespace refrain::trace {
namespace {

using namespace column_code;

std::vector<uint64_t> read_bits(ByteReader& in, size_t n, unsigned width) {
  std::vector<uint64_t> values;
  auto bytes = in.raw(packed_bytes(n, width));
  if (!in.ok()) return values;
  values.reserve(n);
  uint64_t bit = 0;
  for (size_t i = 0; i < n; ++i) {
    uint64_t v = 0;
    for (unsigned got = 0; got < width;) {
      unsigned skip = bit % 8, take = std::min(width - got, 8 - skip);
      v |= static_cast<uint64_t>((bytes[bit / 8] >> skip) & ((1u << take) - 1)) << got;
      got += take;
      bit += take;
    }
    values.push_back(v);
  }
  return values;
}

class ColumnDecoder {
 public:
  explicit ColumnDecoder(ByteReader& in) : in_(in) {}

  Column read() {
    uint8_t code = in_.u8();
    switch (static_cast<Code>(code)) {
      case Code::items:
        return read_items(in_.count(1, "too many bodies"));
      case Code::runs:
        return read_items(0);
      case Code::packed:
      case Code::differences:
        return read_packed(static_cast<Code>(code) == Code::differences);
      case Code::palette:
        return read_palette();
      case Code::varints:
      case Code::deltas:
        return read_varints(static_cast<Code>(code) == Code::deltas);
      case Code::exceptions:
        return read_exceptions();
      case Code::flags:
        return read_flags();
      case Code::digits:
        return read_digits();
    }
    in_.fail("unknown encoding of a column");
    return {};
  }

 private:
  struct Extent {
    uint64_t size = 0;
    size_t depth = 0;
  };

  Column read_items(size_t n) {
    std::vector<Column::Items> bodies;
    std::vector<Extent> extents;
    for (size_t i = 0; i < n && in_.ok(); ++i) {
      Extent extent;
      bodies.push_back(read_list(extents, extent));
      extents.push_back({extent.size, extent.depth + 1});
      if (extent.size == 0 || extent.depth + 1 > Column::max_depth) in_.fail("bad body of a column");
    }
    Extent whole;
    Column::Items items = read_list(extents, whole);
    if (!in_.ok()) return {};
    return Column(std::move(items), std::move(bodies));
  }

  Column::Items read_list(const std::vector<Extent>& bodies, Extent& extent) {
    size_t n = in_.count(2, "too many items");
    Column::Items items;
    items.reserve(n);
    int64_t previous = 0;
    for (size_t i = 0; i < n && in_.ok(); ++i) {
      uint64_t head = in_.varint();
      if (head / 2 > bodies.size()) in_.fail("no such body");
      previous = wrap_add(previous, in_.svarint());
      Item item{previous, 0, 1, static_cast<uint32_t>(head / 2)};
      if (head % 2 == 0) {
        item.stride = in_.svarint();
        item.count = in_.bounded(Column::max_size, "column too long");
      }
      if (!in_.ok() || item.count == 0) {
        in_.fail("empty run");
        return items;
      }
      uint64_t each = item.body == 0 ? 1 : bodies[item.body - 1].size;
      if (each > (Column::max_size - extent.size) / item.count) in_.fail("column too long");
      extent.size += each * item.count;
      if (item.body != 0) extent.depth = std::max(extent.depth, bodies[item.body - 1].depth);
      items.push_back(item);
    }
    return items;
  }

  size_t read_head(int64_t& min, uint64_t& gcd) {
    uint64_t n = in_.bounded(Column::max_size, "column too long");
    min = in_.svarint();
    gcd = in_.varint();
    return n;
  }

  Column read_packed(bool differences) {
    int64_t min;
    uint64_t gcd;
    size_t n = read_head(min, gcd);
    unsigned width = in_.u8();
    int64_t value = differences ? in_.svarint() : 0;
    if (width == 0 || width > 64 || n > in_.left() * 8 / std::max(width, 1u)) in_.fail("bad packed column");
    if (!in_.ok()) return {};
    std::vector<int64_t> values;
    values.reserve(n + 1);
    if (differences) values.push_back(value);
    for (uint64_t v : read_bits(in_, n, width)) {
      int64_t scaled = wrap_add(min, static_cast<int64_t>(v * gcd));
      values.push_back(differences ? value = wrap_add(value, scaled) : scaled);
    }
    return Column::of(values);
  }

  Column read_digits() {
    int64_t min;
    uint64_t gcd;
    size_t n = read_head(min, gcd);
    uint64_t largest = in_.varint();
    if (largest == 0 || largest == UINT64_MAX) in_.fail("bad digits");
    if (!in_.ok()) return {};
    unsigned per_word = digits_per_word(largest + 1);
    if (n / per_word > in_.left() / 8) in_.fail("column too long");
    std::vector<int64_t> values;
    uint64_t word = 0;
    for (size_t i = 0; i < n && in_.ok(); ++i) {
      if (i % per_word == 0) word = in_.u64();
      values.push_back(wrap_add(min, static_cast<int64_t>(word % (largest + 1) * gcd)));
      word /= largest + 1;
    }
    if (!in_.ok()) return {};
    return Column::of(values);
  }

  Column read_palette() {
    uint64_t n = in_.bounded(Column::max_size, "column too long");
    size_t colors = in_.count(1, "palette too long");
    if (colors < 2 || colors > palette_limit) in_.fail("bad palette");
    std::vector<int64_t> palette;
    int64_t previous = 0;
    for (size_t i = 0; i < colors && in_.ok(); ++i)
      palette.push_back(previous = wrap_add(previous, in_.svarint()));
    unsigned width = width_of(colors - 1);
    if (!in_.ok() || n > in_.left() * 8 / width) {
      in_.fail("bad palette");
      return {};
    }
    std::vector<int64_t> values;
    values.reserve(n);
    for (uint64_t place : read_bits(in_, n, width)) {
      if (place >= colors) {
        in_.fail("bad place in a palette");
        return {};
      }
      values.push_back(palette[place]);
    }
    return Column::of(values);
  }

  Column read_varints(bool deltas) {
    int64_t min;
    uint64_t gcd;
    size_t n = read_head(min, gcd);
    if (n > in_.left()) in_.fail("column too long");
    if (!in_.ok()) return {};
    std::vector<int64_t> values;
    values.reserve(n);
    uint64_t small = 0;
    for (size_t i = 0; i < n; ++i) {
      small = deltas ? small + static_cast<uint64_t>(in_.svarint()) : in_.varint();
      values.push_back(wrap_add(min, static_cast<int64_t>(small * gcd)));
    }
    if (!in_.ok()) return {};
    return Column::of(values);
  }

  Column read_exceptions() {
    uint64_t n = in_.bounded(Column::max_size, "column too long");
    int64_t usual = in_.svarint();
    size_t exceptions = in_.count(1, "too many exceptions");
    Column::Items items;
    for (size_t i = 0; i < exceptions && in_.ok(); ++i) {
      uint64_t head = in_.varint(), gap = head / 2;
      int64_t off = head % 2 ? 1 : in_.svarint();
      if (gap >= n) {
        in_.fail("column too short");
        return {};
      }
      if (gap > 0) items.push_back({usual, 0, gap, 0});
      items.push_back({wrap_add(usual, off), 0, 1, 0});
      n -= gap + 1;
    }
    if (!in_.ok()) return {};
    if (n > 0) items.push_back({usual, 0, n, 0});
    return Column(std::move(items), {});
  }

  Column read_flags() {
    uint64_t n = in_.bounded(Column::max_size, "column too long");
    int64_t usual = in_.svarint(), other = wrap_add(usual, in_.svarint());
    uint64_t flags = in_.varint();
    unsigned k = in_.u8();
    if (flags > in_.left() * 8 || k > 56) in_.fail("bad flags");
    Column::Items items;
    uint8_t byte = 0;
    unsigned left = 0;
    auto bit = [&] {
      if (left == 0) byte = in_.u8(), left = 8;
      bool set = byte & 1;
      byte >>= 1;
      --left;
      return set;
    };
    for (uint64_t i = 0; i < flags && in_.ok(); ++i) {
      uint64_t gap = 0;
      while (bit() && in_.ok()) ++gap;
      if (gap > n >> k) in_.fail("column too short");
      if (!in_.ok()) return {};
      gap <<= k;
      for (unsigned b = 0; b < k; ++b) gap |= static_cast<uint64_t>(bit()) << b;
      if (gap >= n) in_.fail("column too short");
      if (!in_.ok()) return {};
      if (gap > 0) items.push_back({usual, 0, gap, 0});
      items.push_back({other, 0, 1, 0});
      n -= gap + 1;
    }
    if (!in_.ok()) return {};
    if (n > 0) items.push_back({usual, 0, n, 0});
    return Column(std::move(items), {});
  }

  ByteReader& in_;
};

}  // namespace

Column Column::read(ByteReader& in) { return ColumnDecoder(in).read(); }

}  // namespace refrain::trace
