// The search for the shortest exact expression of a sequence of integers. `fit` tries one family of forms
// after the other; each family has a file of its own and offers what it finds:
//
//   segments.cpp     lines; cyclic shifts, kinks, steps, up to six pieces          r<256?-1:r-256
//   polynomial.cpp   quadratics, powers of two                                     r*(r+1)*4
//   staircase.cpp    floor((a*r+c)/q), its differences, (a*r+c)%m                  r*1000000007/2048*8
//   bits.cpp         exclusive or, Gray code, any map linear over GF(2)            (r^1024)*64+7
//   radix.cpp        sums of functions of r%m and r/m, periodic tables             r%16*480+r/16*7680
//   products.cpp     products of them, and the running sums of such                ((r%16<7)+625)*(r/16+8)
//   exceptions.cpp   one value that is different; a sentinel at boundaries         r%16/15?-1:r+1
//
// Families check their own claims on every value, and give up at the first value that contradicts them, so
// that a family that doesn't apply costs next to nothing. What `express` returns is evaluated once more.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "trace/rank_expression.hpp"

namespace refrain::merge {

/// Elementary steps that a search may still take; none are left once it took too many.
class Effort {
 public:
  explicit Effort(uint64_t steps) : left_(steps) {}
  void spend(uint64_t steps) { left_ -= steps < left_ ? steps : left_; }
  bool exhausted() const { return left_ == 0; }

 private:
  uint64_t left_;
};

/// The place k in a sequence as an expression. In a nested rank set, k%m and k/m have short expressions of
/// their own for one m.
class Place {
 public:
  explicit Place(trace::RankExpression whole) : whole_(std::move(whole)) {}
  /// k = high * radix + low.
  Place(uint64_t radix, const Place& high, const Place& low);

  const trace::RankExpression& whole() const { return whole_; }
  Place modulo(uint64_t m) const;
  Place quotient(uint64_t m) const;

 private:
  trace::RankExpression whole_;
  uint64_t radix_ = 0;
  std::shared_ptr<const std::pair<Place, Place>> digits_;  ///< high, low
};

/// What is to be expressed: values[k] belongs to place k.
struct Sequence {
  std::span<const int64_t> values;
  Place place;
  Effort* effort;
  size_t size() const { return values.size(); }
  const trace::RankExpression& k() const { return place.whole(); }
};

/// The shortest expression offered so far.
class Shortest {
 public:
  void offer(const trace::RankExpression& expression);
  void offer(const Shortest& other);
  /// As `offer`; and nothing shorter is worth looking for.
  void settle(const trace::RankExpression& expression);

  bool found() const { return found_; }
  bool settled() const { return settled_; }
  const trace::RankExpression& expression() const { return expression_; }
  size_t length() const { return length_; }
  /// Number of values in its tables.
  uint64_t tabled() const { return tabled_; }
  /// Found, short, and without a table.
  bool good(size_t length_limit) const { return found_ && tabled_ == 0 && length_ <= length_limit; }

 private:
  bool found_ = false, settled_ = false;
  trace::RankExpression expression_;
  size_t length_ = 0;
  uint64_t tabled_ = 0;
};

/// The shortest expression found; `depth` is that of the recursion into digits.
Shortest fit(const Sequence& s, unsigned depth);
/// The same, or a plain table if that is shorter (and not too long).
Shortest fit_or_table(const Sequence& s, unsigned depth);
constexpr unsigned max_fit_depth = 4;

// The families. Each offers what it finds.
void segment_forms(const Sequence& s, Shortest& best);
void polynomial_forms(const Sequence& s, Shortest& best);
void staircase_forms(const Sequence& s, Shortest& best);
void bit_forms(const Sequence& s, Shortest& best);
void radix_forms(const Sequence& s, unsigned depth, Shortest& best);
void product_forms(const Sequence& s, unsigned depth, Shortest& best);
void scaled_row_forms(const Sequence& s, unsigned depth, Shortest& best);
void point_form(const Sequence& s, Shortest& best);
void sentinel_form(const Sequence& s, unsigned depth, Shortest& best);
void first_or_last_apart(const Sequence& s, Shortest& best);

/// A constant from whatever integer.
template <std::integral Integer>
trace::RankExpression constant(Integer value) {
  return trace::RankExpression::constant(static_cast<int64_t>(value));
}
/// k*slope + base.
trace::RankExpression line(const trace::RankExpression& k, int64_t slope, int64_t base);
/// Number of values from the first on that lie on one line.
size_t first_line(std::span<const int64_t> values);
/// a / b if b divides a.
std::optional<int64_t> exact_quotient(int64_t a, int64_t b);
/// |a| as unsigned.
uint64_t magnitude(int64_t a);

/// Values are least + unit * (non-negative integers); unit is as large as possible, 0 if all are equal.
struct Grid {
  int64_t least = 0;
  uint64_t unit = 0;
};
Grid grid_of(std::span<const int64_t> values);

/// Every m-th value from `first` on.
std::vector<int64_t> column_of(std::span<const int64_t> values, size_t first, size_t m);
/// The smallest p for which v[k+p] - v[k] is the same for all k.
size_t period_of(std::span<const int64_t> values);
/// Ways to cut a sequence of this size into rows: the numbers above 1 that divide it, and are less.
std::vector<size_t> proper_divisors(size_t size);

}  // namespace refrain::merge
