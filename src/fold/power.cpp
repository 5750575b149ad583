// Powers over the index of a loop: 16, 32, 64, 128 is 16·2^i.
//
// What is left of the values after the slopes of the other loops is a list over one index. Its differences
// grow by the ratio: 0 16 48 112 has differences 16 32 64, so it is 16·2^i - 16. Three numbers are found (the
// factor, the ratio, the base), so a fourth value must confirm them; three values will do where the base is
// zero, or where another value of the call has the same ratio. Most columns are ruled out by the first three
// values.
#include "trace/power.hpp"
#include "fold/nest.hpp"

namespace refrain::fold {
namespace {

using trace::Column;
using trace::Value;

constexpr int64_t longest_power = 64;  ///< turns after which no power is left that 64 bits hold

/// The values in the first turns of the loop at `depth`, inner loops being in their first turn; those of the
/// innermost loop when it first turns often enough.
std::vector<int64_t> first_values(const Nest& nest, const Column& column, size_t depth, int64_t turns,
                                  Effort& effort) {
  std::vector<int64_t> values;
  Column::Cursor cursor(column);
  bool innermost = depth + 1 == nest.depth();
  nest.for_rows([&](const std::vector<int64_t>& indices, int64_t n) {
    for (size_t d = 0; d < depth && !innermost; ++d)
      if (indices[d] != 0) return false;
    for (int64_t j = 0; j < n; ++j) {
      if (cursor.done() || std::ssize(values) == turns || !effort.spend(1)) return false;
      int64_t value = cursor.next();
      if (innermost ? n >= turns : j == 0 && indices[depth] == std::ssize(values)) values.push_back(value);
    }
    return true;
  });
  return values;
}

/// By what the differences grow, 0 if they don't: at least 2.
int64_t ratio_of(int64_t first, int64_t second, int64_t third) {
  int64_t before = 0, after = 0;
  if (__builtin_sub_overflow(second, first, &before) || __builtin_sub_overflow(third, second, &after))
    return 0;
  if (before == 0 || (before == -1 && after == INT64_MIN) || after % before != 0) return 0;
  return after / before >= 2 ? after / before : 0;
}

/// Makes a table over an index a power, if it is one.
bool to_power(Value& v, int64_t expected) {
  std::vector<int64_t> list = v.column->expand();  // from 0 on
  int64_t ratio = ratio_of(list[0], list[1], list[2]), factor = list[1];
  if (ratio == 0 || factor % (ratio - 1) != 0) return false;
  factor /= ratio - 1;
  for (size_t k = 0; k < list.size(); ++k) {
    auto power = trace::power_product(factor, ratio, static_cast<int64_t>(k));
    if (!power || trace::wrap_sub(*power, factor) != list[k]) return false;
  }
  v.base = trace::wrap_sub(v.base.constant(), factor);
  if (list.size() < 4 && !(v.base == 0) && ratio != expected) return false;
  v.form = trace::Form::power;
  v.step = factor;
  v.ratio = ratio;
  v.column.reset();
  return true;
}

}  // namespace

std::optional<Value> fit_power(const Nest& nest, const Column& column, Effort& effort, int64_t expected) {
  for (size_t d = nest.depth(); d-- > 0;) {
    int64_t longest = nest.level(d).longest;
    if (longest < 3 || longest > longest_power || nest.level(d).filtered) continue;
    std::vector<int64_t> first = first_values(nest, column, d, 3, effort);
    if (first.size() < 3 || ratio_of(first[0], first[1], first[2]) == 0) continue;
    auto v = fit_table(nest, column, d, effort);
    if (v && to_power(*v, expected)) return v;
  }
  return std::nullopt;
}

}  // namespace refrain::fold
