// See price.hpp.
#include "extrapolate/price.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <vector>

namespace refrain::extrapolate {
namespace {

using trace::Operation;

int bits_of(int64_t n) {
  auto rest = static_cast<uint64_t>(n);
  if (n < 0) rest = 0 - rest;
  if (rest == 0) return 0;
  while (rest % 10 == 0) rest /= 10;
  return static_cast<int>(std::bit_width(rest >> std::countr_zero(rest)));
}

int bits_in(const RankExpression& law) {
  int bits = 0;
  switch (law.operation()) {
    case Operation::constant:
      bits = std::min(bits_of(law.number()), bits_of(trace::wrap_add(law.number(), 1)));  // K-1 rounds up
      break;
    case Operation::divide:
    case Operation::modulo:
      bits = bits_of(law.number());
      break;
    default:
      break;
  }
  for (size_t i = 0; i < law.operands(); ++i) bits += bits_in(law.operand(i));
  return bits;
}

int bits_of_operation(const RankExpression& e) {
  switch (e.operation()) {
    case Operation::constant:
      return 0;
    case Operation::multiply:
      return 1;
    case Operation::variable:
    case Operation::add:
    case Operation::subtract:
    case Operation::both:
    case Operation::grid:
    case Operation::logarithm:
    case Operation::divisor:
      return 2;
    case Operation::quotient:
    case Operation::remainder:
    case Operation::root:
      return 3;
    case Operation::divide:
    case Operation::modulo:
    case Operation::less:
    case Operation::at_least:
    case Operation::equal:
    case Operation::minimum:
      return 4;
    case Operation::select:
      return 6;
    default:
      return 5;
  }
}

/// What programs say in one breath: a form with gaps, and its bits besides what fills these.
struct Phrase {
  RankExpression form{};
  int bits = 0;
};

constexpr size_t most_gaps = 3;
constexpr int64_t first_gap = 3;
RankExpression gap(int64_t i) { return RankExpression::power(first_gap + i, RankExpression::index()); }
bool is_gap(const RankExpression& e) {
  return e.operation() == Operation::power && e.operand(0) == RankExpression::index();
}

const std::vector<Phrase>& phrases() {
  static const std::vector<Phrase> all = [] {
    const RankExpression k = gap(0), n = gap(1), t = gap(2), one = number(1);
    RankExpression even = RankExpression::quotient(t, n), rest = RankExpression::remainder(t, n);
    RankExpression left = RankExpression::minimum(n, t - k * n);
    return std::vector<Phrase>{
        {even + RankExpression::less(k, rest), 0},
        {k * even + RankExpression::minimum(k, rest), 0},
        {even + RankExpression::at_least(k, n - rest), 3},
        {RankExpression::quotient((k + one) * t, n) - RankExpression::quotient(k * t, n), 3},
        {RankExpression::select(RankExpression::less(k * n, t), left, number(0)), 3},
        {RankExpression::minimum(k * n, t), 1},
        {RankExpression::minimum(t, n - k * t), 2},
        {RankExpression::logarithm(n * number(2) - one), 3},
        {RankExpression::root(n - one, 2) + one, 4},
        {RankExpression::root(n - one, 3) + one, 4},
        {(RankExpression::root(n * number(4), 2) + one) / 2, 5},
    };
  }();
  return all;
}

using Parts = std::array<const RankExpression*, most_gaps>;

/// Whether an expression has this form; what fills the gaps.
bool matches(const RankExpression& form, const RankExpression& e, Parts& parts) {
  if (is_gap(form)) {
    const RankExpression*& part = parts[static_cast<size_t>(form.number() - first_gap)];
    if (part) return *part == e;
    part = &e;
    return true;
  }
  if (form.operation() != e.operation() || form.number() != e.number()) return false;
  Parts before = parts;
  auto match = [&](bool turned) {
    parts = before;
    for (size_t i = 0; i < e.operands(); ++i)
      if (!matches(form.operand(i), e.operand(turned ? 1 - i : i), parts)) return false;
    return true;
  };
  bool commutes = e.operation() == Operation::add || e.operation() == Operation::multiply ||
                  e.operation() == Operation::minimum;
  return match(false) || (commutes && match(true));
}

/// Adds up what is said for the first time.
class Length {
 public:
  void add(const RankExpression& e) {
    if (e.is_constant()) return add_number(e.number());
    if (was_said(e)) return;
    parts_.push_back(&e);
    for (const Phrase& phrase : phrases()) {
      Parts parts{};
      if (phrase.form.operation() != e.operation() || !matches(phrase.form, e, parts)) continue;
      for (const RankExpression* part : parts)
        if (part) add(*part);
      bits_ += phrase.bits;
      return;
    }
    bool sum = e.operation() == Operation::add;
    for (size_t i = 0; i < e.operands(); ++i)
      if (sum && e.operand(i).is_constant())
        add_rounded(e.operand(i).number());
      else
        add(e.operand(i));
    if (!is_divided_already(e)) bits_ += bits_of_operation(e);
    bool numbered = e.operation() == Operation::divide || e.operation() == Operation::modulo ||
                    e.operation() == Operation::power;
    if (numbered) add_number(e.number());
    if (e.operation() == Operation::table)
      for (int64_t v : e.table().expand()) bits_ += bits_of_element + bits_of(v);
  }
  int bits() const { return bits_; }

 private:
  static constexpr int bits_of_element = 3;

  bool was_said(const RankExpression& e) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const RankExpression* part) { return *part == e; });
  }

  /// Whether the other result of the same division was said.
  bool is_divided_already(const RankExpression& e) const {
    Operation other = e.operation() == Operation::quotient    ? Operation::remainder
                      : e.operation() == Operation::remainder ? Operation::quotient
                      : e.operation() == Operation::divide    ? Operation::modulo
                      : e.operation() == Operation::modulo    ? Operation::divide
                                                              : Operation::constant;
    return std::any_of(parts_.begin(), parts_.end(), [&](const RankExpression* part) {
      if (part->operation() != other || part->number() != e.number()) return false;
      for (size_t i = 0; i < e.operands(); ++i)
        if (!(part->operand(i) == e.operand(i))) return false;
      return true;
    });
  }

  void add_number(int64_t n) {
    uint64_t size = n < 0 ? 0 - static_cast<uint64_t>(n) : static_cast<uint64_t>(n);
    if (size < 2 || std::find(numbers_.begin(), numbers_.end(), size) != numbers_.end()) return;
    numbers_.push_back(size);
    bits_ += 1 + bits_of(n);
  }

  void add_rounded(int64_t n) {
    int64_t next = trace::wrap_add(n, 1);
    add_number(bits_of(next) < bits_of(n) ? next : n);
    if (n > 1) numbers_.push_back(static_cast<uint64_t>(next));
  }

  std::vector<const RankExpression*> parts_;  ///< that were said
  std::vector<uint64_t> numbers_;             ///< the same
  int bits_ = 0;
};

int bits_of_place(size_t n) { return static_cast<int>(std::bit_width(n - 1)); }

/// What comes next if the two values before are on a line.
int64_t next_on_line(const Series& series, size_t i) {
  const auto& [nprocs, k, v] = series;
  if (i == 1) return v[0];
  int64_t apart = int64_t{k[i - 1]} - k[i - 2], rise = trace::wrap_sub(v[i - 1], v[i - 2]);
  int64_t here = int64_t{k[i]} - k[i - 1];
  return rise % apart != 0 ? v[i - 1] : trace::wrap_add(v[i - 1], trace::wrap_mul(rise / apart, here));
}

}  // namespace

int price_of_number(int64_t n) { return bits_of(n) / 8; }
int bits_of_number(int64_t n) { return bits_of(n); }
int price_of_numbers(const RankExpression& law) { return bits_in(law) / 8; }

int bits_of_law(const RankExpression& law) {
  Length length;
  length.add(law);
  return length.bits();
}

int bits_of_values(const Sequence& s) {
  int bits = 0;
  std::set<int64_t> told;
  for (const Series& series : s.series) {
    const auto& [nprocs, k, v] = series;
    for (size_t i = 0; i < v.size(); ++i)
      if (i == 0 || v[i] != next_on_line(series, i))
        bits += (i == 0 ? 0 : bits_of_place(v.size())) + 1 + (told.insert(v[i]).second ? bits_of(v[i]) : 0);
  }
  return bits;
}

}  // namespace refrain::extrapolate
