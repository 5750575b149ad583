// See spread.hpp.
#include "simulate/spread.hpp"

#include <algorithm>

#include "trace/column.hpp"

namespace refrain::simulate {

using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

int64_t Spread::Run::at(uint64_t i) const { return wrap_add(first, wrap_mul(step, static_cast<int64_t>(i))); }

Spread Spread::constant(int64_t value, uint64_t count) {
  Spread made;
  if (count > 0) made.push(Run{count, value, 0});
  return made;
}

void Spread::push(int64_t value) {
  ++size_;
  if (!runs_.empty()) {
    Run& last = runs_.back();
    if (last.count == 1) last.step = wrap_sub(value, last.first);
    if (last.at(last.count) == value) {
      ++last.count;
      return;
    }
  }
  runs_.push_back({1, value, 0});
}

void Spread::push(const Run& run) {
  if (run.count == 1) return push(run.first);
  if (!runs_.empty() && run.count > 0) {
    Run& last = runs_.back();
    bool continues = last.count == 1 ? wrap_sub(run.first, last.first) == run.step
                                     : last.step == run.step && last.at(last.count) == run.first;
    if (continues) {
      last.step = run.step;
      last.count += run.count;
      size_ += run.count;
      return;
    }
  }
  if (run.count > 0) runs_.push_back(run);
  size_ += run.count;
}

bool Spread::is_constant() const {
  return std::all_of(runs_.begin(), runs_.end(), [&](const Run& run) {
    return run.first == runs_.front().first && (run.step == 0 || run.count == 1);
  });
}

int64_t Spread::lowest() const {
  int64_t low = INT64_MAX;
  for (const Run& run : runs_) low = std::min({low, run.first, run.at(run.count - 1)});
  return runs_.empty() ? 0 : low;
}

int64_t Spread::highest() const {
  int64_t high = INT64_MIN;
  for (const Run& run : runs_) high = std::max({high, run.first, run.at(run.count - 1)});
  return runs_.empty() ? 0 : high;
}

int64_t Spread::sum() const {
  int64_t sum = 0;
  for (const Run& run : runs_) {
    auto n = static_cast<int64_t>(run.count);
    int64_t pairs = n % 2 == 0 ? wrap_mul(n / 2, n - 1) : wrap_mul(n, (n - 1) / 2);
    sum = wrap_add(sum, wrap_add(wrap_mul(n, run.first), wrap_mul(pairs, run.step)));
  }
  return sum;
}

void Spread::add(int64_t value) {
  for (Run& run : runs_) run.first = wrap_add(run.first, value);
}

void Spread::add(const Spread& other, int64_t factor) {
  Spread sum;
  Spread self = size_ == 0 ? constant(0, other.size()) : std::move(*this);
  side_by_side(self, other, [&](const Run& a, const Run& b) {
    sum.push(Run{a.count, wrap_add(a.first, wrap_mul(b.first, factor)),
                 wrap_add(a.step, wrap_mul(b.step, factor))});
  });
  *this = std::move(sum);
}

bool Spread::operator==(const Spread& other) const {
  if (size_ != other.size_) return false;
  bool equal = true;
  side_by_side(*this, other, [&](const Run& a, const Run& b) {
    equal &= a.first == b.first && (a.count == 1 || a.step == b.step);
  });
  return equal;
}

}  // namespace refrain::simulate
