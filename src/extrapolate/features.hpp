// The quantities that programs derive from the number of ranks, out of which laws are made.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "extrapolate/run_values.hpp"

namespace refrain::extrapolate {

constexpr int other_grid_cost = 2;  ///< of grids that are not of the kind that a program seems to use

struct Feature {
  RankExpression law{};
  int cost = 1;
};

/// Knows all quantities, and their values at the numbers of ranks that were observed. Others can be added: by
/// users (--model), or when a total is found that ranks share.
class Features {
 public:
  explicit Features(std::vector<int64_t> sizes);

  /// Adds a quantity, unless it is there or is the same at all sizes.
  void add(const RankExpression& law, int cost);
  /// The same for a quantity that says something only if it has three values or more: with two, it would do
  /// no more than tell runs apart.
  void add_steps(const RankExpression& law, int cost);
  /// Adds what becomes of a total that is shared by `parts`: quotient, remainder, and both rounded up.
  void add_total(int64_t total, const RankExpression& parts);

  /// Programs use grids of one kind: those of another number of dimensions become less plausible.
  void prefer_grids(int64_t dimensions);

  const std::vector<Feature>& all() const { return features_; }
  /// Value of feature number `f` at a number of ranks that was observed.
  int64_t value(size_t f, int64_t nprocs) const;
  /// Those that may be the extent of a grid: candidates for the base in which ranks have digits.
  const std::vector<Feature>& extents() const { return extents_; }
  const std::vector<int64_t>& sizes() const { return sizes_; }

  /// Laws of a single integer that were looked for before.
  struct Known {
    std::vector<Candidate> of_one{};  ///< all laws that are made of one feature, among the first so many
    size_t features = 0;
    std::vector<Candidate> laws{};  ///< the simplest of all, with these features
  };
  /// By what was observed: the same integers turn up again and again. A copy begins with nothing.
  struct Memory : std::map<std::vector<Observation>, Known> {
    Memory() = default;
    Memory(const Memory&) : Memory() {}
    Memory(Memory&&) = default;
    Memory& operator=(const Memory&) = delete;
    Memory& operator=(Memory&&) = default;
    ~Memory() = default;
  };
  Memory& known() const { return known_; }

 private:
  std::vector<int64_t> sizes_;
  std::vector<Feature> features_;
  std::vector<std::vector<int64_t>> values_;  ///< by feature, then by size
  std::vector<Feature> extents_;
  std::multimap<std::vector<int64_t>, size_t> by_values_;  ///< features
  mutable Memory known_;
};

/// Whether a grid of 2 or 3 dimensions occurs in an expression, or a root that has to do with one.
bool uses_grid(const RankExpression& e, int64_t dimensions);

}  // namespace refrain::extrapolate
