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

std::string law_text(const RankExpression& e) {
  constexpr size_t longest = 120;
  std::string text = e.text(ExpressionStyle{.spaced = true});
  return text.size() > longest ? "a long law" : text;
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

DoubtWords doubt_words(const Doubt& d, const std::vector<uint32_t>& sizes, uint32_t nprocs) {
  DoubtWords words{.would_tell = deciding_run(d, sizes)};
  // A doubt whether there is a law at all has 1 and 0 in the place of laws.
  if (d.chosen.is_constant() || d.other.is_constant()) return words;
  std::optional<Disagreement> where = nprocs == 0 ? std::nullopt : difference_at(d, nprocs);
  if (where && where->beyond) return words;
  words.chosen = law_text(d.chosen);
  words.other = law_text(d.other);
  if (!where) return words;
  words.chosen += " gives " + std::to_string(where->chosen);
  if (d.chosen.depends_on(Variable::rank) || d.other.depends_on(Variable::rank))
    words.chosen += " on rank " + std::to_string(where->rank);
  words.other += " gives " + std::to_string(where->other);
  return words;
}

bool is_in_doubt(const Trace& trace, const Doubt& d, uint32_t nprocs) {
  bool recorded = std::find(trace.sizes.begin(), trace.sizes.end(), nprocs) != trace.sizes.end();
  return trace.scale_free() && !recorded && differs_at(d, nprocs);
}

std::vector<std::string> doubts_at_size(const Trace& trace, uint32_t nprocs) {
  std::vector<std::string> lines, known;
  for (const Doubt& d : trace.doubts) {
    std::string line = d.where + ": " + d.reason;
    if (!is_in_doubt(trace, d, nprocs) || std::find(known.begin(), known.end(), line) != known.end())
      continue;
    known.push_back(line);
    DoubtWords words = doubt_words(d, trace.sizes, nprocs);
    if (!words.chosen.empty()) line += ": " + words.chosen + ", " + words.other;
    lines.push_back(line + "; " + words.would_tell);
  }
  return lines;
}

}  // namespace refrain::scale
