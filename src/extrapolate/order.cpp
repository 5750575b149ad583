// See order.hpp. A rank that makes both calls tells their order; so does a third call between them that has a
// rank in common with each. What all ranks do divides the others into those before and those behind it.
#include "extrapolate/order.hpp"

#include <algorithm>

namespace refrain::extrapolate {
namespace {

using trace::RankExpression;

bool is_for_all(const Sibling& s) { return s.law.is_constant(1); }

bool have_common(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) return true;
    *i < *j ? ++i : ++j;
  }
  return false;
}

/// Whether there may be a rank that both conditions hold for. Most exclude each other; that is tried.
bool may_meet(const RankExpression& both) {
  constexpr uint32_t most_tried = 128;
  auto meet = [&](uint32_t nprocs) {
    std::vector<uint32_t> ranks(nprocs);
    for (uint32_t r = 0; r < nprocs; ++r) ranks[r] = r;
    std::vector<int64_t> values(nprocs);
    both.evaluate(ranks, values, nprocs);
    return std::any_of(values.begin(), values.end(), [](int64_t v) { return v != 0; });
  };
  for (uint32_t nprocs = 1; nprocs <= most_tried; ++nprocs)
    if (meet(nprocs)) return true;
  const uint32_t larger[] = {200, 256, 343, 512, 729, 1000, 1024, 1296};
  return std::any_of(std::begin(larger), std::end(larger), meet);
}

/// Those between two that all ranks have.
void doubt_segment(const Sibling* first, size_t n, const trace::Doubt& about,
                   std::vector<trace::Doubt>& doubts) {
  std::vector<std::vector<uint32_t>> places;
  for (size_t i = 0; i < n; ++i) places.push_back(first[i].places.expand());
  std::vector<std::vector<bool>> known(n, std::vector<bool>(n));
  for (size_t j = 1; j < n; ++j)
    for (size_t i = j; i-- > 0;) {
      known[i][j] = have_common(places[i], places[j]);
      for (size_t k = i + 1; k < j && !known[i][j]; ++k) known[i][j] = known[i][k] && known[k][j];
      if (known[i][j]) continue;
      RankExpression both = RankExpression::both(first[i].law, first[j].law);
      if (may_meet(both))
        doubts.push_back({about.where + first[i].name + " and " + first[j].name,
                          "no run has a rank that makes both: their order isn't known", both,
                          RankExpression(), about.ranks});
    }
}

}  // namespace

void doubt_order(const std::vector<Sibling>& siblings, const trace::Doubt& about,
                 std::vector<trace::Doubt>& doubts) {
  for (size_t i = 0; i < siblings.size(); ++i) {
    size_t first = i;
    while (i < siblings.size() && !is_for_all(siblings[i])) ++i;
    if (i > first + 1) doubt_segment(&siblings[first], i - first, about, doubts);
  }
}

}  // namespace refrain::extrapolate
