// Lists that differ between ranks and runs. The value of an argument in a loop is such a list, by the index
// of the loop, whenever it isn't a multiple of that; arguments that are lists themselves are another. Three
// shapes have laws beyond those of single elements, and lengths that may differ:
//
//   pieces   65536, 65536, 65536, 1024    what is cut at a largest size, as collective buffering cuts files
//   lines    8, 12, 16, 20                a multiple of the place in the list, but perhaps for the last
//   element
//   powers   16, 32, 64, 128              where some run has enough of them to know the ratio
//
// What is left of a list are a few integers, each with a value at every rank of every run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "extrapolate/run_values.hpp"
#include "extrapolate/unify_runs.hpp"

namespace refrain::extrapolate {

struct PlacedList {
  Place place{};
  std::vector<int64_t> elements{};  ///< at least one
};

/// The lists that stand as their numbers, at every place; see unify.hpp.
std::vector<PlacedList> lists_at(const trace::Number& numbers, const trace::RankSet& ranks,
                                 const Unified& unified);
/// Whether there is nothing but one and the same number in all of them.
bool is_one_number(const std::vector<PlacedList>& lists);
/// Element k of every place's list, as a table.
trace::Number element_of(const std::vector<PlacedList>& lists, size_t k);

/// Rows of the same number of elements, each a line with the same step, in every run.
struct Rows {
  Sequence length{}, step{};
  std::vector<PlacedList> heads{};  ///< the first elements
};
std::optional<Rows> rows_of(const std::vector<PlacedList>& lists);

/// Pieces of `block`, but for the last: together `total`, at every place.
struct Pieces {
  int64_t block = 0;
  Sequence total{};

  /// Element number `index`, and how many there are, for a law of the total.
  RankExpression element(const RankExpression& total_law) const;
  RankExpression length(const RankExpression& total_law) const;
};
/// Nothing if the lists aren't of this shape, or if none of them has two elements.
std::optional<Pieces> pieces_of(const std::vector<PlacedList>& lists);

/// first + step·index, but for the last element if `last` has values.
struct Lines {
  Sequence length{}, first{}, step{}, last{};  ///< the step is unknown where there are too few elements
};
std::optional<Lines> lines_of(const std::vector<PlacedList>& lists);

/// first + factor·(ratio^index - 1).
struct Powers {
  Sequence first{}, factor{};  ///< the factor is unknown where there is one element
};
std::optional<Powers> powers_of(const std::vector<PlacedList>& lists, int64_t ratio);

/// The first list of each run, as far as a reader can take it in.
std::string lists_text(const std::vector<PlacedList>& lists);

/// The integer that `value` gives of each list.
template <class Value>
Sequence sequence_of_lists(const std::vector<PlacedList>& lists, Value value) {
  Sequence s;
  for (const PlacedList& list : lists)
    if (std::optional<int64_t> v = value(list.elements)) s.add(list.place.nprocs, list.place.rank, *v);
  return s;
}

}  // namespace refrain::extrapolate
