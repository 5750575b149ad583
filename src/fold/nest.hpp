// The loops around a node, and the fitting of a column of values to their indices. A *row* is what one
// entry of the innermost loop contributes; fitting walks rows and runs, not values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/column.hpp"
#include "trace/value.hpp"

namespace refrain::fold {

/// Bounds the total time spent on explaining values.
class Effort {
 public:
  explicit Effort(uint64_t steps) : left_(steps) {}
  bool spend(uint64_t steps) {
    if (steps > left_) return false;
    left_ -= steps;
    return true;
  }

 private:
  uint64_t left_;
};

class Nest {
 public:
  struct Level {
    trace::Column counts;         ///< trip count of each entry
    std::vector<int64_t> chosen;  ///< if `filtered`: the only indices at which the node ran
    bool filtered = false;
    int64_t longest = 0;           ///< largest trip count
    std::optional<int64_t> trips;  ///< the trip count, if it is always the same
  };

  void push(trace::Column counts);
  /// The loop around a choice, for the arm that runs at these indices only.
  void push_filtered(trace::Column counts, std::vector<int64_t> chosen);
  void pop() { levels_.pop_back(); }
  size_t depth() const { return levels_.size(); }
  const Level& level(size_t d) const { return levels_[d]; }
  /// Entries of the innermost loop.
  uint64_t rows() const;

  /// Calls row(indices, n) for each row that has values; the innermost index starts at indices.back() and
  /// runs over n consecutive values. Stops when row returns false.
  template <class Row>
  void for_rows(Row row) const;

 private:
  std::vector<Level> levels_;
};

/// base + Σ slopes · indices, if that is what the column holds.
std::optional<trace::Value> fit_affine(const Nest& nest, const trace::Column& column, Effort& effort);
/// The same plus a table over the index of one loop.
std::optional<trace::Value> fit_table(const Nest& nest, const trace::Column& column, size_t depth,
                                      Effort& effort);
/// The same, if the table is much shorter than the column.
std::optional<trace::Value> fit_separable(const Nest& nest, const trace::Column& column, size_t depth,
                                          Effort& effort);
/// base + Σ slopes · indices + factor · ratio^index over one loop that turns three times or more. `expected`
/// is a ratio that needs no confirmation, if there is one.
std::optional<trace::Value> fit_power(const Nest& nest, const trace::Column& column, Effort& effort,
                                      int64_t expected = 0);
/// Marks slopes of loops that never vary, and cuts trailing zeros.
void trim_slopes(const Nest& nest, std::vector<trace::Number>& slopes);

template <class Row>
void Nest::for_rows(Row row) const {
  size_t k = levels_.size();
  std::vector<int64_t> indices(k, 0);
  if (k == 0) {
    row(indices, int64_t{1});
    return;
  }
  struct State {
    trace::Column::Cursor counts;
    int64_t at = 0, end = 0;
  };
  std::vector<State> state;
  for (const Level& level : levels_) state.push_back({trace::Column::Cursor(level.counts)});
  auto enter = [&](size_t d) {
    State& s = state[d];
    if (s.counts.done()) return false;
    s.end = s.counts.next();
    s.at = 0;
    if (levels_[d].filtered) s.end = static_cast<int64_t>(levels_[d].chosen.size());
    return true;
  };
  size_t d = 0;
  if (!enter(0)) return;
  while (true) {
    State& s = state[d];
    const Level& level = levels_[d];
    bool innermost = d + 1 == k;
    if (s.at < s.end) {
      indices[d] = level.filtered ? level.chosen[s.at] : s.at;
      if (!innermost) {
        if (!enter(++d)) return;
        continue;
      }
      int64_t n = level.filtered ? 1 : s.end;
      if (!row(indices, n)) return;
      s.at += n;
      if (s.at < s.end) continue;
    }
    if (d == 0) return;
    ++state[--d].at;
  }
}

}  // namespace refrain::fold
