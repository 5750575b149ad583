// Closed forms of sums. Over a box of indices with trip counts n_0, n_1, … (N = their product)
//
//     Σ (b + Σ_d s_d·i_d)  =  b·N + Σ_d s_d · n_d(n_d-1)/2 · (N/n_d)
//
// and forms that depend only on t, the number of executions before, need only N: Σ (b + s·t) =
// b·N + s·N(N-1)/2, and a column of exactly N values is the sum of its runs. So inside a loop whose trip
// count varies, constants, counters and columns still sum up at once; slopes don't.
#include "measure/sums.hpp"

#include <algorithm>

#include "trace/power.hpp"

namespace refrain::measure {

using namespace trace;

namespace {

constexpr uint64_t most_runs = uint64_t{1} << 22;  ///< walked of one column before giving up

uint64_t saturating_product(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/// 0 + 1 + … + (n-1)
uint64_t triangle(uint64_t n) {
  if (n == 0) return 0;
  return n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
}

uint64_t progression(int64_t first, int64_t stride, uint64_t n) {
  return static_cast<uint64_t>(first) * n + static_cast<uint64_t>(stride) * triangle(n);
}

struct Part {
  uint64_t sum = 0, size = 0;
};

Part sum_items(const Column& column, const Column::Items& items, const std::vector<Part>& bodies) {
  Part total;
  for (const Item& item : items) {
    Part body = item.body == 0 ? Part{0, 1} : bodies[item.body - 1];
    total.sum += item.count * body.sum + body.size * progression(item.first, item.stride, item.count);
    total.size += column.length(item);
  }
  return total;
}

uint64_t sum_whole(const Column& column) {
  std::vector<Part> bodies;
  for (const Column::Items& items : column.bodies()) bodies.push_back(sum_items(column, items, bodies));
  return sum_items(column, column.items(), bodies).sum;
}

/// Product of all trip counts but that of depth `without`; wraps.
uint64_t others(const std::vector<uint64_t>& trips, size_t without) {
  uint64_t product = 1;
  for (size_t d = 0; d < trips.size(); ++d)
    if (d != without) product *= trips[d];
  return product;
}

std::optional<uint64_t> sum_slopes(const Value& v, const Executions& x) {
  uint64_t sum = static_cast<uint64_t>(v.base.constant()) * x.count;
  for (size_t d = 0; d < v.slopes.size(); ++d) {
    int64_t slope = v.slopes[d].constant();
    if (slope == 0 || slope == Value::any_slope) continue;
    if (!x.is_box || d >= x.trips.size()) return {};
    sum += static_cast<uint64_t>(slope) * triangle(x.trips[d]) * others(x.trips, d);
  }
  return sum;
}

std::optional<uint64_t> sum_separable(const Value& v, const Executions& x) {
  auto sum = sum_slopes(v, x);
  if (!sum || !x.is_box || v.depth >= x.trips.size() || !v.column) return {};
  auto table = sum_of(*v.column, x.trips[v.depth]);
  if (!table) return {};
  return *sum + *table * others(x.trips, v.depth);
}

std::optional<uint64_t> sum_power(const Value& v, const Executions& x) {
  auto sum = sum_slopes(v, x);
  if (!sum || !x.is_box || v.depth >= x.trips.size()) return {};
  if (v.step == 0) return sum;
  uint64_t powers = 0;
  for (uint64_t k = 0; k < x.trips[v.depth]; ++k) {
    auto term = power_product(v.step.constant(), v.ratio, static_cast<int64_t>(k));
    if (!term) return {};  // after 63 at most
    powers += static_cast<uint64_t>(*term);
  }
  return *sum + powers * others(x.trips, v.depth);
}

std::optional<uint64_t> sum_column(const Value& v, const Executions& x) {
  auto sum = v.column ? sum_of(*v.column, x.count) : std::nullopt;
  if (!sum) return {};
  return *sum + static_cast<uint64_t>(v.base.constant()) * x.count;
}

std::optional<uint64_t> sum_copy(const Value& v, const Executions& x, const std::vector<Node>& siblings) {
  if (v.sibling >= siblings.size() || v.parameter >= siblings[v.sibling].parameters.size()) return {};
  const Value& source = siblings[v.sibling].parameters[v.parameter];
  if (source.form == Form::copy) return {};
  auto sum = sum_of(source, x, siblings);
  if (!sum) return {};
  return *sum + static_cast<uint64_t>(v.base.constant()) * x.count;
}

/// Adds the run's hits to `counts`; false if it leaves the arms.
bool count_run(const Item& run, std::vector<uint64_t>& counts) {
  int64_t last = wrap_add(run.first, wrap_mul(run.stride, static_cast<int64_t>(run.count - 1)));
  auto arms = static_cast<int64_t>(counts.size());
  if (run.first < 0 || run.first >= arms || last < 0 || last >= arms) return false;
  if (run.stride == 0) {
    counts[static_cast<size_t>(run.first)] += run.count;
    return true;
  }
  if (run.count > counts.size()) return false;
  for (uint64_t k = 0; k < run.count; ++k) {
    int64_t arm = wrap_add(run.first, wrap_mul(run.stride, static_cast<int64_t>(k)));
    if (arm < 0 || arm >= arms) return false;
    ++counts[static_cast<size_t>(arm)];
  }
  return true;
}

}  // namespace

std::optional<uint64_t> sum_of(const Column& column, uint64_t n) {
  if (n > column.size()) return {};
  if (n == column.size()) return sum_whole(column);
  uint64_t sum = 0, runs = 0;
  for (Column::Cursor cursor(column); n > 0;) {
    if (++runs > most_runs) return {};
    Item run = cursor.next_run();
    uint64_t taken = std::min(n, run.count);
    sum += progression(run.first, run.stride, taken);
    n -= taken;
  }
  return sum;
}

std::optional<uint64_t> sum_of(const Value& v, const Executions& x, const std::vector<Node>& siblings) {
  if (x.count == UINT64_MAX || !v.is_plain()) return {};
  switch (v.form) {
    case Form::affine:
      return sum_slopes(v, x);
    case Form::counter:
      return progression(v.base.constant(), v.step.constant(), x.count);
    case Form::running:
      return {};
    case Form::copy:
      return sum_copy(v, x, siblings);
    case Form::separable:
      return sum_separable(v, x);
    case Form::column:
      return sum_column(v, x);
    case Form::power:
      return sum_power(v, x);
    case Form::by_rank:
      return {};
  }
  return {};
}

std::optional<std::vector<uint64_t>> arm_counts(const Node& choice, const Executions& x) {
  std::vector<uint64_t> counts(choice.body.size());
  const Value& selector = choice.count;
  if (selector.is_constant()) {
    if (!count_run({selector.constant_value(), 0, x.count, 0}, counts)) return {};
    return counts;
  }
  if (selector.form != Form::column || !selector.is_plain() || !selector.column ||
      selector.column->size() < x.count)
    return {};
  uint64_t left = x.count, runs = 0;
  for (Column::Cursor cursor(*selector.column); left > 0;) {
    if (++runs > most_runs) return {};
    Item run = cursor.next_run();
    run.first = wrap_add(run.first, selector.base.constant());
    run.count = std::min(run.count, left);
    left -= run.count;
    if (!count_run(run, counts)) return {};
  }
  return counts;
}

std::optional<Executions> inside(const Node& loop, const Executions& x, const std::vector<Node>& siblings) {
  Executions body = x;
  if (loop.count.is_constant()) {
    if (loop.count.constant_value() < 0) return {};
    uint64_t trips = static_cast<uint64_t>(loop.count.constant_value());
    body.count = saturating_product(x.count, trips);
    body.trips.push_back(trips);
    return body;
  }
  auto total = sum_of(loop.count, x, siblings);
  if (!total || *total > Limits::trips) return {};
  body.is_box = false;
  body.count = *total;
  body.trips.push_back(0);
  return body;
}

}  // namespace refrain::measure
