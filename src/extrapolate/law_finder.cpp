// See law_finder.hpp.
#include "extrapolate/law_finder.hpp"

#include <algorithm>

namespace refrain::extrapolate {
namespace {

constexpr int simple_enough = 8;  ///< cost of a law that nothing better is expected for

}  // namespace

LawFinder::LawFinder(const std::vector<uint32_t>& sizes, const Options& options)
    : all_{Features({sizes.begin(), sizes.end()})},
      fewer_{Features({sizes.begin(), sizes.end() - 1})},
      largest_(sizes.back()) {
  for (const GivenModel& m : options.models)
    for (Knowledge* k : {&all_, &fewer_}) {
      k->features.add(m.law, 1);
      if (m.law.depends_on(trace::Variable::rank)) k->laws.push_back(m.law);
    }
}

const LawFinder::Found& LawFinder::find(const Sequence& s) {
  Key key = key_of(s);
  auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  Found found{fit(s, all_)};
  if (!found.laws.empty()) {
    std::optional<RankExpression> predicted = confirmation(s, found.laws[0]);
    found.confirmed = predicted.has_value();
    // What nothing confirms must not confirm others, nor be confirmed by what was made of it.
    if (found.confirmed && found.laws[0].spare > 0) all_.learn(found.laws[0].law);
    if (found.confirmed && found.laws[0].spare > 0) fewer_.learn(*predicted);
  }
  return known_[key] = std::move(found);
}

void LawFinder::cut_at(int64_t block) {
  for (Knowledge* k : {&all_, &fewer_})
    if (std::find(k->chunks.begin(), k->chunks.end(), block) == k->chunks.end())
      k->chunks.insert(k->chunks.begin(), block);
}

void LawFinder::try_again() {
  std::erase_if(known_, [](const auto& entry) {
    return entry.second.laws.empty() || entry.second.laws[0].cost > simple_enough;
  });
}

void LawFinder::look_again(std::vector<int64_t> chunks) {
  if (int64_t dimensions = dimensions_of_grids(); dimensions != 0)
    for (Knowledge* k : {&all_, &fewer_}) {
      k->features.prefer_grids(dimensions);
      k->digits.clear();
    }
  known_.clear();
  all_.chunks = fewer_.chunks = std::move(chunks);
}

/// Whether something has no law without such a grid that costs little more.
bool LawFinder::needs_grid(int64_t dimensions, int margin) const {
  return std::any_of(known_.begin(), known_.end(), [&](const auto& entry) {
    const std::vector<Candidate>& laws = entry.second.laws;
    return !laws.empty() && std::all_of(laws.begin(), laws.end(), [&](const Candidate& c) {
      return c.cost > laws[0].cost + margin || uses_grid(c.law, dimensions);
    });
  });
}

/// Of the grids that the program uses, as far as there is a difference; 0 if that isn't clear.
int64_t LawFinder::dimensions_of_grids() const {
  for (int margin : {slack, 0})
    if (bool two = needs_grid(2, margin), three = needs_grid(3, margin); two != three) return two ? 2 : 3;
  return 0;
}

LawFinder::Key LawFinder::key_of(const Sequence& s) {
  Key key;
  for (const Series& series : s.series) {
    key.insert(key.end(), {series.nprocs, static_cast<int64_t>(series.places.size())});
    key.insert(key.end(), series.places.begin(), series.places.end());
    key.insert(key.end(), series.values.begin(), series.values.end());
  }
  if (!(s.size == RankExpression::nprocs()))
    for (char c : s.size.text()) key.push_back(c);
  return key;
}

std::optional<RankExpression> LawFinder::confirmation(const Sequence& s, const Candidate& law) {
  if (law.law.is_constant() || s.series.back().nprocs != largest_) return law.law;
  Sequence others = s;
  others.series.pop_back();
  std::vector<Candidate> predicted = fit(others, fewer_);
  if (predicted.empty()) return std::nullopt;
  const Series& held_out = s.series.back();
  for (size_t k = 0; k < held_out.places.size(); ++k) {
    RankExpression::Point point{.rank = held_out.places[k], .nprocs = held_out.nprocs};
    if (predicted[0].law.at(point) != held_out.values[k]) return std::nullopt;
  }
  return predicted[0].law;
}

}  // namespace refrain::extrapolate
