// How a stream finds its regularity.
//
// The active run is a progression first, first+stride, …; a value that continues it costs one comparison.
// A value that doesn't closes the run, which becomes an item. When the list of items has doubled since the
// last look, find_period searches for a periodic suffix (runs of equal shape whose starts differ by a
// constant) with the failure function of Knuth, Morris and Pratt on the reversed list, and folds it into a
// repetition of a body. From then on the repetition is active: an item that equals the next one of the
// body, shifted, costs a comparison and no memory.
//
// Example: 0 1 2  10 11 12  20 21 22 … closes the runs (0,1,3) (10,1,3) (20,1,3) …; after 64 of them they
// become one repetition of the body {(0,1,3)}, shifted by 10. If the sequence then starts again at 1000, a
// second repetition of the same body opens, and the list of repetitions can itself become periodic.
#include "fold/stream.hpp"

#include <algorithm>
#include <utility>

namespace refrain::fold {

using trace::Item;
using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

namespace {

constexpr size_t first_threshold = 64;
constexpr size_t usual_saving = 8;
constexpr size_t final_saving = 3;
constexpr size_t known_bodies = 16;  ///< how many bodies are compared before a new one is made

bool same_shape(const Item& a, const Item& b) {
  return a.stride == b.stride && a.count == b.count && a.body == b.body;
}

Item shifted(Item item, int64_t by) {
  item.first = wrap_add(item.first, by);
  return item;
}

int64_t value_in_run(int64_t first, int64_t stride, uint64_t i) {
  return wrap_add(first, wrap_mul(stride, static_cast<int64_t>(i)));
}

}  // namespace

Stream& Stream::operator=(const Stream& other) {
  if (this == &other) return *this;
  next_ = other.next_, stride_ = other.stride_, first_ = other.first_, count_ = other.count_;
  past_ = other.past_ ? std::make_unique<Past>(*other.past_) : nullptr;
  return *this;
}

Stream::Past& Stream::past() {
  if (!past_) past_ = std::make_unique<Past>();
  return *past_;
}

void Stream::push_slow(int64_t value) {
  if (count_ == 0) {
    first_ = next_ = value;
    stride_ = 0;
    count_ = 1;
  } else if (count_ == 1) {
    stride_ = wrap_sub(value, first_);
    next_ = wrap_add(value, stride_);
    count_ = 2;
  } else {
    past().push_item({first_, stride_, count_, 0});
    past_->size += count_;
    first_ = value;
    next_ = wrap_add(value, stride_);  // the old stride is the best guess
    count_ = 1;
  }
}

void Stream::push_all(const int64_t* values, size_t step, size_t count) {
  while (count > 0) {
    if (count_ != 0) {
      int64_t next = next_;
      size_t left = count;
      for (; left >= 4; left -= 4, values += 4 * step) {
        const int64_t second = wrap_add(next, stride_), third = wrap_add(second, stride_),
                      fourth = wrap_add(third, stride_);
        if (((values[0] ^ next) | (values[step] ^ second) | (values[2 * step] ^ third) |
             (values[3 * step] ^ fourth)) != 0)
          break;
        next = wrap_add(fourth, stride_);
      }
      for (; left > 0 && *values == next; --left, values += step) next = wrap_add(next, stride_);
      next_ = next;
      count_ += count - left;
      count = left;
      if (count == 0) return;
    }
    push_slow(*values);
    values += step;
    --count;
  }
}

void Stream::push_run(int64_t first, int64_t stride, uint64_t count) {
  if (count == 0) return;
  if (count == 1) stride = 0;
  bool joins = false;
  if (count_ == 1) {
    int64_t step = wrap_sub(first, first_);
    joins = count == 1 || step == stride;
    if (joins) stride_ = step;
  } else if (count_ > 1) {
    joins = first == next_ && (count == 1 || stride == stride_);
  }
  if (!joins) {
    close_run();
    first_ = first;
    stride_ = stride;
  }
  count_ += count;
  next_ = value_in_run(first_, stride_, count_);
}

/// Moves the active run to the items.
void Stream::close_run() {
  if (count_ == 0) return;
  past().push_item({first_, count_ == 1 ? 0 : stride_, count_, 0});
  past_->size += count_;
  count_ = 0;
}

int64_t Stream::Past::period_base() const {
  const Item& r = items.back();
  return value_in_run(r.first, r.stride, r.count);
}

/// Turns the part of the period seen so far into plain items.
void Stream::Past::end_period() {
  if (!active) return;
  active = false;
  int64_t base = period_base();
  uint32_t body = items.back().body, seen = std::exchange(at, 0);
  if (items.back().count == 0) items.pop_back();
  for (uint32_t k = 0; k < seen; ++k) items.push_back(shifted(bodies[body - 1].items[k], base));
}

void Stream::Past::push_item(Item item) {
  if (item.body == 0 && item.count == 1) item.stride = 0;
  if (active) {
    Item& r = items.back();
    const std::vector<Item>& body = bodies[r.body - 1].items;
    bool same = same_shape(item, body[at]);
    bool sibling = at == 0 && r.count > 0;
    if (same && item.first == wrap_add(period_base(), body[at].first)) {
      if (++at == body.size()) at = 0, ++r.count;
      return;
    }
    if (same && sibling) {  // the same body from a new base: a pattern of repetitions may be starting
      items.push_back({item.first, r.stride, 0, r.body});
      if (++at == body.size()) at = 0, items.back().count = 1;
      if (items.size() < threshold || at != 0) return;
      active = false;
      find_period(usual_saving);
      return;
    }
    end_period();
  }
  items.push_back(item);
  if (items.size() >= threshold) find_period(usual_saving);
}

/// Looks for the periodic suffix that saves most items. O(items).
void Stream::Past::find_period(size_t least_saving) {
  size_t n = items.size();
  if (n < 4) return;
  auto back = [&](size_t j) -> const Item& { return items[n - 1 - j]; };
  auto equal = [&](size_t x, size_t y) {
    return same_shape(back(x), back(y)) &&
           wrap_sub(back(x).first, back(x + 1).first) == wrap_sub(back(y).first, back(y + 1).first);
  };
  std::vector<uint32_t> border(n, 0);
  size_t saving = 0, best_period = 0, best_length = 0;
  for (size_t i = 1, k = 0; i + 1 < n; ++i) {
    while (k > 0 && !equal(i, k)) k = border[k - 1];
    if (equal(i, k)) ++k;
    border[i] = static_cast<uint32_t>(k);
    size_t length = i + 1, period = length - k;
    if (length >= 2 * period && length - period > saving)
      saving = length - period, best_period = period, best_length = length;
  }
  bool found = saving >= least_saving && shorten(n - best_length, best_period);
  threshold = std::max({first_threshold, 2 * items.size(), found ? 2 * best_period : 0});
  if (bodies.size() > 32 + 2 * items.size()) drop_unused_bodies();
}

/// Replaces the items from `from` on, periodic with `period`, by a repetition.
bool Stream::Past::shorten(size_t from, size_t period) {
  int64_t shift = wrap_sub(items[from + period].first, items[from].first);
  while (from > 0 && same_shape(items[from - 1], items[from - 1 + period]) &&
         wrap_sub(items[from - 1 + period].first, items[from - 1].first) == shift)
    --from;
  size_t length = items.size() - from;
  std::vector<Item> body(items.begin() + from, items.begin() + from + period);
  for (const Item& item : body)
    if (item.body != 0 && bodies[item.body - 1].depth + 1 >= trace::Column::max_depth) return false;
  int64_t base = body[0].first;
  for (Item& item : body) item.first = wrap_sub(item.first, base);
  uint32_t id = add_body(std::move(body));
  items.resize(from);
  items.push_back({base, shift, length / period, id});
  active = true;
  at = static_cast<uint32_t>(length % period);
  return true;
}

uint32_t Stream::Past::add_body(std::vector<Item> list) {
  size_t oldest = bodies.size() - std::min(bodies.size(), known_bodies);
  for (size_t i = bodies.size(); i-- > oldest;)
    if (bodies[i].items == list) return static_cast<uint32_t>(i + 1);
  Body body;
  for (const Item& item : list) {
    body.size += length(item);
    if (item.body != 0) body.depth = std::max(body.depth, bodies[item.body - 1].depth + 1);
  }
  body.items = std::move(list);
  bodies.push_back(std::move(body));
  return static_cast<uint32_t>(bodies.size());
}

void Stream::Past::drop_unused_bodies() {
  std::vector<uint32_t> place(bodies.size() + 1, 0);
  for (const Item& item : items) place[item.body] = 1;
  for (size_t b = bodies.size(); b > 0; --b)
    if (place[b])
      for (const Item& item : bodies[b - 1].items) place[item.body] = 1;
  uint32_t kept = 0;
  place[0] = 0;
  for (size_t b = 1; b <= bodies.size(); ++b) {
    if (!place[b]) continue;
    place[b] = ++kept;
    for (Item& item : bodies[b - 1].items) item.body = place[item.body];
    if (kept != b) bodies[kept - 1] = std::move(bodies[b - 1]);
  }
  bodies.resize(kept);
  for (Item& item : items) item.body = place[item.body];
}

/// The number of body `body` of `other` among ours. Recursion is bounded by Column::max_depth.
uint32_t Stream::Past::translate(const Past& other, uint32_t body, uint64_t& work) {
  std::vector<Item> list = other.bodies[body - 1].items;
  work += list.size();
  for (Item& item : list)
    if (item.body != 0) item.body = translate(other, item.body, work);
  return add_body(std::move(list));
}

void Stream::add_item(const Past& other, Item item, uint64_t& work) {
  ++work;
  if (item.body == 0) return push_run(item.first, item.stride, item.count);
  if (item.count == 0) return;
  close_run();
  uint64_t length = other.length(item);
  item.body = past().translate(other, item.body, work);
  past_->push_item(item);
  past_->size += length;
}

void Stream::append(const Stream& other, uint64_t& work) {
  if (other.past_) {
    const Past& p = *other.past_;
    for (const Item& item : p.items) add_item(p, item, work);
    if (p.active) {
      int64_t base = p.period_base();
      const auto& body = p.bodies[p.items.back().body - 1].items;
      for (uint32_t k = 0; k < p.at; ++k) add_item(p, shifted(body[k], base), work);
    }
  }
  push_run(other.first_, other.stride_, other.count_);
}

/// Makes the last item the active run again, so that it can grow.
void Stream::reopen_last_run() {
  Past& p = *past_;
  if (count_ != 0 || p.active || p.items.empty() || p.items.back().body != 0) return;
  Item item = p.items.back();
  p.items.pop_back();
  first_ = item.first, stride_ = item.stride, count_ = item.count;
  next_ = value_in_run(first_, stride_, count_);
  p.size -= count_;
}

/// Writes out the last repetition of the last item, so that its end can be taken off.
size_t Stream::Past::open_last() {
  Item item = items.back();
  int64_t base = value_in_run(item.first, item.stride, item.count - 1);
  if (--items.back().count == 0) items.pop_back();
  const auto& body = bodies[item.body - 1].items;
  for (const Item& x : body) items.push_back(shifted(x, base));
  return body.size();
}

Stream Stream::split_tail(uint64_t n, uint64_t& work) {
  Stream tail;
  ++work;
  n = std::min(n, size());
  if (n == 0) return tail;
  if (n < count_) {
    count_ -= n;
    next_ = value_in_run(first_, stride_, count_);
    tail.push_run(next_, stride_, n);
    return tail;
  }
  if (n == size()) {
    std::swap(tail, *this);
    return tail;
  }
  n -= count_;
  Item active_run{first_, count_ == 1 ? 0 : stride_, std::exchange(count_, 0), 0};
  std::vector<Item> taken;
  if (n > 0) {
    Past& p = *past_;
    work += p.active ? p.at : 0;
    p.end_period();
    while (n > 0) {
      Item& item = p.items.back();
      uint64_t length = p.length(item);
      ++work;
      if (length <= n) {
        taken.push_back(item);
        p.items.pop_back();
      } else if (item.body == 0) {
        item.count -= n;
        length = n;
        taken.push_back({value_in_run(item.first, item.stride, item.count), item.stride, n, 0});
      } else {
        work += p.open_last();
        continue;
      }
      n -= length;
      p.size -= length;
    }
    for (size_t i = taken.size(); i-- > 0;) tail.add_item(p, taken[i], work);
  }
  tail.push_run(active_run.first, active_run.stride, active_run.count);
  if (past_) reopen_last_run();
  return tail;
}

int64_t Stream::back() const {
  if (count_ > 0) return value_in_run(first_, stride_, count_ - 1);
  const Past& p = *past_;
  Item item = p.items.back();
  int64_t shift = 0;
  if (p.active && p.at > 0) {
    shift = p.period_base();
    item = p.bodies[item.body - 1].items[p.at - 1];
  }
  while (true) {
    shift = wrap_add(shift, value_in_run(item.first, item.stride, item.count - 1));
    if (item.body == 0) return shift;
    item = p.bodies[item.body - 1].items.back();
  }
}

bool Stream::constant(int64_t& value) const {
  value = count_ > 0 ? first_ : past_ && past_->size > 0 ? back() : 0;
  if (size() == 0 || (count_ > 1 && stride_ != 0)) return false;
  if (!past_) return true;
  auto level = [&](const Item& item, int64_t at) {
    return item.count == 0 || (item.first == at && (item.count == 1 || item.stride == 0));
  };
  for (const Item& item : past_->items)
    if (!level(item, value)) return false;
  for (const Body& body : past_->bodies)
    for (const Item& item : body.items)
      if (!level(item, 0)) return false;
  return true;
}

int64_t Stream::sum() const {
  auto progression = [](int64_t first, int64_t stride, uint64_t n) {
    uint64_t pairs = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
    return wrap_add(wrap_mul(first, static_cast<int64_t>(n)), wrap_mul(stride, static_cast<int64_t>(pairs)));
  };
  int64_t total = count_ > 0 ? progression(first_, stride_, count_) : 0;
  if (!past_) return total;
  const Past& p = *past_;
  std::vector<int64_t> sums;
  auto of = [&](const Item& x, int64_t shift) {
    int64_t shifts = progression(wrap_add(x.first, shift), x.stride, x.count);
    if (x.body == 0) return shifts;
    return wrap_add(wrap_mul(shifts, static_cast<int64_t>(p.bodies[x.body - 1].size)),
                    wrap_mul(sums[x.body - 1], static_cast<int64_t>(x.count)));
  };
  for (const Body& body : p.bodies) {
    int64_t sum = 0;
    for (const Item& x : body.items) sum = wrap_add(sum, of(x, 0));
    sums.push_back(sum);
  }
  for (const Item& x : p.items) total = wrap_add(total, of(x, 0));
  if (!p.active) return total;
  int64_t base = p.period_base();
  for (uint32_t k = 0; k < p.at; ++k)
    total = wrap_add(total, of(p.bodies[p.items.back().body - 1].items[k], base));
  return total;
}

void Stream::Past::finish() {
  if (active && at > 0) end_period();
  if (!active && items.size() >= 4) find_period(final_saving);
  if (active && at > 0) end_period();
  active = false;
  std::erase_if(items, [](const Item& item) { return item.count == 0; });
  drop_unused_bodies();
}

trace::Column Stream::column() const {
  if (!past_ || past_->size == 0) {
    if (count_ == 0) return {};
    return trace::Column({{first_, count_ == 1 ? 0 : stride_, count_, 0}}, {});
  }
  Stream copy = *this;
  copy.close_run();
  copy.past_->finish();
  std::vector<trace::Column::Items> bodies;
  for (const Body& body : copy.past_->bodies) bodies.emplace_back(body.items);
  return trace::Column(copy.past_->items, std::move(bodies));
}

size_t Stream::memory() const {
  if (!past_) return 0;
  size_t bytes = sizeof(Past) + past_->items.capacity() * sizeof(Item);
  for (const Body& body : past_->bodies) bytes += sizeof(Body) + body.items.capacity() * sizeof(Item);
  return bytes;
}

}  // namespace refrain::fold
