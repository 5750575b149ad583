// How large a rank's group is if groups of k neighbors are formed and the last one gets what is left, as
// with MPI_Comm_split(comm, rank/k, …): 14 ranks in groups of 4 are 4, 4, 4 and 2. Sizes of files and strides
// are multiples of that. Where only the first rank of each group has a value, k shows in who these are.
#include <algorithm>
#include <numeric>
#include <set>

#include "extrapolate/fit_law.hpp"
#include "extrapolate/scalar.hpp"

namespace refrain::extrapolate {
namespace {

constexpr int64_t largest_group = 64;

/// Whether each run has one value, but for its last ranks, which may have another.
bool may_be_group_sizes(const Sequence& s) {
  std::set<int64_t> all;
  for (const Series& series : s.series) {
    const std::vector<int64_t>& v = series.values;
    auto last = std::find_if(v.begin(), v.end(), [&](int64_t x) { return x != v[0]; });
    if (std::any_of(last, v.end(), [&](int64_t x) { return x != *last; })) return false;
    if (v[0] <= 0 || v.back() <= 0 || v.back() > v[0]) return false;
    all.insert({v[0], v.back()});
  }
  return all.size() > 1;
}

/// Whether the groups' first ranks have a value and no others.
bool has_first_ranks_only(const Sequence& s, int64_t k) {
  return std::all_of(s.series.begin(), s.series.end(), [&](const Series& series) {
    int64_t groups = (s.size_at(series.nprocs) + k - 1) / k;
    for (size_t i = 0; i < series.places.size(); ++i)
      if (series.places[i] != static_cast<int64_t>(i) * k) return false;
    return static_cast<int64_t>(series.places.size()) == groups;
  });
}

void groups_of(Search& s, int64_t k) {
  int64_t factor = 0;
  bool several = false;  // where there is one group alone, its size is the number of ranks
  std::set<int64_t> sizes;
  for (const Series& series : s.sequence.series)
    for (size_t i = 0; i < series.places.size(); ++i) {
      int64_t from_here = s.sequence.size_at(series.nprocs) - series.places[i] / k * k;
      int64_t members = std::min(k, from_here);
      if (members < 1 || series.values[i] % members != 0) return;
      if (factor == 0) factor = series.values[i] / members;
      if (series.values[i] / members != factor) return;
      sizes.insert(members);
      several |= from_here > k;
    }
  if (sizes.size() < 2 || !several) return;
  bool shown = has_first_ranks_only(s.sequence, k);
  RankExpression members = RankExpression::minimum(number(k), s.sequence.size - place() / k * number(k));
  s.offer(members * number(factor), (shown ? 1 : 4) + (factor == 1 ? 0 : 1),
          static_cast<int>(sizes.size()) - (shown ? 1 : 2));
}

}  // namespace

void group_size_family(Search& s) {
  if (s.depth > 0 || !may_be_group_sizes(s.sequence)) return;
  for (int64_t k = 2; k <= largest_group; ++k) groups_of(s, k);
}

}  // namespace refrain::extrapolate
