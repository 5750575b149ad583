// Fitting values to loop indices.
//
// The slopes of an affine value are found one at a time: the stride inside a row gives the innermost one;
// two rows between which a single index with unknown slope changed give that slope. A second walk verifies
// every row. Example, values 0 1 2  10 11 12  100 101 102  110 111 112 in a nest of 2×2×3: rows start at 0,
// 10, 100, 110; the stride is 1; (0,0)->(0,1) gives 10; (0,1)->(1,0) changes two indices of which one is
// known, and gives 100.
//
// Where all trip counts are constant and the column is a pure nesting of repetitions, the slopes can be read
// off its items without walking any rows.
#include "fold/nest.hpp"

#include <algorithm>
#include <limits>

namespace refrain::fold {

using trace::Column;
using trace::Item;
using trace::Number;
using trace::Value;
using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

namespace {

constexpr int64_t longest_table = 4096;

bool divides(int64_t by, int64_t value, int64_t& quotient) {
  if (by == -1) {
    quotient = wrap_sub(0, value);
    return true;
  }
  if (by == 0 || value % by != 0) return false;
  quotient = value / by;
  return true;
}

/// Takes values off a column a row at a time.
class RowReader {
 public:
  RowReader(const Column& column, Effort& effort) : cursor_(column), effort_(effort) {}

  struct Line {
    int64_t first = 0, stride = 0;
    bool straight = true;
  };
  Line take(uint64_t n) {
    Line line;
    int64_t expected = 0;
    for (uint64_t got = 0; got < n;) {
      if (!fill()) return {0, 0, false};
      uint64_t part = std::min(n - got, rest_.count);
      if (got == 0) {
        line.first = rest_.first;
        if (part >= 2) line.stride = rest_.stride;
      } else {
        if (got == 1) line.stride = wrap_sub(rest_.first, line.first);
        expected = wrap_add(line.first, wrap_mul(line.stride, static_cast<int64_t>(got)));
        line.straight = rest_.first == expected && (part == 1 || rest_.stride == line.stride);
        if (!line.straight) return line;
      }
      rest_.first = wrap_add(rest_.first, wrap_mul(rest_.stride, static_cast<int64_t>(part)));
      rest_.count -= part;
      got += part;
    }
    return line;
  }
  bool exhausted() const { return rest_.count == 0 && cursor_.done(); }

 private:
  bool fill() {
    if (rest_.count > 0) return true;
    if (cursor_.done() || !effort_.spend(1)) return false;
    rest_ = cursor_.next_run();
    return true;
  }
  Column::Cursor cursor_;
  Item rest_;
  Effort& effort_;
};

/// Slopes found so far, from differences between places where the value is known.
struct Slopes {
  std::vector<int64_t> slope;
  std::vector<char> known;

  explicit Slopes(size_t k) : slope(k, 0), known(k, 0) {}

  /// False on a contradiction, and for the number that stands for any slope.
  bool set(size_t d, int64_t s) {
    if (s == Value::any_slope) return false;
    if (known[d]) return slope[d] == s;
    known[d] = 1;
    slope[d] = s;
    return true;
  }
  /// Uses that the value grew by `rise` from `from` to `to`; false on a contradiction.
  bool learn(const std::vector<int64_t>& from, const std::vector<int64_t>& to, int64_t rise) {
    size_t unknown = 0, which = 0;
    for (size_t d = 0; d < slope.size(); ++d) {
      int64_t moved = to[d] - from[d];
      if (moved == 0) continue;
      if (known[d])
        rise = wrap_sub(rise, wrap_mul(slope[d], moved));
      else
        ++unknown, which = d;
    }
    if (unknown == 0) return rise == 0;
    if (unknown > 1) return true;
    int64_t s;
    return divides(to[which] - from[which], rise, s) && set(which, s);
  }
  int64_t at(const std::vector<int64_t>& indices) const {
    int64_t sum = 0;
    for (size_t d = 0; d < slope.size(); ++d) sum = wrap_add(sum, wrap_mul(slope[d], indices[d]));
    return sum;
  }
  std::vector<Number> take() const { return {slope.begin(), slope.end()}; }
};

/// Reads slopes off nested repetitions: `items` must be one item that fills the loops [from, depth).
bool read_off(const Nest& nest, const Column& column, const Column::Items& items, size_t from,
              std::vector<int64_t>& slopes, int64_t& base) {
  if (items.size() != 1) return false;
  const Item& item = items[0];
  base = wrap_add(base, item.first);
  size_t k = nest.depth(), inner = k;
  uint64_t unit = 1, length = item.body == 0 ? 1 : column.length({0, 0, 1, item.body});
  while (unit < length && inner > from) unit *= static_cast<uint64_t>(*nest.level(--inner).trips);
  if (unit != length) return false;
  int64_t slope = item.stride;
  for (size_t d = inner; d-- > from;) {
    if (slope == Value::any_slope) return false;
    slopes[d] = slope;
    slope = wrap_mul(slope, *nest.level(d).trips);
  }
  return item.body == 0 || read_off(nest, column, column.bodies()[item.body - 1], inner, slopes, base);
}

/// The largest value of a column of trip counts; O(items).
int64_t largest(const Column& column) {
  std::vector<int64_t> in_body;
  auto of = [&](const Column::Items& items) {
    int64_t most = 0;
    for (const Item& x : items) {
      int64_t last = wrap_add(x.first, wrap_mul(x.stride, static_cast<int64_t>(x.count - 1)));
      most = std::max(most, wrap_add(std::max(x.first, last), x.body == 0 ? 0 : in_body[x.body - 1]));
    }
    return most;
  };
  for (const auto& body : column.bodies()) in_body.push_back(of(body));
  return of(column.items());
}

bool constant_trips(const Nest& nest) {
  for (size_t d = 0; d < nest.depth(); ++d)
    if (!nest.level(d).trips || nest.level(d).filtered || *nest.level(d).trips < 2) return false;
  return true;
}

}  // namespace

void Nest::push(Column counts) {
  Level level;
  level.longest = largest(counts);
  level.counts = std::move(counts);
  const auto& items = level.counts.items();
  if (items.size() == 1 && items[0].body == 0 && (items[0].stride == 0 || items[0].count == 1))
    level.trips = items[0].first;
  levels_.push_back(std::move(level));
}

void Nest::push_filtered(Column counts, std::vector<int64_t> chosen) {
  push(std::move(counts));
  levels_.back().filtered = true;
  levels_.back().chosen = std::move(chosen);
}

uint64_t Nest::rows() const {
  uint64_t n = 1;
  for (const Level& level : levels_) n += level.counts.size() + (level.filtered ? level.chosen.size() : 0);
  return n;
}

void trim_slopes(const Nest& nest, std::vector<Number>& slopes) {
  slopes.resize(nest.depth(), 0);
  for (size_t d = 0; d < nest.depth(); ++d)
    if (nest.level(d).longest <= 1) slopes[d] = Value::any_slope;
  while (!slopes.empty() && slopes.back() == 0) slopes.pop_back();
}

std::optional<Value> fit_affine(const Nest& nest, const Column& column, Effort& effort) {
  size_t k = nest.depth();
  Value value;
  if (k == 0) return column.size() == 1 ? std::optional(Value::constant(column.at(0))) : std::nullopt;
  int64_t offset = 0;
  std::vector<int64_t> read(k, 0);
  if (constant_trips(nest) && read_off(nest, column, column.items(), 0, read, offset)) {
    value.base = offset;
    value.slopes.assign(read.begin(), read.end());
    return value;
  }
  if (!effort.spend(2 * nest.rows())) return std::nullopt;
  Slopes slopes(k);
  std::vector<int64_t> before;
  int64_t value_before = 0;
  bool good = true;
  RowReader reader(column, effort);
  nest.for_rows([&](const std::vector<int64_t>& indices, int64_t n) {
    auto line = reader.take(static_cast<uint64_t>(n));
    good = line.straight && (n < 2 || slopes.set(k - 1, line.stride)) &&
           (before.empty() || slopes.learn(before, indices, wrap_sub(line.first, value_before)));
    before = indices;
    value_before = line.first;
    return good;
  });
  if (!good || before.empty() || !reader.exhausted()) return std::nullopt;
  RowReader again(column, effort);
  bool first = true;
  nest.for_rows([&](const std::vector<int64_t>& indices, int64_t n) {
    auto line = again.take(static_cast<uint64_t>(n));
    int64_t base = wrap_sub(line.first, slopes.at(indices));
    if (first) offset = base;
    first = false;
    return good = line.straight && base == offset;
  });
  if (!good) return std::nullopt;
  value.base = offset;
  value.slopes = slopes.take();
  return value;
}

std::optional<Value> fit_separable(const Nest& nest, const Column& column, size_t depth, Effort& effort) {
  int64_t longest = nest.level(depth).longest;
  if (longest < 2 || longest > longest_table || static_cast<uint64_t>(longest) * 2 > column.size())
    return std::nullopt;
  return fit_table(nest, column, depth, effort);
}

std::optional<Value> fit_table(const Nest& nest, const Column& column, size_t depth, Effort& effort) {
  size_t k = nest.depth();
  int64_t longest = nest.level(depth).longest;
  if (!effort.spend(2 * (nest.rows() + column.size()))) return std::nullopt;
  struct Last {
    std::vector<int64_t> indices;
    int64_t value = 0;
  };
  std::vector<Last> last(static_cast<size_t>(longest));
  Slopes slopes(k);
  slopes.set(depth, 0);
  bool good = true;
  auto for_values = [&](auto visit) {
    Column::Cursor cursor(column);
    std::vector<int64_t> place(k);
    nest.for_rows([&](const std::vector<int64_t>& indices, int64_t n) {
      place = indices;
      for (int64_t j = 0; j < n && good; ++j, ++place[k - 1])
        good = !cursor.done() && visit(place, cursor.next());
      return good;
    });
  };
  for_values([&](const std::vector<int64_t>& place, int64_t v) {
    Last& seen = last[static_cast<size_t>(place[depth])];
    bool fits = seen.indices.empty() || slopes.learn(seen.indices, place, wrap_sub(v, seen.value));
    seen.indices = place;
    seen.value = v;
    return fits;
  });
  if (!good) return std::nullopt;
  std::vector<int64_t> table(static_cast<size_t>(longest), 0);
  std::vector<char> set(table.size(), 0);
  for_values([&](const std::vector<int64_t>& place, int64_t v) {
    auto x = static_cast<size_t>(place[depth]);
    int64_t rest = wrap_sub(v, slopes.at(place));
    if (!set[x]) set[x] = 1, table[x] = rest;
    return table[x] == rest;
  });
  if (!good) return std::nullopt;
  Value value;
  value.form = trace::Form::separable;
  value.base = table[0];
  for (size_t i = table.size(); i-- > 0;) table[i] = wrap_sub(table[i], table[0]);
  value.depth = static_cast<uint32_t>(depth);
  value.column = std::make_shared<Column>(Column::of(table));
  value.slopes = slopes.take();
  trim_slopes(nest, value.slopes);
  return value;
}

}  // namespace refrain::fold
