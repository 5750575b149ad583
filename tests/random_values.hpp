// Random values of a trace: of all forms, with numbers that depend on the rank and, on request, on the number
// of ranks.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::random_trace {

using namespace refrain::trace;

/// The values that an argument may have.
struct Domain {
  int64_t low, high;
  bool holds(int64_t v) const { return v >= low && v <= high; }
};
constexpr Domain anything{INT64_MIN, INT64_MAX}, offsets{0, int64_t{1} << 40}, sizes{0, 1 << 20},
    fields{0, 100'000'000'000'000'000}, trips{0, 5};
constexpr uint32_t files = 8;
constexpr Domain slots{0, files - 1};

constexpr uint64_t most_calls = 64;  ///< of a nest, on one rank: merging keeps longer lists as they are
constexpr int throws = 12;           ///< until a value stays what it is

class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  /// 0 … n - 1
  int64_t below(int64_t n) { return static_cast<int64_t>(engine_() % static_cast<uint64_t>(n)); }
  bool chance(int64_t percent) { return below(100) < percent; }
  /// Mostly small, sometimes as large as they come.
  int64_t integer(const Domain& domain) {
    if (domain.low == 0) return below(std::min(domain.high, int64_t{1} << (2 * below(10))) + 1);
    if (chance(4))
      return std::vector<int64_t>{INT64_MAX, INT64_MIN + 1, INT64_MIN, int64_t{1} << 62}[below(4)];
    int64_t size = int64_t{1} << (2 + 3 * below(12));
    return below(size) - (chance(30) ? size / 2 : 0);
  }

 private:
  std::mt19937_64 engine_;
};

class Values {
 public:
  /// `scale_free`: for any number of ranks.
  Values(Dice& dice, bool scale_free) : dice_(dice), free_(scale_free) {}

  /// A set of some of them.
  RankSet some_of(const RankSet& around) {
    if (free_) return RankSet::where(RankExpression::both(*around.law(), condition(2)));
    std::vector<uint32_t> chosen;
    for (uint32_t rank : around.expand())
      if (dice_.chance(55)) chosen.push_back(rank);
    if (chosen.empty()) chosen.push_back(around.first());
    return RankSet::of(chosen);
  }

  /// Where a value stands.
  struct Place {
    size_t depth;       ///< loops around it
    size_t parameters;  ///< of its node
    size_t siblings;    ///< in its list; none where that is no body
    const RankSet& ranks;
  };

  Value value(const Domain& domain, const Place& place) {
    if (!dice_.chance(30) || is_single(place.ranks)) return plain(domain, place);
    Value v{.form = Form::by_rank};
    if (free_) {
      RankExpression here = condition(2), others = RankExpression::constant(1) - here;
      for (const RankExpression& law : {here, others}) {
        RankSet ranks = RankSet::where(RankExpression::both(*place.ranks.law(), law));
        v.alternatives.push_back(
            {ranks, plain(domain, {place.depth, place.parameters, place.siblings, ranks})});
      }
      return v;
    }
    RankSet left = place.ranks;
    while (left.size() > 1 && v.alternatives.size() < 4 && dice_.chance(v.alternatives.empty() ? 100 : 50)) {
      RankSet here = some_of(left);
      if (here.size() == left.size()) break;
      v.alternatives.push_back({here, plain(domain, {place.depth, place.parameters, place.siblings, here})});
      std::vector<uint32_t> others;
      for (uint32_t rank : left.expand())
        if (!here.contains(rank)) others.push_back(rank);
      left = RankSet::of(others);
    }
    v.alternatives.push_back({left, plain(domain, {place.depth, place.parameters, place.siblings, left})});
    return v;
  }

  bool is_single(const RankSet& ranks) const { return !free_ && ranks.size() < 2; }

 private:
  /// One that is no alternative.
  Value plain(const Domain& domain, const Place& place) {
    Value v{.form = static_cast<Form>(dice_.below(8)), .base = number(domain, place.ranks)};
    bool nested = place.depth > 0;
    switch (v.form) {
      case Form::by_rank:
        v.form = Form::affine;
        [[fallthrough]];
      case Form::affine:
        add_slopes(v, domain, place);
        break;
      case Form::counter:
        v.step = number(domain, place.ranks);
        break;
      case Form::running:
        v.step = dice_.chance(50) ? Number(1) : number(domain, place.ranks);
        v.parameter = static_cast<uint32_t>(dice_.below(std::max<int64_t>(place.parameters, 1)));
        break;
      case Form::copy:
        if (place.siblings == 0) {
          v.form = Form::affine;
          break;
        }
        v.sibling = static_cast<uint32_t>(dice_.below(place.siblings));
        v.parameter = static_cast<uint32_t>(dice_.below(4));
        if (dice_.chance(60)) v.base = 0;
        break;
      case Form::separable:
      case Form::column:
        if (v.form == Form::separable && nested) {
          v.depth = static_cast<uint32_t>(dice_.below(place.depth));
          add_slopes(v, domain, place);
        } else {
          v.form = Form::column;
        }
        if (dice_.chance(60)) v.base = 0;
        add_list(v, domain, place);
        break;
      case Form::power:
        if (!nested) {
          v.form = Form::affine;
          break;
        }
        v.depth = static_cast<uint32_t>(dice_.below(place.depth));
        v.ratio = 2 + dice_.below(dice_.chance(80) ? 4 : 1000);
        v.step = number({domain.low, std::min<int64_t>(domain.high, 1000)}, place.ranks);
        add_slopes(v, domain, place);
        break;
    }
    return v;
  }

  void add_slopes(Value& v, const Domain& domain, const Place& place) {
    for (int64_t n = dice_.below(static_cast<int64_t>(place.depth) + 1); n > 0; --n)
      v.slopes.push_back(dice_.chance(25) ? Number(dice_.chance(80) ? 0 : Value::any_slope)
                                          : slope(domain, place.ranks));
  }

  /// Not the mark for any slope on some ranks only: merging leaves no such.
  Number slope(const Domain& domain, const RankSet& ranks) {
    Number n = number(domain, ranks);
    if (free_) return n.expression() == nullptr && n.constant() == Value::any_slope ? Number(1) : n;
    for (uint64_t i = 0; i < ranks.size(); ++i)
      if (n.at(ranks.at(i), i) == Value::any_slope) return 1;
    return n;
  }

  void add_list(Value& v, const Domain& domain, const Place& place) {
    uint64_t length =
        v.form == Form::separable ? static_cast<uint64_t>(trips.high + dice_.below(3)) : most_calls;
    auto period = static_cast<uint64_t>(dice_.chance(80) ? 1 + dice_.below(8) : most_calls);
    bool two_valued = dice_.chance(20);
    if (dice_.chance(60)) {
      std::vector<int64_t> list;
      int64_t a = dice_.integer(domain), b = dice_.integer(domain);
      for (uint64_t i = 0; i < length; ++i)
        list.push_back(i >= period        ? list[i - period]
                       : !two_valued      ? dice_.integer(domain)
                       : dice_.chance(50) ? a
                                          : b);
      v.column = std::make_shared<const Column>(Column::of(list));
    } else {
      Number a = number(domain, place.ranks), b = number(domain, place.ranks);
      for (uint64_t i = 0; i < length; ++i)
        v.entries.push_back(i >= period   ? v.entries[i - period]
                            : !two_valued ? number(domain, place.ranks)
                                          : (dice_.chance(50) ? a : b));
    }
  }

  Number number(const Domain& domain, const RankSet& ranks) {
    int64_t kind = dice_.below(10);
    if (kind < 5 || is_single(ranks)) return dice_.integer(domain);
    if (kind < 7 && !free_) {
      std::vector<int64_t> table;
      for (uint64_t i = 0; i < ranks.size(); ++i) table.push_back(dice_.integer(domain));
      return Number(Column::of(table));
    }
    RankExpression e = expression(3);
    if (domain.low == 0) {
      int64_t mask = 1;
      while (mask * 2 + 1 <= domain.high && dice_.chance(90)) mask = mask * 2 + 1;
      e = e & RankExpression::constant(mask);
    }
    return e.is_constant() ? Number(e.number()) : Number(e);
  }

  RankExpression condition(int depth) {
    RankExpression a = expression(depth), b = expression(depth);
    if (dice_.chance(50)) return RankExpression::less(a, b);
    return dice_.chance(50) ? RankExpression::at_least(a, b) : RankExpression::equal(a, b);
  }

  /// What only traces for any number of ranks have: a share of something, or what follows from their number
  /// alone.
  RankExpression of_number_of_ranks(int depth) {
    int64_t kind = dice_.below(3);
    if (kind == 0) return RankExpression::quotient(expression(depth - 1), quantity());
    if (kind == 1) return RankExpression::remainder(expression(depth - 1), quantity());
    return quantity();
  }

  RankExpression quantity() {
    RankExpression p = RankExpression::nprocs();
    int64_t factor = 1 + dice_.below(9), dimensions = 2 + dice_.below(2);
    switch (dice_.below(7)) {
      case 0:
        return p;
      case 1:
        return p * RankExpression::constant(factor);
      case 2:
        return p / factor;
      case 3:
        return RankExpression::root(p * RankExpression::constant(factor), dimensions);
      case 4:
        return RankExpression::logarithm(p * RankExpression::constant(factor) - RankExpression::constant(1));
      case 5:
        return RankExpression::grid(p, dimensions, dice_.below(dimensions));
      default:
        return RankExpression::divisor(p, RankExpression::root(p, dimensions));
    }
  }

  RankExpression expression(int depth) {
    if (depth == 0 || dice_.chance(15)) {
      if (free_ && dice_.chance(40)) return RankExpression::nprocs();
      return dice_.chance(70) ? RankExpression::rank() : RankExpression::constant(dice_.integer(anything));
    }
    if (free_ && dice_.chance(30)) return of_number_of_ranks(depth);
    auto e = [&] { return expression(depth - 1); };
    auto condition = [&] { return this->condition(depth - 1); };
    auto table = [&] {
      std::vector<int64_t> values;
      for (int64_t n = 1 + dice_.below(9); n > 0; --n) values.push_back(dice_.integer(anything));
      return Column::of(values);
    };
    switch (dice_.below(18)) {
      case 0:
        return e() + e();
      case 1:
        return e() - e();
      case 2:
        return e() * e();
      case 3:
        return e() / (1 + dice_.below(9));
      case 4:
        return e() % (1 + dice_.below(9));
      case 5:
        return RankExpression::minimum(e(), e());
      case 6:
        return e() ^ e();
      case 7:
        return e() & e();
      case 8:
        return RankExpression::power_of_two(e());
      case 9:
        return RankExpression::power(2 + dice_.below(9), e());
      case 10:
        return condition();
      case 11:
        return RankExpression::both(condition(), dice_.chance(70) ? condition() : e());
      case 12:
        return RankExpression::select(dice_.chance(70) ? condition() : e(), e(), e());
      case 13:
        return RankExpression::linear(table(), e());
      case 14:
        return RankExpression::lookup(table(), e());
      case 15:
        return RankExpression::prefix_sum(table(), e());
      case 16:
        return RankExpression::constant(1) - condition();
      default:
        return e() * RankExpression::constant(dice_.integer(anything)) +
               RankExpression::constant(dice_.integer(anything));
    }
  }

  Dice& dice_;
  bool free_;
};

}  // namespace refrain::random_trace
