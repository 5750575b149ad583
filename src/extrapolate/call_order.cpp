// See order.hpp. A rank that makes both calls tells their order; so does a third call between them that has a
// rank in common with each. What all ranks do divides the others into those before and those behind it.
#include "extrapolate/call_order.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

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
std::vector<bool> picture_of(const RankExpression& law, uint32_t largest_run) {
  constexpr uint32_t all_up_to = 128, largest_tried = 8192;
  uint32_t beyond = std::min(2 * largest_run, largest_tried);
  std::vector<uint32_t> sizes{beyond, beyond + 1, 200, 256, 343, 512, 729, 1000, 1024, 1296};
  for (uint32_t nprocs = 2; nprocs <= all_up_to; ++nprocs) sizes.push_back(nprocs);
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

/// Who makes some of the calls: all that the same ranks make.
struct Makers {
  const Sibling* one = nullptr;
  std::vector<uint32_t> places{};
  std::vector<bool> picture{};
};

/// Those between two that all ranks have.
class Segment {
 public:
  Segment(std::span<const Sibling> siblings, uint32_t largest_run) : siblings_(siblings) {
    for (const Sibling& s : siblings) {
      auto known =
          std::find_if(makers_.begin(), makers_.end(), [&](const Makers& m) { return m.one->law == s.law; });
      makers_of_.push_back(static_cast<size_t>(known - makers_.begin()));
      if (known == makers_.end()) makers_.push_back({&s, s.places.expand(), picture_of(s.law, largest_run)});
    }
  }

  void doubt(const trace::Doubt& about, std::vector<trace::Doubt>& doubts) {
    size_t n = siblings_.size();
    std::vector<std::vector<bool>> before(n, std::vector<bool>(n));  // whose order is known
    for (size_t j = 1; j < n; ++j)
      for (size_t i = j; i-- > 0;) {
        if (before[j][i]) continue;
        if (relation(i, j).common) {
          before[j][i] = true;
          for (size_t k = 0; k < i; ++k) before[j][k] = before[j][k] || before[i][k];
        }
      }
    std::set<std::array<size_t, 2>> said;
    for (size_t j = 1; j < n; ++j)
      for (size_t i = 0; i < j; ++i)
        if (!before[j][i] && relation(i, j).meet && said.insert({makers_of_[i], makers_of_[j]}).second)
          doubts.push_back({about.where + siblings_[i].name + " and " + siblings_[j].name,
                            "no run has a rank that makes both: their order isn't known",
                            RankExpression::both(siblings_[i].law, siblings_[j].law), RankExpression(),
                            about.ranks});
  }

 private:
  struct Relation {
    bool common = false;  ///< there is a rank in some run that makes both
    bool meet = false;    ///< there may be one
  };

  const Relation& relation(size_t i, size_t j) {
    auto [known, fresh] = relations_.try_emplace({makers_of_[i], makers_of_[j]});
    if (!fresh) return known->second;
    const Makers &a = makers_[makers_of_[i]], &b = makers_[makers_of_[j]];
    known->second.common = have_common(a.places, b.places);
    for (size_t k = 0; k < a.picture.size() && !known->second.meet; ++k)
      known->second.meet = a.picture[k] && b.picture[k];
    return known->second;
  }

  std::span<const Sibling> siblings_;
  std::vector<Makers> makers_;
  std::vector<size_t> makers_of_;  ///< by sibling
  std::map<std::array<size_t, 2>, Relation> relations_;
};

}  // namespace

void doubt_order(std::span<const Sibling> siblings, uint32_t largest_run, const trace::Doubt& about,
                 std::vector<trace::Doubt>& doubts) {
  for (size_t i = 0; i < siblings.size(); ++i) {
    size_t first = i;
    while (i < siblings.size() && !is_for_all(siblings[i])) ++i;
    if (i > first + 1) Segment(siblings.subspan(first, i - first), largest_run).doubt(about, doubts);
  }
}

}  // namespace refrain::extrapolate
