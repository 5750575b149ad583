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

bool add(int64_t a, int64_t b, int64_t& out) { return !__builtin_add_overflow(a, b, &out); }
bool multiply(int64_t a, int64_t b, int64_t& out) { return !__builtin_mul_overflow(a, b, &out); }

/// Smallest value and sum of a list of items, in arithmetic that must not wrap.
struct Extent {
  int64_t least = INT64_MAX;
  int64_t sum = 0;
  uint64_t size = 0;

  bool include(int64_t low, int64_t more, uint64_t values) {
    least = std::min(least, low);
    size += values;
    return add(sum, more, sum);
  }
};

/// Adds `item`, shifted, to `extent`; `body` is what a single repetition of it holds. False if numbers wrap.
bool include(Extent& extent, const Item& item, int64_t shift, const Extent& body) {
  if (item.count == 0) return true;
  auto count = static_cast<int64_t>(item.count);
  int64_t stride = count == 1 ? 0 : item.stride, pairs = count % 2 == 0 ? count / 2 : count;
  int64_t start, rise, end, low, shifts, steps, inner, more;
  return add(item.first, shift, start) && multiply(stride, count - 1, rise) && add(start, rise, end) &&
         add(std::min(start, end), body.least, low) && multiply(start, count, shifts) &&
         multiply(pairs, count % 2 == 0 ? count - 1 : (count - 1) / 2, pairs) &&
         multiply(pairs, stride, steps) && add(shifts, steps, shifts) &&
         multiply(shifts, static_cast<int64_t>(body.size), shifts) && multiply(body.sum, count, inner) &&
         add(shifts, inner, more) && extent.include(low, more, body.size * item.count);
}

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
  Extent whole;
  whole.least = 0;
  std::vector<Extent> parts{{0, 0, 1}};  // a run repeats a single zero; then the bodies
  bool fits = true;
  if (past_) {
    for (const Body& body : past_->bodies) {
      Extent part;
      for (const Item& item : body.items) fits = fits && include(part, item, 0, parts[item.body]);
      parts.push_back(part);
    }
    for (const Item& item : past_->items) fits = fits && include(whole, item, 0, parts[item.body]);
    for (uint32_t k = 0; past_->active && k < past_->at; ++k) {
      const Item& item = past_->bodies[past_->items.back().body - 1].items[k];
      fits = fits && include(whole, item, past_->period_base(), parts[item.body]);
    }
  }
  fits = fits && include(whole, {first_, stride_, count_, 0}, 0, parts[0]);
  if (!fits || whole.least < 0 || whole.sum > static_cast<int64_t>(Column::max_size)) return std::nullopt;
  return static_cast<uint64_t>(whole.sum);
}

}  // namespace refrain::fold
