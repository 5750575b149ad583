// Totals of a scale-free trace, as far as they are formulas in P.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::scale {

/// A sum of products, over the number of ranks alone.
class Formula {
 public:
  void add(const trace::RankExpression& product);
  /// Something belongs to it that isn't a formula in P, or for which none is known.
  void add_unknown() { more_ = true; }
  bool is_zero() const { return terms_.empty() && !more_; }
  /// Whether all of it is known.
  bool is_exact() const { return !more_; }
  /// What is known of it, at a number of ranks.
  int64_t at(int64_t nprocs) const;
  /// As in `3*P + 1024/P*P + more`.
  std::string text() const;

 private:
  std::map<std::string, std::pair<trace::RankExpression, int64_t>> terms_;  ///< by text; how often each
  bool more_ = false;
};

struct FunctionFormulas {
  std::string layer{};
  std::string function{};
  Formula calls{}, bytes_read{}, bytes_written{};
};

struct FormulaTotals {
  std::vector<FunctionFormulas> functions{};  ///< of the outer streams, by layer, then name
  uint64_t laws = 0;                          ///< numbers and rank sets that depend on the rank or on P
};

FormulaTotals formula_totals(const trace::Trace& trace);

}  // namespace refrain::scale
