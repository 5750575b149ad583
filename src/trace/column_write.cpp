// Writes columns: tries every encoding of column_code.hpp that could be short and keeps the shortest.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "trace/column.hpp"
#include "trace/column_code.hpp"

namespace refrain::trace {
namespace {

using namespace column_code;

class BitWriter {
 public:
  explicit BitWriter(ByteWriter& out) : out_(out) {}
  void put(uint64_t v, unsigned width) {
    while (width > 0) {
      unsigned n = std::min(width, 8 - used_);
      pending_ = static_cast<uint8_t>(pending_ | ((v & ((1u << n) - 1)) << used_));
      v >>= n;
      used_ += n;
      width -= n;
      if (used_ == 8) flush();
    }
  }
  void flush() {
    if (used_ > 0) out_.u8(pending_);
    pending_ = 0;
    used_ = 0;
  }

 private:
  ByteWriter& out_;
  uint8_t pending_ = 0;
  unsigned used_ = 0;
};

void write_bits(ByteWriter& out, const std::vector<uint64_t>& values, unsigned width) {
  BitWriter bits(out);
  for (uint64_t v : values) bits.put(v, width);
  bits.flush();
}

/// Values as min + gcd * small, the common ground of four encodings.
struct Scaled {
  int64_t min = 0;
  uint64_t gcd = 1;
  std::vector<uint64_t> small;
  uint64_t largest = 0;  ///< of `small`
  unsigned width = 0;    ///< of `largest`, in bits

  explicit Scaled(const std::vector<int64_t>& values) {
    min = *std::min_element(values.begin(), values.end());
    uint64_t g = 0;
    for (int64_t v : values)
      if (g != 1) g = std::gcd(g, static_cast<uint64_t>(v) - static_cast<uint64_t>(min));
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

void offer_packed(Shortest& out, const Scaled& s) {
  if (s.width == 0 || !out.beats(s.head_size() + 1 + packed_bytes(s.small.size(), s.width))) return;
  ByteWriter w;
  s.write_head(w, Code::packed);
  w.u8(static_cast<uint8_t>(s.width));
  write_bits(w, s.small, s.width);
  out.offer(std::move(w));
}

void offer_digits(Shortest& out, const Scaled& s) {
  if (s.width == 0 || s.largest == UINT64_MAX) return;
  unsigned per_word = digits_per_word(s.largest + 1);
  size_t n = s.small.size(), words = (n + per_word - 1) / per_word;
  if (!out.beats(s.head_size() + varint_size(s.largest) + 8 * words)) return;
  ByteWriter w;
  s.write_head(w, Code::digits);
  w.varint(s.largest);
  for (size_t i = 0; i < n; i += per_word) {
    uint64_t word = 0;
    for (size_t k = std::min<size_t>(n, i + per_word); k-- > i;) word = word * (s.largest + 1) + s.small[k];
    w.u64(word);
  }
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

struct Exception {
  uint64_t gap;
  int64_t off;
};

/// Where the values differ from `usual`; false if there are more than `limit` such places.
bool list_exceptions(const Column& column, int64_t usual, uint64_t limit, std::vector<Exception>& out) {
  uint64_t gap = 0;
  for (Column::Cursor c(column); !c.done();) {
    Item run = c.next_run();
    if (run.stride == 0 && run.first == usual) {
      gap += run.count;
      continue;
    }
    for (uint64_t k = 0; k < run.count; ++k) {
      int64_t off = wrap_sub(wrap_add(run.first, wrap_mul(run.stride, static_cast<int64_t>(k))), usual);
      if (off != 0) out.push_back({gap, off});
      gap = off != 0 ? 0 : gap + 1;
      if (out.size() > limit) return false;
    }
  }
  return true;
}

/// The best parameter for Rice codes of these gaps, near the logarithm of their mean.
unsigned rice_parameter(const std::vector<Exception>& list, uint64_t& bits) {
  uint64_t sum = 0;
  for (const Exception& e : list) sum += e.gap;
  unsigned centre = width_of(sum / list.size()), best = 0;
  bits = ~uint64_t{0};
  for (unsigned k = centre > 2 ? centre - 2 : 0; k <= std::min(centre + 1, 56u); ++k) {
    uint64_t size = list.size() * (k + 1);
    for (const Exception& e : list) size += e.gap >> k;
    if (size < bits) bits = size, best = k;
  }
  return best;
}

void offer_flags(Shortest& out, const Column& column, int64_t usual, const std::vector<Exception>& list) {
  uint64_t bits = 0;
  unsigned k = rice_parameter(list, bits);
  ByteWriter w;
  w.u8(static_cast<uint8_t>(Code::flags));
  w.varint(column.size());
  w.svarint(usual);
  w.svarint(list[0].off);
  w.varint(list.size());
  w.u8(static_cast<uint8_t>(k));
  if (!out.beats(w.size() + static_cast<size_t>((bits + 7) / 8))) return;
  BitWriter writer(w);
  for (const Exception& e : list) {
    for (uint64_t q = e.gap >> k; q > 0; --q) writer.put(1, 1);
    writer.put(0, 1);
    writer.put(e.gap, k);
  }
  writer.flush();
  out.offer(std::move(w));
}

void offer_exceptions(Shortest& out, const Column& column) {
  int64_t usual = 0;
  std::vector<Exception> list;
  if (!frequent_value(column, usual) || !list_exceptions(column, usual, out.best.size() * 8, list) ||
      list.empty())
    return;
  if (std::all_of(list.begin(), list.end(), [&](const Exception& e) { return e.off == list[0].off; }))
    offer_flags(out, column, usual, list);
  ByteWriter w;
  w.u8(static_cast<uint8_t>(Code::exceptions));
  w.varint(column.size());
  w.svarint(usual);
  w.varint(list.size());
  for (const Exception& e : list) {
    w.varint(e.gap * 2 + (e.off == 1));
    if (e.off != 1) w.svarint(e.off);
  }
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
  bool plain = column.bodies().empty();
  items.u8(static_cast<uint8_t>(plain ? Code::runs : Code::items));
  if (!plain) items.varint(column.bodies().size());
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
    offer_packed(out, s);
    offer_digits(out, s);
    offer_varints(out, s);
    offer_differences(out, values);
    offer_palette(out, values);
  }
  if (few_runs(column, reach)) offer_exceptions(out, column);
  return std::move(out.best);
}

}  // namespace

void Column::write(ByteWriter& out) const { out.raw(shortest_code(*this).bytes()); }

size_t Column::encoded_size() const { return shortest_code(*this).size(); }

}  // namespace refrain::trace
