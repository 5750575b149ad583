// Where a scale-free trace isn't certain; see doubts_at_size in at_size.hpp. A doubt is a pair of expressions
// that agree on all runs: it matters where they differ, and a run at the smallest number of ranks where they
// do would tell which is right.
#include <algorithm>
#include <optional>

#include "scale/at_size.hpp"

namespace refrain::scale {

using namespace trace;

namespace {

/// Some ranks below `n`: the first, the last, and others in between, on and off round places.
std::vector<uint32_t> some_ranks(uint32_t n) {
  constexpr uint32_t all = 4096, at_ends = 64, between = 500;
  std::vector<uint32_t> ranks;
  if (n <= all) {
    for (uint32_t r = 0; r < n; ++r) ranks.push_back(r);
    return ranks;
  }
  for (uint32_t r = 0; r < at_ends; ++r) ranks.insert(ranks.end(), {r, n - 1 - r});
  for (uint64_t k = 0; k < between; ++k) {
    auto r = static_cast<uint32_t>(k * n / between);
    ranks.insert(ranks.end(), {r, r / 64 * 64, r / 60 * 60});
  }
  return ranks;
}

/// Where the two laws of a doubt differ first.
struct Disagreement {
  uint32_t rank = 0;
  int64_t chosen = 0, other = 0;
  bool beyond = false;  ///< one of them leaves 64 bits somewhere, and differs from whatever it should be
};

std::optional<Disagreement> difference_at(const Doubt& d, uint32_t nprocs) {
  std::vector<uint32_t> ranks = some_ranks(nprocs);
  auto values = [&](const RankExpression& e) -> std::optional<std::vector<int64_t>> {
    Result<RankExpression> here = at_size(e, nprocs);
    if (!here) return {};
    std::vector<int64_t> out(ranks.size());
    here->evaluate(ranks, out);
    return out;
  };
  auto chosen = values(d.chosen), other = values(d.other), in = values(d.ranks);
  if (!chosen || !other || !in) return Disagreement{.beyond = true};
  for (size_t k = 0; k < ranks.size(); ++k)
    if ((*in)[k] != 0 && (*chosen)[k] != (*other)[k])
      return Disagreement{ranks[k], (*chosen)[k], (*other)[k]};
  return std::nullopt;
}

/// What each of the laws says, if both are laws: a doubt whether there is one at all has 1 and 0 in their
/// place.
std::string alternatives_text(const Doubt& d, const Disagreement& where) {
  constexpr size_t longest = 120;
  if (where.beyond || d.chosen.is_constant() || d.other.is_constant()) return "";
  auto law = [](const RankExpression& e, int64_t value) {
    std::string text = e.text(ExpressionStyle{.spaced = true});
    return (text.size() > longest ? "a long law" : text) + " gives " + std::to_string(value);
  };
  std::string place = d.chosen.depends_on(Variable::rank) || d.other.depends_on(Variable::rank)
                          ? " on rank " + std::to_string(where.rank)
                          : "";
  return ": " + law(d.chosen, where.chosen) + place + ", " + law(d.other, where.other);
}

}  // namespace

bool differs_at(const Doubt& d, uint32_t nprocs) { return difference_at(d, nprocs).has_value(); }

namespace {

/// The smallest number of ranks above the smallest run's at which a further run would tell, in words.
std::string deciding_run(const Doubt& d, const std::vector<uint32_t>& sizes) {
  constexpr uint32_t at_least_to = 64;
  if (d.chosen.is_constant() && d.other.is_constant()) return "another run would say more";
  auto [smallest, largest] = std::minmax_element(sizes.begin(), sizes.end());
  uint32_t most = std::max(at_least_to, std::min(*largest, uint32_t{256}));
  for (uint32_t n = *smallest + 1; n <= most; ++n)
    if (std::find(sizes.begin(), sizes.end(), n) == sizes.end() && differs_at(d, n))
      return "a run of " + std::to_string(n) + " ranks would tell";
  return "no run of up to " + std::to_string(most) + " ranks would tell";
}

}  // namespace

std::vector<std::string> doubts_at_size(const Trace& trace, uint32_t nprocs) {
  std::vector<std::string> lines, known;
  bool recorded = std::find(trace.sizes.begin(), trace.sizes.end(), nprocs) != trace.sizes.end();
  if (recorded || !trace.scale_free()) return lines;
  for (const Doubt& d : trace.doubts) {
    std::string line = d.where + ": " + d.reason;
    auto where = difference_at(d, nprocs);
    if (!where || std::find(known.begin(), known.end(), line) != known.end()) continue;
    known.push_back(line);
    lines.push_back(line + alternatives_text(d, *where) + "; " + deciding_run(d, trace.sizes));
  }
  return lines;
}

}  // namespace refrain::scale
