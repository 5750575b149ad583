// Joining values of different ranks. The form stays and its numbers become tables:
//
//     rank 0     65536*i                 affine, base 0,       slope 65536
//     rank 1     65536*i + 1048576       affine, base 1048576, slope 65536
//     together   65536*i + [0, 1048576][rank]
//
// Where a loop ran at most once on a rank, its slope there is indifferent and takes whatever the other ranks
// say: the table goes on as it was going. In the same way a list may be longer than some ranks need. Lists
// that differ by more than a constant become lists of numbers while they are short,
//
//     rank 0     [1, 2, 4][j]
//     rank 1     [0, 3, 5][j]            together   [[1, 0][rank], [2, 3][rank], [4, 5][rank]][j]
//
// (which the search for expressions then turns into [rank^1, rank^2, rank^4][j]); longer lists, and values of
// different forms, are kept as alternatives, each with the ranks it belongs to.
#include "merge/join.hpp"

#include <algorithm>

namespace refrain::merge {
namespace {

using trace::Alternative;
using trace::Column;
using trace::Form;
using trace::Item;
using trace::Number;
using trace::RankSet;
using trace::Value;
using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

constexpr uint64_t longest_entries = 64;      ///< lists up to this length become lists of numbers
constexpr size_t searched_alternatives = 64;  ///< that a further value is held against
constexpr size_t usual_growth = 4;            ///< runs that a new table has room for

constexpr int64_t indifferent = Value::any_slope;

bool is_indifferent(const Number& n) { return n.is_constant() && n.constant() == indifferent; }

/// Whose values are of no importance.
enum class Free : uint8_t { neither, a, b };

/// The number as a table over these ranks.
Column table_of(const Number& n, const RankSet& ranks, uint64_t size) {
  if (n.table()) return *n.table();
  if (n.is_constant()) {
    Column out;
    out.reserve(usual_growth);
    out.append_run(n.constant(), 0, size);
    return out;
  }
  std::vector<uint32_t> all = ranks.expand();
  std::vector<int64_t> values(all.size());
  n.expression()->evaluate(all, values);
  return Column::of(values);
}

/// `n` more values that go on as the last run does.
void extend(Column& column, uint64_t n) {
  if (column.empty()) return column.append_run(0, 0, n);
  const Item last = column.items().back();
  if (last.body != 0) return column.append_run(column.at(column.size() - 1), 0, n);
  int64_t stride = last.count > 1 ? last.stride : 0;
  column.append_run(wrap_add(last.first, wrap_mul(stride, static_cast<int64_t>(last.count))), stride, n);
}

/// `n` more values in front, as the first run suggests.
Column extended_before(const Column& column, uint64_t n) {
  Column out;
  if (column.empty()) return out;
  const Item& first = column.items().front();
  int64_t stride = first.body == 0 && first.count > 1 ? first.stride : 0;
  out.reserve(1 + column.items().size());
  out.append_run(wrap_sub(column.at(0), wrap_mul(stride, static_cast<int64_t>(n))), stride, n);
  out.append(column);
  return out;
}

/// Values of both in the order of their ranks; free ones repeat the one before them, or the first that isn't.
Column interleaved(const Column& a, const Column& b, const Order& order, Free free) {
  Column::Cursor x(a), y(b);
  std::vector<int64_t> values;
  int64_t last = (free == Free::a ? b : a).at(0);
  for (bool from_b : order.interleaving()) {
    int64_t v = from_b ? y.next() : x.next();
    if (free != (from_b ? Free::b : Free::a)) last = v;
    values.push_back(last);
  }
  return Column::of(values);
}

bool is_same_everywhere(const Column& column) {
  const Column::Items& items = column.items();
  return items.size() == 1 && items[0].body == 0 && (items[0].stride == 0 || items[0].count == 1);
}

/// Shortens what a table has become: one that is constant is no table.
Number number_of(Column column) {
  return is_same_everywhere(column) ? Number(column.items()[0].first) : Number(std::move(column));
}

/// Joins where `b` follows `a` and one of them is free.
void join_free(Number& a, const Number& b, const Order& order, Free free) {
  if (free == Free::b) {
    if (a.is_constant()) return;
    if (!a.table()) a = Number(table_of(a, order.a(), order.a_size()));
    extend(*a.table(), order.b_size());
    if (is_same_everywhere(*a.table())) a = Number(a.table()->items()[0].first);
  } else if (b.is_constant()) {
    a = b;
  } else {
    a = number_of(extended_before(table_of(b, order.b(), order.b_size()), order.a_size()));
  }
}

void join_numbers(Number& a, const Number& b, const Order& order, Free free) {
  if (a.is_constant() && b.is_constant() && a.constant() == b.constant()) return;
  if (!order.is_append()) {
    a = number_of(interleaved(table_of(a, order.a(), order.a_size()), table_of(b, order.b(), order.b_size()),
                              order, free));
    return;
  }
  if (free != Free::neither) return join_free(a, b, order, free);
  if (!a.table()) a = Number(table_of(a, order.a(), order.a_size()));
  if (b.is_constant())
    a.table()->append_run(b.constant(), 0, order.b_size());
  else if (b.table())
    a.table()->append(*b.table());
  else
    a.table()->append(table_of(b, order.b(), order.b_size()));
}

void join_slope(Number& a, const Number& b, const Order& order) {
  join_numbers(a, b, order, is_indifferent(a) ? Free::a : is_indifferent(b) ? Free::b : Free::neither);
}

/// The same on all its executions, whatever the rank.
bool is_fixed(const Value& v) {
  return v.form == Form::affine && Value{.base = 0, .slopes = v.slopes}.is_constant();
}

/// Gives a fixed value the form of another one, if that is possible for any number of executions.
void adapt(Value& v, const Value& to) {
  if (!is_fixed(v) || (to.form != Form::counter && to.form != Form::running)) return;
  v.form = to.form;
  v.parameter = to.parameter;
  v.slopes.clear();
}

uint64_t list_size(const Value& v) {
  if (!v.entries.empty()) return v.entries.size();
  return v.column ? v.column->size() : 0;
}

/// Whether the shorter one is how the longer one begins.
bool begins_alike(const Column& a, const Column& b) {
  if (a.size() == b.size()) return a.same_values(b);
  if (std::min(a.size(), b.size()) > longest_entries) return false;
  Column::Cursor x(a), y(b);
  while (!x.done() && !y.done())
    if (x.next() != y.next()) return false;
  return true;
}

bool lists_fit(const Value& a, const Value& b) {
  if (list_size(a) == 0 || list_size(b) == 0) return false;
  if (a.entries.empty() && b.entries.empty() && (a.column == b.column || begins_alike(*a.column, *b.column)))
    return true;
  return list_size(a) <= longest_entries && list_size(b) <= longest_entries;
}

/// Whether two values can be one without alternatives.
bool fit(const Value& a, const Value& b) {
  if (a.form != b.form) return false;
  switch (a.form) {
    case Form::affine:
    case Form::counter:
      return true;
    case Form::running:
      return a.parameter == b.parameter;
    case Form::copy:
      return a.parameter == b.parameter && a.sibling == b.sibling;
    case Form::separable:
      return a.depth == b.depth && lists_fit(a, b);
    case Form::column:
      return lists_fit(a, b);
    case Form::power:
      return a.depth == b.depth && a.ratio == b.ratio;
    case Form::by_rank:
      break;
  }
  return false;
}

void make_entries(Value& v) {
  if (!v.entries.empty()) return;
  v.entries.reserve(v.column->size());
  for (Column::Cursor c(*v.column); !c.done();) v.entries.emplace_back(c.next());
  v.column.reset();
}

void join_lists(Value& a, Value& b, const Order& order) {
  if (a.entries.empty() && b.entries.empty()) {
    if (a.column == b.column) return;
    if (begins_alike(*a.column, *b.column)) {
      if (b.column->size() > a.column->size()) a.column = b.column;
      return;
    }
  }
  make_entries(a);
  size_t in_a = a.entries.size(), in_b = list_size(b), n = std::max(in_a, in_b);
  a.entries.resize(n);
  auto join_at = [&](size_t i, const Number& other) {
    join_numbers(a.entries[i], other, order, i >= in_a ? Free::a : i >= in_b ? Free::b : Free::neither);
  };
  size_t i = 0;
  if (b.entries.empty())
    for (Column::Cursor c(*b.column); !c.done();) join_at(i++, c.next());
  for (; i < in_b; ++i) join_at(i, b.entries[i]);
  for (; i < n; ++i) join_at(i, 0);
}

void join_slopes(Value& a, Value& b, const Order& order) {
  size_t n = std::max(a.slopes.size(), b.slopes.size());
  a.slopes.resize(n, 0);
  b.slopes.resize(n, 0);
  for (size_t d = 0; d < n; ++d) join_slope(a.slopes[d], b.slopes[d], order);
  while (!a.slopes.empty() && a.slopes.back() == 0) a.slopes.pop_back();
}

/// Joins values that fit.
void join_fitting(Value& a, Value& b, const Order& order) {
  join(a.base, b.base, order);
  bool power = a.form == Form::power;
  if (a.form == Form::counter || a.form == Form::running || power) join(a.step, b.step, order);
  if (a.form == Form::affine || a.form == Form::separable || power) join_slopes(a, b, order);
  if (a.form == Form::column || a.form == Form::separable) join_lists(a, b, order);
}

std::vector<Alternative> alternatives_of(Value v, const RankSet& ranks) {
  if (v.form == Form::by_rank) return std::move(v.alternatives);
  std::vector<Alternative> one;
  one.push_back({ranks, std::move(v)});
  return one;
}

void add_alternative(std::vector<Alternative>& to, Alternative more) {
  size_t n = std::min(to.size(), searched_alternatives);
  for (size_t i = 0; i < n; ++i) {
    Alternative& known = to[i];
    if (!fit(known.value, more.value)) continue;
    join_fitting(known.value, more.value, Order(known.ranks, more.ranks));
    known.ranks.unite(std::move(more.ranks));
    return;
  }
  to.push_back(std::move(more));
}

}  // namespace

void join(Number& a, const Number& b, const Order& order) { join_numbers(a, b, order, Free::neither); }

void join(Value& a, Value&& b, const Order& order) {
  if (a.form != b.form) {
    adapt(a, b);
    adapt(b, a);
  }
  if (fit(a, b)) return join_fitting(a, b, order);
  Value both{.form = Form::by_rank};
  both.alternatives = alternatives_of(std::move(a), order.a());
  for (Alternative& more : alternatives_of(std::move(b), order.b()))
    add_alternative(both.alternatives, std::move(more));
  a = std::move(both);
}

}  // namespace refrain::merge
