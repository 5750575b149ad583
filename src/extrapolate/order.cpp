// See order.hpp. A rank that makes both calls tells their order; so does a third call between them that has a
// rank in common with each. What all ranks do divides the others into those before and those behind it.
#include "extrapolate/order.hpp"

#include <numeric>

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

/// For which ranks a condition holds, at many numbers of ranks one after the other. Most conditions exclude
/// each other everywhere: that is tried rather than proved.
std::vector<bool> picture_of(const RankExpression& law) {
  constexpr uint32_t all_up_to = 128;
  std::vector<uint32_t> sizes{200, 256, 343, 512, 729, 1000, 1024, 1296};
  for (uint32_t nprocs = 1; nprocs <= all_up_to; ++nprocs) sizes.push_back(nprocs);
  std::vector<bool> out;
  for (uint32_t nprocs : sizes) {
    std::vector<uint32_t> ranks(nprocs);
    std::iota(ranks.begin(), ranks.end(), 0U);
    std::vector<int64_t> values(nprocs);
    law.evaluate(ranks, values, nprocs);
    for (int64_t v : values) out.push_back(v != 0);
  }
  return out;
}

/// Conditions of siblings, as far as somebody asked.
class Pictures {
 public:
  Pictures(const Sibling* first, size_t n) : first_(first), pictures_(n) {}

  bool meet(size_t i, size_t j) {
    const std::vector<bool>&a = at(i), &b = at(j);
    for (size_t k = 0; k < a.size(); ++k)
      if (a[k] && b[k]) return true;
    return false;
  }

 private:
  const std::vector<bool>& at(size_t i) {
    if (pictures_[i].empty()) pictures_[i] = picture_of(first_[i].law);
    return pictures_[i];
  }

  const Sibling* first_;
  std::vector<std::vector<bool>> pictures_;
};

/// Those between two that all ranks have.
void doubt_segment(const Sibling* first, size_t n, const trace::Doubt& about,
                   std::vector<trace::Doubt>& doubts) {
  std::vector<std::vector<uint32_t>> places;
  for (size_t i = 0; i < n; ++i) places.push_back(first[i].places.expand());
  std::vector<std::vector<bool>> known(n, std::vector<bool>(n));
  Pictures pictures(first, n);
  for (size_t j = 1; j < n; ++j)
    for (size_t i = j; i-- > 0;) {
      known[i][j] = have_common(places[i], places[j]);
      for (size_t k = i + 1; k < j && !known[i][j]; ++k) known[i][j] = known[i][k] && known[k][j];
      if (!known[i][j] && pictures.meet(i, j))
        doubts.push_back({about.where + first[i].name + " and " + first[j].name,
                          "no run has a rank that makes both: their order isn't known",
                          RankExpression::both(first[i].law, first[j].law), RankExpression(), about.ranks});
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
