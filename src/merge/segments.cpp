// Pieces of lines. A sequence is cut greedily into stretches that lie on one line each; with two of them
// there are shorter forms than `k<m ? line : line`:
//
//   cyclic shift   1 2 3 0             (k+1)%4
//   kink           0 3 6 8 10          k*2+min(k,2)        a block distribution's start with remainder
//   step           7 7 7 5 5           (k<3)*2+5           … and its size
//
// A stretch of two gives way when its second value starts a longer or constant one: 9 0 1 2 is 9, then 0 1 2.
// With up to six stretches the form is nested: k<2?a:k<5?b:c.
#include "merge/fit_expression.hpp"

namespace refrain::merge {
namespace {

using trace::RankExpression;
using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

constexpr size_t most_segments = 6;

struct Segment {
  size_t start;
  size_t count;
  int64_t slope;
  int64_t base;  ///< of its line at k = 0
};

/// At most one more than `most_segments`.
std::vector<Segment> segments_of(std::span<const int64_t> v) {
  std::vector<Segment> segments;
  for (size_t i = 0; i < v.size() && segments.size() <= most_segments;) {
    size_t count = first_line(v.subspan(i));
    bool constant_next = i + 2 < v.size() && v[i + 2] == v[i + 1];
    if (count == 2 && (constant_next || first_line(v.subspan(i + 1)) > 2)) count = 1;
    int64_t slope = count > 1 ? wrap_sub(v[i + 1], v[i]) : 0;
    segments.push_back({i, count, slope, 0});
    i += count;
  }
  return segments;
}

void set_base(Segment& segment, std::span<const int64_t> v) {
  segment.base = wrap_sub(v[segment.start], wrap_mul(segment.slope, static_cast<int64_t>(segment.start)));
}

RankExpression line_of(const Segment& segment, const RankExpression& k) {
  return line(k, segment.slope, segment.base);
}

/// a on k < m, b on the others.
RankExpression pieces(const RankExpression& k, size_t m, const RankExpression& a, const RankExpression& b) {
  if (m == 1) return RankExpression::select(k, b, a);
  return RankExpression::select(RankExpression::less(k, constant(m)), a, b);
}

/// One line, the second part of it shifted by `jump`.
void step_forms(const Sequence& s, const Segment& a, size_t m, int64_t jump, Shortest& best) {
  const RankExpression& k = s.k();
  if (s.size() <= 2 * m)
    best.offer(line(k, a.slope, 0) + k / static_cast<int64_t>(m) * constant(jump) + constant(a.base));
  if (m == 1) {
    // Blocks with a remainder of one. Without slope, `k==0` and `k?b:a` read better than anything here.
    RankExpression beyond_first = RankExpression::minimum(k, constant(1)) * constant(jump);
    if (a.slope != 0) best.offer(line(k, a.slope, 0) + beyond_first + constant(a.base));
    return;
  }
  best.offer(line(k, a.slope, 0) + RankExpression::less(k, constant(m)) * constant(wrap_sub(0, jump)) +
             constant(wrap_add(a.base, jump)));
  best.offer(line(k, a.slope, 0) + RankExpression::at_least(k, constant(m)) * constant(jump) +
             constant(a.base));
}

void two_segments(const Sequence& s, Segment a, Segment b, Shortest& best) {
  if (a.count == 1) a.slope = b.slope;
  if (b.count == 1) b.slope = a.slope;
  set_base(a, s.values);
  set_base(b, s.values);
  const RankExpression& k = s.k();
  size_t n = s.size(), m = b.start;
  int64_t jump = wrap_sub(b.base, a.base), turn = wrap_sub(a.slope, b.slope);
  if (turn == 0 && a.slope != 0 && jump == wrap_mul(wrap_sub(0, a.slope), static_cast<int64_t>(n))) {
    RankExpression shifted = (k + constant(n - m)) % static_cast<int64_t>(n);
    best.offer(line(shifted, a.slope, wrap_sub(a.base, wrap_mul(a.slope, static_cast<int64_t>(n - m)))));
  }
  if (turn == 0) step_forms(s, a, m, jump, best);
  auto meeting = exact_quotient(jump, turn);
  if (meeting && a.slope != 0 && *meeting >= static_cast<int64_t>(m) - 1 &&
      *meeting <= static_cast<int64_t>(m))
    best.offer(line(k, b.slope, 0) + RankExpression::minimum(k, constant(*meeting)) * constant(turn) +
               constant(a.base));
  best.offer(pieces(k, m, line_of(a, k), line_of(b, k)));
  // A shift by half the places may also be an exclusive or.
  if (n >= 16 && n != 2 * m) best.settle(best.expression());
}

}  // namespace

void segment_forms(const Sequence& s, Shortest& best) {
  std::vector<Segment> segments = segments_of(s.values);
  if (segments.size() > most_segments) return;
  s.effort->spend(s.size());
  size_t numbers = segments.size() - 1;
  for (Segment& segment : segments) {
    set_base(segment, s.values);
    numbers += segment.slope == 0 ? 1 : 2;
  }
  if (numbers > s.size()) return;
  if (segments.size() == 2) return two_segments(s, segments[0], segments[1], best);
  RankExpression e = line_of(segments.back(), s.k());
  for (size_t i = segments.size() - 1; i-- > 0;)
    e = pieces(s.k(), segments[i + 1].start, line_of(segments[i], s.k()), e);
  best.offer(e);
}

}  // namespace refrain::merge
