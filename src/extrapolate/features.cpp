// See features.hpp. The order is that of plausibility: where two quantities are the same at all observed
// numbers of ranks, the first one stands for both, and the other becomes a doubt of whatever law uses it.
// Grids of two dimensions are simpler than those of three.
#include "extrapolate/features.hpp"

#include <algorithm>
#include <set>

namespace refrain::extrapolate {
namespace {

RankExpression number(int64_t n) { return RankExpression::constant(n); }

}  // namespace

Features::Features(std::vector<int64_t> sizes) : sizes_(std::move(sizes)) {
  const RankExpression p = RankExpression::nprocs();
  std::vector<RankExpression> flat, extents;
  for (int64_t i = 0; i < 2; ++i) flat.push_back(RankExpression::grid(p, 2, i));
  for (int64_t i = 0; i < 3; ++i) extents.push_back(RankExpression::grid(p, 3, i));
  add(p, 1);
  for (const RankExpression& extent : flat) add(extent, 2);
  for (const RankExpression& extent : extents) add(extent, 2);
  RankExpression square = RankExpression::root(p, 2), cube = RankExpression::root(p, 3);
  add(square, 2);
  add(cube, 2);
  RankExpression up = RankExpression::root(p - number(1), 2) + number(1);
  RankExpression nearest = (RankExpression::root(p * number(4), 2) + number(1)) / 2;
  add(up, 3);
  add(nearest, 3);
  add(RankExpression::logarithm(p), 2);
  add(RankExpression::logarithm(p * number(2) - number(1)), 2);  // rounded up
  for (size_t i : {0, 1, 2}) add(extents[i] * extents[(i + 1) % 3], 3);
  add(p * p, 3);
  add(p * (p + number(1)) / 2, 3);
  add(p * (p - number(1)) / 2, 3);
  RankExpression slab = RankExpression::divisor(p, cube);
  add(slab, 3);
  add(RankExpression::power_of_two(RankExpression::logarithm(p)), 3);
  for (int64_t m : {2, 4, 8, 16, 32, 64, 3, 5, 6, 10, 12, 20, 24, 48}) {  // the most usual first
    add_steps(p / m, 3);
    add_steps((p + number(m - 1)) / m, 4);
    if (m <= sizes_.back()) add_steps(p % m, 4);  // else no run tells it from P
  }
  extents_.assign({{flat[1], 2},
                   {flat[0], 2},
                   {extents[2], 2},
                   {extents[0], 2},
                   {extents[1], 2},
                   {extents[1] * extents[2], 3},
                   {extents[0] * extents[1], 3},
                   {square, 3},
                   {cube, 3},
                   {slab, 3},
                   {RankExpression::quotient(p, slab), 4},
                   {p / 2, 3},
                   {(p + number(1)) / 2, 4}});
}

void Features::add(const RankExpression& law, int cost) {
  std::vector<int64_t> values;
  for (int64_t size : sizes_) values.push_back(law.at(RankExpression::Point{.nprocs = size}));
  bool varies = std::any_of(values.begin(), values.end(), [&](int64_t v) { return v != values[0]; });
  if (!varies) return;
  auto [first, end] = by_values_.equal_range(values);
  if (std::any_of(first, end, [&](const auto& f) { return features_[f.second].law == law; })) return;
  by_values_.emplace(values, features_.size());
  features_.push_back({law, cost});
  values_.push_back(std::move(values));
}

void Features::add_steps(const RankExpression& law, int cost) {
  std::set<int64_t> values;
  for (int64_t size : sizes_) values.insert(law.at(RankExpression::Point{.nprocs = size}));
  if (values.size() >= 3) add(law, cost);
}

void Features::add_total(int64_t total, const RankExpression& parts) {
  RankExpression all = number(total), even = RankExpression::quotient(all, parts);
  RankExpression up = RankExpression::quotient(parts + number(total - 1), parts);
  add(even, 3);
  add(RankExpression::remainder(all, parts), 3);
  add(up, 4);
  add(all - up * (parts - number(1)), 5);
}

bool uses_grid(const RankExpression& e, int64_t dimensions) {
  if (e.operation() == trace::Operation::grid && e.number() / 4 == dimensions) return true;
  if (e.operation() == trace::Operation::root && e.number() == dimensions) return true;
  for (size_t i = 0; i < e.operands(); ++i)
    if (uses_grid(e.operand(i), dimensions)) return true;
  return false;
}

void Features::prefer_grids(int64_t dimensions) {
  for (std::vector<Feature>* list : {&features_, &extents_})
    for (Feature& f : *list)
      if (uses_grid(f.law, 5 - dimensions)) f.cost += other_grid_cost;
  known_.clear();
}

int64_t Features::value(size_t f, int64_t nprocs) const {
  auto at = std::lower_bound(sizes_.begin(), sizes_.end(), nprocs);
  return values_[f][static_cast<size_t>(at - sizes_.begin())];
}

}  // namespace refrain::extrapolate
