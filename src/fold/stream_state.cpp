// Streams as bytes: the exact state, so that a restored stream goes on as the saved one would have. Restoring
// accepts any bytes; what it returns is consistent in itself and stands for at most Column::max_size values.
#include <algorithm>

#include "fold/stream.hpp"

namespace refrain::fold {
namespace {

using trace::Column;
using trace::Item;

void save_items(ByteWriter& out, const std::vector<Item>& items) {
  out.varint(items.size());
  for (const Item& item : items) {
    out.varint(item.body);
    out.svarint(item.first);
    out.svarint(item.stride);
    out.varint(item.count);
  }
}

/// Sums and bounds of values that must not wrap.
struct Range {
  int64_t least = 0, most = 0;
  uint64_t sum = 0;
};

bool add(int64_t a, int64_t b, int64_t& out) { return !__builtin_add_overflow(a, b, &out); }
bool multiply(int64_t a, int64_t b, int64_t& out) { return !__builtin_mul_overflow(a, b, &out); }

}  // namespace

void Stream::save(ByteWriter& out) const {
  out.svarint(first_);
  out.svarint(stride_);
  out.varint(count_);
  out.u8(past_ ? 1 : 0);
  if (!past_) return;
  out.varint(past_->bodies.size());
  for (const Body& body : past_->bodies) save_items(out, body.items);
  save_items(out, past_->items);
  out.varint(past_->threshold);
  out.u8(past_->active ? 1 : 0);
  out.varint(past_->at);
}

bool Stream::restore_items(ByteReader& in, const Past& past, std::vector<Item>& items, uint64_t& size,
                           uint32_t& depth, bool growing) {
  size_t n = in.count(4, "too many items");
  items.reserve(n);
  for (size_t i = 0; i < n && in.ok(); ++i) {
    Item item;
    item.body = static_cast<uint32_t>(in.bounded(past.bodies.size(), "no such body"));
    item.first = in.svarint();
    item.stride = in.svarint();
    item.count = in.bounded(Column::max_size, "stream too long");
    bool last = i + 1 == n;
    if (item.count == 0 && !(growing && last && item.body != 0)) in.fail("empty run");
    if (!in.ok()) return false;
    uint64_t each = item.body == 0 ? 1 : past.bodies[item.body - 1].size;
    if (item.count > (Column::max_size - size) / each) in.fail("stream too long");
    size += item.count * each;
    if (item.body != 0) depth = std::max(depth, past.bodies[item.body - 1].depth + 1);
    items.push_back(item);
  }
  return in.ok();
}

void Stream::restore_past(ByteReader& in, Past& past) {
  size_t n = in.count(1, "too many bodies");
  for (size_t i = 0; i < n && in.ok(); ++i) {
    Body body;
    if (!restore_items(in, past, body.items, body.size, body.depth, false)) return;
    if (body.items.empty() || body.depth >= Column::max_depth) in.fail("bad body of a stream");
    past.bodies.push_back(std::move(body));
  }
  uint32_t depth = 0;
  if (!in.ok() || !restore_items(in, past, past.items, past.size, depth, true)) return;
  past.threshold = in.bounded(uint64_t{1} << 40, "bad threshold");
  past.active = in.bounded(1, "bad flag") != 0;
  past.at = static_cast<uint32_t>(in.bounded(UINT32_MAX, "bad position"));
  bool repeats = !past.items.empty() && past.items.back().body != 0;
  if (!past.active) {
    if (past.at != 0 || (repeats && past.items.back().count == 0)) in.fail("bad position in a period");
    return;
  }
  if (!repeats) return in.fail("no period to be in");
  const Body& body = past.bodies[past.items.back().body - 1];
  if (past.at >= body.items.size() || (past.at == 0 && past.items.back().count == 0))
    return in.fail("bad position in a period");
  for (uint32_t k = 0; k < past.at; ++k) past.size += past.length(body.items[k]);
}

Stream Stream::restore(ByteReader& in) {
  Stream s;
  s.first_ = in.svarint();
  s.stride_ = in.svarint();
  s.count_ = in.bounded(Column::max_size, "stream too long");
  s.next_ = trace::wrap_add(s.first_, trace::wrap_mul(s.stride_, static_cast<int64_t>(s.count_)));
  if (in.bounded(1, "bad flag") == 1) restore_past(in, s.past());
  if (in.ok() && s.size() > Column::max_size) in.fail("stream too long");
  return in.ok() ? std::move(s) : Stream();
}

std::optional<uint64_t> Stream::total_trips() const {
  std::vector<Range> bodies;
  // Extends `range` by what `item`, shifted, stands for; false if a number leaves 64 bits.
  auto extend = [&](Range& range, bool first, const Item& item, int64_t shift, uint64_t body_size) {
    Range inner = item.body == 0 ? Range{} : bodies[item.body - 1];
    int64_t count = static_cast<int64_t>(item.count), start, span, end, low, high, sum, inner_sum, pairs;
    if (count == 0) return true;
    uint64_t half = item.count % 2 == 0 ? item.count / 2 : item.count;
    uint64_t other = item.count % 2 == 0 ? item.count - 1 : (item.count - 1) / 2;
    bool fits = add(item.first, shift, start) && multiply(count == 1 ? 0 : item.stride, count - 1, span) &&
                add(start, span, end) && add(std::min(start, end), inner.least, low) &&
                add(std::max(start, end), inner.most, high) && multiply(start, count, sum) &&
                multiply(static_cast<int64_t>(half), static_cast<int64_t>(other), pairs) &&
                multiply(pairs, count == 1 ? 0 : item.stride, pairs) && add(sum, pairs, sum) &&
                multiply(sum, static_cast<int64_t>(body_size), sum) &&
                multiply(static_cast<int64_t>(inner.sum), count, inner_sum) && add(sum, inner_sum, sum) &&
                add(sum, static_cast<int64_t>(range.sum), sum);
    if (!fits) return false;
    range.least = first ? low : std::min(range.least, low);
    range.most = first ? high : std::max(range.most, high);
    range.sum = static_cast<uint64_t>(sum);
    return true;
  };
  Range whole;
  bool first = true;
  auto size_of = [&](const Item& item) { return item.body == 0 ? 1 : past_->bodies[item.body - 1].size; };
  auto extend_whole = [&](const Item& item, int64_t shift) {
    if (item.count == 0) return true;
    bool fits = extend(whole, first, item, shift, size_of(item));
    first = false;
    return fits;
  };
  if (past_) {
    for (const Body& body : past_->bodies) {
      Range range;
      for (size_t i = 0; i < body.items.size(); ++i)
        if (!extend(range, i == 0, body.items[i], 0, size_of(body.items[i]))) return std::nullopt;
      bodies.push_back(range);
    }
    for (const Item& item : past_->items)
      if (!extend_whole(item, 0)) return std::nullopt;
    for (uint32_t k = 0; past_->active && k < past_->at; ++k)
      if (!extend_whole(past_->bodies[past_->items.back().body - 1].items[k], past_->period_base()))
        return std::nullopt;
  }
  if (count_ > 0 && !extend_whole({first_, stride_, count_, 0}, 0)) return std::nullopt;
  if (whole.least < 0 || whole.sum > Column::max_size) return std::nullopt;
  return whole.sum;
}

}  // namespace refrain::fold
