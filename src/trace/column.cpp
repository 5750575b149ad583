// Columns in memory: building, walking, comparing. Their encodings are in column_write.cpp and
// column_read.cpp.
#include "trace/column.hpp"

#include <algorithm>

namespace refrain::trace {

Column::Column(Items items, std::vector<Items> bodies)
    : items_(std::move(items)), bodies_(std::move(bodies)) {
  body_sizes_.reserve(bodies_.size());
  for (const Items& body : bodies_) {
    uint64_t size = 0;
    for (const Item& item : body) size += length(item);
    body_sizes_.push_back(size);
  }
  for (const Item& item : items_) size_ += length(item);
  items_.shrink();
}

Column Column::of(const std::vector<int64_t>& values) {
  Items items;
  for (size_t i = 0; i < values.size();) {
    int64_t stride = i + 1 < values.size() ? wrap_sub(values[i + 1], values[i]) : 0;
    size_t end = i + 1;
    while (end < values.size() && wrap_sub(values[end], values[end - 1]) == stride) ++end;
    if (end - i == 1) stride = 0;
    items.push_back({values[i], stride, end - i, 0});
    i = end;
  }
  return Column(std::move(items), {});
}

// Every run but the last has two values or more, and none goes on in the next.
bool Column::has_longest_runs() const {
  if (!bodies_.empty()) return false;
  for (size_t i = 0; i < items_.size(); ++i) {
    const Item run = items_[i];
    if (run.count == 0 || (run.count == 1 && run.stride != 0)) return false;
    if (i + 1 == items_.size()) break;
    int64_t next = wrap_add(run.first, wrap_mul(run.stride, static_cast<int64_t>(run.count)));
    if (run.count == 1 || items_[i + 1].first == next) return false;
  }
  return true;
}

void Column::append_run(int64_t first, int64_t stride, uint64_t count) {
  if (count == 0) return;
  size_ += count;
  if (items_.empty() || items_.back().body != 0) {
    items_.push_back({first, count == 1 ? 0 : stride, count, 0});
    return;
  }
  Item last = items_.back();
  int64_t step = last.count > 1 ? last.stride : count > 1 ? stride : wrap_sub(first, last.first);
  int64_t next = wrap_add(last.first, wrap_mul(step, static_cast<int64_t>(last.count)));
  if (next != first || (count > 1 && step != stride)) {
    items_.push_back({first, count == 1 ? 0 : stride, count, 0});
    return;
  }
  last.stride = step;
  last.count += count;
  items_.set_back(last);
}

void Column::append(const Column& other) {
  auto shift = static_cast<uint32_t>(bodies_.size());
  for (const Items& body : other.bodies_) {
    Items& moved = bodies_.emplace_back();
    moved.reserve(body.size());
    for (Item item : body) {
      if (item.body != 0) item.body += shift;
      moved.push_back(item);
    }
  }
  body_sizes_.insert(body_sizes_.end(), other.body_sizes_.begin(), other.body_sizes_.end());
  for (Item item : other.items_) {
    if (item.body == 0) {
      append_run(item.first, item.stride, item.count);
      continue;
    }
    item.body += shift;
    items_.push_back(item);
    size_ += length(item);
  }
}

Column Column::shifted(int64_t by) const {
  Items moved;
  moved.reserve(items_.size());
  for (Item item : items_) {
    item.first = wrap_add(item.first, by);
    moved.push_back(item);
  }
  return Column(std::move(moved), bodies_);
}

int64_t Column::at(uint64_t i) const {
  const Items* items = &items_;
  int64_t shift = 0;
  for (;;) {
    size_t k = 0;
    for (; k < items->size() && i >= length((*items)[k]); ++k) i -= length((*items)[k]);
    if (k == items->size()) return 0;
    const Item item = (*items)[k];
    uint64_t unit = item.body == 0 ? 1 : body_sizes_[item.body - 1];
    shift = wrap_add(shift, wrap_add(item.first, wrap_mul(item.stride, static_cast<int64_t>(i / unit))));
    if (item.body == 0) return shift;
    i %= unit;
    items = &bodies_[item.body - 1];
  }
}

std::vector<int64_t> Column::expand(uint64_t limit) const {
  std::vector<int64_t> values;
  if (bodies_.empty() && size_ <= limit) {
    values.resize(size_);
    auto out = values.begin();
    for (const Item& run : items_) {
      int64_t value = run.first;
      for (uint64_t k = 0; k < run.count; ++k, value = wrap_add(value, run.stride)) *out++ = value;
    }
    return values;
  }
  values.reserve(std::min(limit, size_));
  for (Cursor c(*this); !c.done() && values.size() < limit;) {
    Item run = c.next_run();
    uint64_t n = std::min<uint64_t>(run.count, limit - values.size());
    for (uint64_t k = 0; k < n; ++k)
      values.push_back(wrap_add(run.first, wrap_mul(run.stride, static_cast<int64_t>(k))));
  }
  return values;
}

bool Column::same_values(const Column& other) const {
  if (size_ != other.size_) return false;
  if (items_ == other.items_ && bodies_ == other.bodies_) return true;
  Cursor a(*this), b(other);
  Item x, y;
  while (true) {
    if (x.count == 0) {
      if (a.done()) return true;
      x = a.next_run();
    }
    if (y.count == 0) y = b.next_run();
    uint64_t n = std::min(x.count, y.count);
    if (x.first != y.first || (n > 1 && x.stride != y.stride)) return false;
    for (Item* run : {&x, &y}) {
      run->first = wrap_add(run->first, wrap_mul(run->stride, static_cast<int64_t>(n)));
      run->count -= n;
    }
  }
}

Column::Cursor::Cursor(const Column& column) : column_(&column), level_{&column.items_, 0, 0, 0} { settle(); }

Item Column::Cursor::next_run() {
  Item run{wrap_add(first_, wrap_mul(stride_, static_cast<int64_t>(in_run_))), stride_, run_count_ - in_run_,
           0};
  leave_run();
  return run;
}

void Column::Cursor::leave_run() {
  ++level_.at;
  settle();
}

/// Goes to the next run: up where a list of items is at its end, down where a repeated body begins.
void Column::Cursor::settle() {
  in_run_ = 0;
  while (true) {
    if (level_.at == level_.items->size()) {
      if (around_.empty()) {
        done_ = true;
        return;
      }
      level_ = around_.back();
      around_.pop_back();
      if (++level_.repetition < (*level_.items)[level_.at].count) continue;
      level_.repetition = 0;
      ++level_.at;
      continue;
    }
    const Item item = (*level_.items)[level_.at];
    if (column_->length(item) == 0) {
      ++level_.at;
      continue;
    }
    int64_t shift = wrap_add(level_.shift, item.first);
    if (item.body == 0) {
      first_ = shift;
      stride_ = item.stride;
      run_count_ = item.count;
      return;
    }
    shift = wrap_add(shift, wrap_mul(item.stride, static_cast<int64_t>(level_.repetition)));
    around_.push_back(level_);
    level_ = {&column_->bodies_[item.body - 1], 0, 0, shift};
  }
}

}  // namespace refrain::trace
