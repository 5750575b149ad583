// See law_finder.hpp.
#include "extrapolate/law_finder.hpp"

#include <algorithm>

#include "extrapolate/basis.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

constexpr int simple_enough = 8;  ///< cost of a law that nothing better is expected for
constexpr int cost_of_end = 3;    ///< of where all ends, whose parts are known

/// Whether these may be places where the ranks' parts begin, one after the other.
bool is_start(const Sequence& s) {
  return s.is_complete() && s.size == RankExpression::nprocs() &&
         std::all_of(s.series.begin(), s.series.end(), [](const Series& series) {
           return series.values.front() == 0 && series.values.back() > 0 &&
                  std::is_sorted(series.values.begin(), series.values.end());
         });
}

/// Where the part of one rank more would begin.
RankExpression behind_all(const RankExpression& start) {
  return scale::substituted(start, trace::Variable::rank, RankExpression::nprocs());
}

}  // namespace

LawFinder::LawFinder(const std::vector<uint32_t>& sizes, const Options& options) : largest_(sizes.back()) {
  views_.push_back({{Features({sizes.begin(), sizes.end()})}, {Features({sizes.begin(), sizes.end() - 1})}});
  for (const GivenModel& m : options.models)
    for (Knowledge* k : {&views_[0].all, &views_[0].fewer}) {
      k->features.add(m.law, 1);
      if (m.law.depends_on(trace::Variable::rank)) k->laws.push_back(m.law);
    }
}

const LawFinder::Found& LawFinder::find(const Sequence& s) {
  View& view = views_[view_];
  Key key = key_of(s);
  auto known = view.known.find(key);
  if (known != view.known.end()) return known->second;
  Found found{fit(s, view.all)};
  std::erase_if(found.laws, [](const Candidate& c) { return !c.law.within_bounds(); });
  if (!found.laws.empty()) {
    std::optional<RankExpression> predicted = prediction(s, found.laws[0]);
    found.confirmed = predicted.has_value();
    // What nothing confirms must not confirm others, nor be confirmed by what was made of it.
    if (predicted && found.laws[0].spare > 0)
      for (View& v : views_) {
        v.all.learn(found.laws[0].law);
        v.fewer.learn(*predicted);
        if (!is_start(s)) continue;
        v.all.features.add(behind_all(found.laws[0].law), cost_of_end);
        v.fewer.features.add(behind_all(*predicted), cost_of_end);
      }
    else
      for (View& v : views_) v.all.guess(found.laws[0].law);
  }
  return view.known[key] = std::move(found);
}

void LawFinder::cut_at(int64_t block) {
  for (View& view : views_)
    for (Knowledge* k : {&view.all, &view.fewer})
      if (std::find(k->chunks.begin(), k->chunks.end(), block) == k->chunks.end())
        k->chunks.insert(k->chunks.begin(), block);
}

void LawFinder::try_again() {
  for (View& view : views_)
    std::erase_if(view.known, [](const auto& entry) {
      return entry.second.laws.empty() || entry.second.laws[0].cost > simple_enough;
    });
}

void LawFinder::look_again(std::vector<int64_t> chunks) {
  GridNeeds needs;
  View& whole = views_[0];
  for (const auto& [key, found] : whole.known) needs.look_at(found.laws, whole.all.features);
  whole_ = grids_ = needs.grids();
  whole.known.clear();
  whole.all.chunks = whole.fewer.chunks = std::move(chunks);
  whole.all.digits.clear();
  whole.fewer.digits.clear();
  auto prefer = [](View& view, int64_t dimensions) {
    view.all.features.prefer_grids(dimensions);
    view.fewer.features.prefer_grids(dimensions);
  };
  views_.reserve(3);
  while (views_.size() < 3) views_.push_back(views_[0]);
  for (size_t v : {1, 2}) prefer(views_[v], static_cast<int64_t>(v) + 1);
  if (whole_.dimensions != 0) prefer(views_[0], whole_.dimensions);
}

void LawFinder::prefer_grids(const GridNeeds::Grids& grids) {
  bool as_whole = grids.dimensions == 0 || grids.dimensions == whole_.dimensions;
  view_ = as_whole ? 0 : static_cast<size_t>(grids.dimensions) - 1;
  grids_ = as_whole ? whole_ : grids;
  grids_.clearly |= as_whole && grids.clearly;
}

LawFinder::Key LawFinder::key_of(const Sequence& s) {
  Key key{s.condition};
  for (const Series& series : s.series) {
    key.insert(key.end(), {series.nprocs, static_cast<int64_t>(series.places.size())});
    key.insert(key.end(), series.places.begin(), series.places.end());
    key.insert(key.end(), series.values.begin(), series.values.end());
  }
  if (!(s.size == RankExpression::nprocs()))
    for (char c : s.size.text()) key.push_back(c);
  return key;
}

std::optional<RankExpression> LawFinder::prediction(const Sequence& s, const Candidate& law) {
  if (law.law.is_constant() || s.series.back().nprocs != largest_) return law.law;
  Sequence others = s, held_out{{s.series.back()}, s.size};
  others.series.pop_back();
  std::vector<Candidate> laws = fit(others, views_[view_].fewer);
  for (const Candidate& c : laws)
    if (c.cost <= laws[0].cost + slack && holds(c.law, held_out)) return c.law;
  return std::nullopt;
}

}  // namespace refrain::extrapolate
