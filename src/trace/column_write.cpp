// Writes columns: finds out how long every encoding of column_code.hpp that could be short would be, and
// writes the shortest. Lengths are computed, not measured: merging asks for them far more often than it
// writes.
#include <algorithm>
#include <functional>
#include <optional>

#include "trace/column.hpp"
#include "trace/column_code.hpp"
#include "trace/column_tables.hpp"

namespace refrain::trace {
namespace {

using namespace column_code;

/// The shortest way found so far, and how to write it.
class Shortest {
 public:
  using Write = std::function<void(ByteWriter&)>;
  void offer(size_t size, Write write) {
    if (!beaten_by(size)) return;
    size_ = size;
    write_ = std::move(write);
  }
  bool beaten_by(size_t size) const { return size < size_; }
  size_t size() const { return size_; }
  void write(ByteWriter& out) const { write_(out); }

 private:
  size_t size_ = SIZE_MAX;
  Write write_;
};

size_t item_size(const Item& item, int64_t previous) {
  size_t size =
      varint_size(uint64_t{item.body} * 2 + (item.count == 1)) + svarint_size(wrap_sub(item.first, previous));
  return item.count == 1 ? size : size + svarint_size(item.stride) + varint_size(item.count);
}

size_t items_size(const Column::Items& items) {
  size_t size = varint_size(items.size());
  int64_t previous = 0;
  for (const Item& item : items) {
    size += item_size(item, previous);
    previous = item.first;
  }
  return size;
}

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

/// Calls `use` with every run of the column, in order.
template <class Use>
void for_runs(const Column& column, Use use) {
  if (column.bodies().empty())
    for (const Item& item : column.items()) use(item);
  else
    for (Column::Cursor c(column); !c.done();) use(c.next_run());
}

/// The value of more than half of the list. Longer sloping runs have each value once and don't count.
bool frequent_value(const Column& column, int64_t& value) {
  auto each = [](const Item& run, auto use) {
    if (run.stride == 0)
      use(run.first, run.count);
    else if (run.count <= 2)
      for (uint64_t k = 0; k < run.count; ++k)
        use(wrap_add(run.first, wrap_mul(run.stride, static_cast<int64_t>(k))), uint64_t{1});
  };
  uint64_t lead = 0;  // what more than half of the list consists of stays in the lead
  for_runs(column, [&](const Item& run) {
    each(run, [&](int64_t v, uint64_t n) {
      if (v == value && lead > 0)
        lead += n;
      else if (lead >= n)
        lead -= n;
      else
        value = v, lead = n - lead;
    });
  });
  uint64_t count = 0;
  for_runs(column, [&](const Item& run) {
    each(run, [&](int64_t v, uint64_t n) {
      if (v == value) count += n;
    });
  });
  return count > column.size() / 2;
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
  unsigned center = width_of(sum / list.size()), best = 0;
  bits = ~uint64_t{0};
  for (unsigned k = center > 2 ? center - 2 : 0; k <= std::min(center + 1, 56u); ++k) {
    uint64_t size = list.size() * (k + 1);
    for (const Exception& e : list) size += e.gap >> k;
    if (size < bits) bits = size, best = k;
  }
  return best;
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

void write_column_items(ByteWriter& out, const Column& column) {
  bool plain = column.bodies().empty();
  out.u8(static_cast<uint8_t>(plain ? Code::runs : Code::items));
  if (!plain) out.varint(column.bodies().size());
  for (const auto& body : column.bodies()) write_items(out, body);
  write_items(out, column.items());
}

/// Writes one column. What the ways to write it have in common is computed once.
class Coder {
 public:
  explicit Coder(const Column& column) : column_(column) { choose(); }
  size_t size() const { return best_.size(); }
  void write(ByteWriter& out) const { best_.write(out); }

 private:
  auto value_at() const {
    return [this](size_t i) { return values_[i]; };
  }
  auto step_at() const {
    return [this](size_t i) { return wrap_sub(values_[i + 1], values_[i]); };
  }

  /// What reading a table gives has other items than the column that was written; trying those too makes
  /// writing again give the same bytes.
  void choose() {
    offer_items();
    uint64_t reach = best_.size() * 8;  // a table needs at least a bit per value
    if (column_.size() >= 2 && column_.size() <= reach) {
      values_ = column_.expand();
      offer_runs();
      scale_.emplace(values_.size(), value_at());
      offer_packed();
      offer_digits();
      offer_varints();
      offer_differences();
      offer_palette();
    }
    if (few_runs(column_, reach)) offer_exceptions();
  }

  void offer_items();
  void offer_runs();
  void offer_packed();
  void offer_digits();
  void offer_varints();
  void offer_differences();
  void offer_palette();
  void offer_exceptions();
  void offer_flags(int64_t usual);

  const Column& column_;
  Shortest best_;
  std::vector<int64_t> values_;
  std::optional<Scale> scale_, steps_;  ///< of the values, of their differences
  std::optional<Palette> palette_;
  std::vector<Exception> exceptions_;
};

void Coder::offer_items() {
  const auto& bodies = column_.bodies();
  size_t size = 1 + (bodies.empty() ? 0 : varint_size(bodies.size())) + items_size(column_.items());
  for (const Column::Items& body : bodies) size += items_size(body);
  best_.offer(size, [this](ByteWriter& out) { write_column_items(out, column_); });
}

void Coder::offer_runs() {
  if (column_.has_longest_runs()) return;
  Column runs = Column::of(values_);
  if (!best_.beaten_by(1 + items_size(runs.items()))) return;
  best_.offer(1 + items_size(runs.items()),
              [this](ByteWriter& out) { write_column_items(out, Column::of(values_)); });
}

void Coder::offer_packed() {
  const Scale& s = *scale_;
  if (s.width == 0) return;
  best_.offer(s.head_size() + 1 + packed_bytes(s.size, s.width), [this](ByteWriter& out) {
    scale_->write_head(out, Code::packed);
    out.u8(static_cast<uint8_t>(scale_->width));
    write_bits(out, scale_->small(value_at()), scale_->width);
  });
}

void Coder::offer_digits() {
  const Scale& s = *scale_;
  if (s.width == 0 || s.largest == UINT64_MAX) return;
  unsigned per_word = digits_per_word(s.largest + 1);
  size_t words = (s.size + per_word - 1) / per_word;
  best_.offer(s.head_size() + varint_size(s.largest) + 8 * words, [this](ByteWriter& out) {
    scale_->write_head(out, Code::digits);
    out.varint(scale_->largest);
    std::vector<uint64_t> small = scale_->small(value_at());
    size_t n = small.size(), each = digits_per_word(scale_->largest + 1);
    for (size_t i = 0; i < n; i += each) {
      uint64_t word = 0;
      for (size_t k = std::min(n, i + each); k-- > i;) word = word * (scale_->largest + 1) + small[k];
      out.u64(word);
    }
  });
}

void Coder::offer_varints() {
  const Scale& s = *scale_;
  if (!best_.beaten_by(s.head_size() + s.size)) return;  // a varint has at least one byte
  size_t plain = s.head_size(), deltas = s.head_size();
  uint64_t previous = 0;
  for (uint64_t v : s.small(value_at())) {
    plain += varint_size(v);
    deltas += svarint_size(static_cast<int64_t>(v - previous));
    previous = v;
  }
  best_.offer(plain, [this](ByteWriter& out) {
    scale_->write_head(out, Code::varints);
    for (uint64_t v : scale_->small(value_at())) out.varint(v);
  });
  best_.offer(deltas, [this](ByteWriter& out) {
    scale_->write_head(out, Code::deltas);
    uint64_t before = 0;
    for (uint64_t v : scale_->small(value_at())) {
      out.svarint(static_cast<int64_t>(v - before));
      before = v;
    }
  });
}

void Coder::offer_differences() {
  if (values_.size() < 3) return;
  const Scale& s = steps_.emplace(values_.size() - 1, step_at());
  if (s.width == 0) return;
  size_t size = s.head_size() + 1 + svarint_size(values_[0]) + packed_bytes(s.size, s.width);
  best_.offer(size, [this](ByteWriter& out) {
    steps_->write_head(out, Code::differences);
    out.u8(static_cast<uint8_t>(steps_->width));
    out.svarint(values_[0]);
    write_bits(out, steps_->small(step_at()), steps_->width);
  });
}

void Coder::offer_palette() {
  size_t n = values_.size();
  auto least = [n](size_t colors) {
    return 1 + varint_size(n) + varint_size(colors) + colors + packed_bytes(n, width_of(colors - 1));
  };
  if (!best_.beaten_by(least(2))) return;
  palette_.emplace();
  for (int64_t v : values_)
    if (palette_->add(v) && (palette_->size() > palette_limit || !best_.beaten_by(least(palette_->size()))))
      return;
  if (palette_->size() < 2) return;
  palette_->sort();
  size_t size = least(palette_->size()) - palette_->size();
  int64_t previous = 0;
  for (int64_t color : palette_->values()) {
    size += svarint_size(wrap_sub(color, previous));
    previous = color;
  }
  best_.offer(size, [this](ByteWriter& out) { palette_->write(out, values_); });
}

void Coder::offer_exceptions() {
  int64_t usual = 0;
  if (!frequent_value(column_, usual) || !list_exceptions(column_, usual, best_.size() * 8, exceptions_) ||
      exceptions_.empty())
    return;
  auto alike = [&](const Exception& e) { return e.off == exceptions_[0].off; };
  if (std::all_of(exceptions_.begin(), exceptions_.end(), alike)) offer_flags(usual);
  size_t size = 1 + varint_size(column_.size()) + svarint_size(usual) + varint_size(exceptions_.size());
  for (const Exception& e : exceptions_)
    size += varint_size(e.gap * 2 + (e.off == 1)) + (e.off == 1 ? 0 : svarint_size(e.off));
  best_.offer(size, [this, usual](ByteWriter& out) {
    out.u8(static_cast<uint8_t>(Code::exceptions));
    out.varint(column_.size());
    out.svarint(usual);
    out.varint(exceptions_.size());
    for (const Exception& e : exceptions_) {
      out.varint(e.gap * 2 + (e.off == 1));
      if (e.off != 1) out.svarint(e.off);
    }
  });
}

void Coder::offer_flags(int64_t usual) {
  uint64_t bits = 0;
  unsigned k = rice_parameter(exceptions_, bits);
  size_t size = 2 + varint_size(column_.size()) + svarint_size(usual) + svarint_size(exceptions_[0].off) +
                varint_size(exceptions_.size()) + static_cast<size_t>((bits + 7) / 8);
  best_.offer(size, [this, usual, k](ByteWriter& out) {
    out.u8(static_cast<uint8_t>(Code::flags));
    out.varint(column_.size());
    out.svarint(usual);
    out.svarint(exceptions_[0].off);
    out.varint(exceptions_.size());
    out.u8(static_cast<uint8_t>(k));
    BitWriter writer(out);
    for (const Exception& e : exceptions_) {
      for (uint64_t q = e.gap >> k; q > 0; --q) writer.put(1, 1);
      writer.put(0, 1);
      writer.put(e.gap, k);
    }
    writer.flush();
  });
}

}  // namespace

void Column::write(ByteWriter& out) const { Coder(*this).write(out); }

size_t Column::encoded_size() const { return Coder(*this).size(); }

}  // namespace refrain::trace
