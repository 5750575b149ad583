// Columns as bytes. A column is written in whichever of these forms is shortest for it:
//
//   items       the runs and bodies themselves              0,512,1024,… ; anything long and regular
//   packed      (v - min) / gcd in w bits each              small irregular sizes
//   differences the same for v[i] - v[i-1]                  irregular but increasing offsets
//   palette     distinct values, then their places, packed  few distinct values far apart
//   varints     (v - min) / gcd, one varint each            mostly small, a few large
//   deltas      their differences as signed varints
//   exceptions  one frequent value; gaps to the others      a flag that is rarely set
//
// Example: 3 4096 3 3 4096 3 has the palette {3, 4096} and takes 6 bits for its places.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "trace/column.hpp"

namespace refrain::trace {
namespace {

enum class Code : uint8_t { items, packed, differences, palette, varints, deltas, exceptions };

constexpr size_t palette_limit = 256;

unsigned width_of(uint64_t largest) {
  unsigned w = 0;
  for (; largest != 0; largest >>= 1) ++w;
  return w;
}

size_t packed_bytes(uint64_t n, unsigned width) { return static_cast<size_t>((n * width + 7) / 8); }

void write_bits(ByteWriter& out, const std::vector<uint64_t>& values, unsigned width) {
  uint8_t pending = 0;
  unsigned used = 0;
  for (uint64_t v : values) {
    for (unsigned left = width; left > 0;) {
      unsigned n = std::min(left, 8 - used);
      pending = static_cast<uint8_t>(pending | ((v & ((1u << n) - 1)) << used));
      v >>= n;
      used += n;
      left -= n;
      if (used == 8) {
        out.u8(pending);
        pending = 0;
        used = 0;
      }
    }
  }
  if (used > 0) out.u8(pending);
}

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

/// Values as min + gcd * small, the common ground of four encodings.
struct Scaled {
  int64_t min = 0;
  uint64_t gcd = 1;
  std::vector<uint64_t> small;
  unsigned width = 0;

  explicit Scaled(const std::vector<int64_t>& values) {
    min = *std::min_element(values.begin(), values.end());
    uint64_t g = 0, largest = 0;
    for (int64_t v : values) g = std::gcd(g, static_cast<uint64_t>(v) - static_cast<uint64_t>(min));
    gcd = g == 0 ? 1 : g;
    small.reserve(values.size());
    for (int64_t v : values) {
      small.push_back((static_cast<uint64_t>(v) - static_cast<uint64_t>(min)) / gcd);
      largest = std::max(largest, small.back());
    }
    width = width_of(largest);
  }
  void write_head(ByteWriter& out, Code code) const {
    out.u8(static_cast<uint8_t>(code));
    out.varint(small.size());
    out.svarint(min);
    out.varint(gcd);
  }
  size_t head_size() const {
    return 1 + varint_size(small.size()) + varint_size(zigzag(min)) + varint_size(gcd);
  }
};

/// Keeps the shortest of several byte strings.
struct Shortest {
  ByteWriter best;
  void offer(ByteWriter candidate) {
    if (best.size() == 0 || candidate.size() < best.size()) best = std::move(candidate);
  }
  bool beats(size_t size) const { return best.size() == 0 || size < best.size(); }
};

void write_items(ByteWriter& out, const Column::Items& items) {
  out.varint(items.size());
  int64_t previous = 0;
  for (const Item& item : items) {
    out.varint(uint64_t{item.body} * 2 + (item.count == 1));
    out.svarint(wrap_sub(item.first, previous));
    previous = item.first;
    if (item.count == 1) continue;
    out.svarint(item.stride);
    out.varint(item.count);
  }
}

void offer_packed(Shortest& out, const Scaled& s, Code code) {
  if (s.width == 0 || !out.beats(s.head_size() + 1 + packed_bytes(s.small.size(), s.width))) return;
  ByteWriter w;
  s.write_head(w, code);
  w.u8(static_cast<uint8_t>(s.width));
  write_bits(w, s.small, s.width);
  out.offer(std::move(w));
}

void offer_differences(Shortest& out, const std::vector<int64_t>& values) {
  if (values.size() < 3) return;
  std::vector<int64_t> steps;
  steps.reserve(values.size() - 1);
  for (size_t i = 1; i < values.size(); ++i) steps.push_back(wrap_sub(values[i], values[i - 1]));
  Scaled s(steps);
  size_t first = varint_size(zigzag(values[0]));
  if (s.width == 0 || !out.beats(s.head_size() + 1 + first + packed_bytes(steps.size(), s.width))) return;
  ByteWriter w;
  s.write_head(w, Code::differences);
  w.u8(static_cast<uint8_t>(s.width));
  w.svarint(values[0]);
  write_bits(w, s.small, s.width);
  out.offer(std::move(w));
}

void offer_varints(Shortest& out, const Scaled& s) {
  size_t plain = s.head_size(), deltas = s.head_size();
  uint64_t previous = 0;
  for (uint64_t v : s.small) {
    plain += varint_size(v);
    deltas += varint_size(zigzag(static_cast<int64_t>(v - previous)));
    previous = v;
  }
  if (!out.beats(std::min(plain, deltas))) return;
  ByteWriter w;
  s.write_head(w, plain <= deltas ? Code::varints : Code::deltas);
  previous = 0;
  for (uint64_t v : s.small) {
    if (plain <= deltas)
      w.varint(v);
    else
      w.svarint(static_cast<int64_t>(v - previous));
    previous = v;
  }
  out.offer(std::move(w));
}

void offer_palette(Shortest& out, const std::vector<int64_t>& values) {
  std::vector<int64_t> palette;
  std::unordered_map<int64_t, uint64_t> place;
  for (int64_t v : values) {
    if (!place.try_emplace(v, 0).second) continue;
    palette.push_back(v);
    if (palette.size() > palette_limit) return;
  }
  std::sort(palette.begin(), palette.end());
  ByteWriter w;
  w.u8(static_cast<uint8_t>(Code::palette));
  w.varint(values.size());
  w.varint(palette.size());
  int64_t previous = 0;
  for (size_t i = 0; i < palette.size(); ++i) {
    place[palette[i]] = i;
    w.svarint(wrap_sub(palette[i], previous));
    previous = palette[i];
  }
  unsigned width = width_of(palette.size() - 1);
  if (width == 0 || !out.beats(w.size() + packed_bytes(values.size(), width))) return;
  std::vector<uint64_t> places;
  places.reserve(values.size());
  for (int64_t v : values) places.push_back(place[v]);
  write_bits(w, places, width);
  out.offer(std::move(w));
}

/// The value of more than half of the list, if the list is short of other values.
bool frequent_value(const Column& column, int64_t& value) {
  std::unordered_map<int64_t, uint64_t> seen;
  for (Column::Cursor c(column); !c.done();) {
    Item run = c.next_run();
    if (run.stride == 0 || run.count <= 2) {
      for (uint64_t k = 0; k < (run.stride == 0 ? 1 : run.count); ++k)
        seen[wrap_add(run.first, wrap_mul(run.stride, static_cast<int64_t>(k)))] +=
            run.stride == 0 ? run.count : 1;
    }
    if (seen.size() > 64) break;
  }
  for (auto [v, n] : seen)
    if (n > column.size() / 2) {
      value = v;
      return true;
    }
  return false;
}

void offer_exceptions(Shortest& out, const Column& column) {
  int64_t usual = 0;
  if (!frequent_value(column, usual)) return;
  ByteWriter w, body;
  uint64_t gap = 0, exceptions = 0;
  for (Column::Cursor c(column); !c.done();) {
    Item run = c.next_run();
    if (run.stride == 0 && run.first == usual) {
      gap += run.count;
      continue;
    }
    for (uint64_t k = 0; k < run.count; ++k) {
      int64_t off = wrap_sub(wrap_add(run.first, wrap_mul(run.stride, static_cast<int64_t>(k))), usual);
      if (off == 0) {
        ++gap;
        continue;
      }
      body.varint(gap * 2 + (off == 1));
      if (off != 1) body.svarint(off);
      gap = 0;
      ++exceptions;
      if (!out.beats(body.size())) return;
    }
  }
  w.u8(static_cast<uint8_t>(Code::exceptions));
  w.varint(column.size());
  w.svarint(usual);
  w.varint(exceptions);
  w.raw(body.bytes());
  out.offer(std::move(w));
}

/// Runs after expansion of bodies, as long as they are at most `limit`.
bool few_runs(const Column& column, uint64_t limit) {
  std::vector<uint64_t> in_body;
  auto add = [&](const Column::Items& items) {
    uint64_t n = 0;
    for (const Item& item : items) {
      uint64_t each = item.body == 0 ? 1 : in_body[item.body - 1], times = item.body == 0 ? 1 : item.count;
      if (each > limit || (each != 0 && times > limit / each)) return limit + 1;
      n += each * times;
      if (n > limit) return limit + 1;
    }
    return n;
  };
  for (const auto& body : column.bodies()) in_body.push_back(add(body));
  return add(column.items()) <= limit;
}

ByteWriter items_code(const Column& column) {
  ByteWriter items;
  items.u8(static_cast<uint8_t>(Code::items));
  items.varint(column.bodies().size());
  for (const auto& body : column.bodies()) write_items(items, body);
  write_items(items, column.items());
  return items;
}

/// What reading a table gives has other items than the column that was written; trying those too makes
/// writing again give the same bytes.
ByteWriter shortest_code(const Column& column) {
  Shortest out;
  ByteWriter items = items_code(column);
  uint64_t reach = items.size() * 8;  // a table needs at least a bit per value
  out.offer(std::move(items));
  if (column.size() >= 2 && column.size() <= reach) {
    std::vector<int64_t> values = column.expand();
    out.offer(items_code(Column::of(values)));
    Scaled s(values);
    offer_packed(out, s, Code::packed);
    offer_varints(out, s);
    offer_differences(out, values);
    offer_palette(out, values);
  }
  if (few_runs(column, reach)) offer_exceptions(out, column);
  return std::move(out.best);
}

class Decoder {
 public:
  explicit Decoder(ByteReader& in) : in_(in) {}

  Column read() {
    uint8_t code = in_.u8();
    switch (static_cast<Code>(code)) {
      case Code::items:
        return read_items();
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
    }
    in_.fail("unknown encoding of a column");
    return {};
  }

 private:
  struct Extent {
    uint64_t size = 0;
    size_t depth = 0;
  };

  Column read_items() {
    size_t n = in_.count(1, "too many bodies");
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

  Column read_palette() {
    uint64_t n = in_.bounded(Column::max_size, "column too long");
    size_t colours = in_.count(1, "palette too long");
    if (colours < 2 || colours > palette_limit) in_.fail("bad palette");
    std::vector<int64_t> palette;
    int64_t previous = 0;
    for (size_t i = 0; i < colours && in_.ok(); ++i)
      palette.push_back(previous = wrap_add(previous, in_.svarint()));
    unsigned width = width_of(colours - 1);
    if (!in_.ok() || n > in_.left() * 8 / width) {
      in_.fail("bad palette");
      return {};
    }
    std::vector<int64_t> values;
    values.reserve(n);
    for (uint64_t place : read_bits(in_, n, width)) {
      if (place >= colours) {
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

  ByteReader& in_;
};

}  // namespace

void Column::write(ByteWriter& out) const { out.raw(shortest_code(*this).bytes()); }

size_t Column::encoded_size() const { return shortest_code(*this).size(); }

Column Column::read(ByteReader& in) { return Decoder(in).read(); }

}  // namespace refrain::trace
