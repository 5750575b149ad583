// See express.hpp. The search itself (fit.hpp) knows sequences, not ranks; this file says which sequence to
// look at, and how a place in it follows from the rank. Ranks 0 … n-1 are their own places. For other sets
// there are several views, and the shortest result wins:
//
//   by place        0..2032 step 16: k = rank/16;   (0..3) + 0..1020 step 16: k = rank/16*4 + rank%16
//   by rank         1..2047 with rank%16*60: what the missing ranks would have is guessed from what follows
//                   them, or what holds for the longest stretch without gaps is tried on all; a wrong guess
//                   costs a chance, not correctness
//   piece by piece  several blocks: one expression for each
#include "merge/express.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "merge/by_rank.hpp"
#include "merge/fit_expression.hpp"
#include "merge/rank_runs.hpp"

namespace refrain::merge {
namespace {

using trace::Column;
using trace::Item;
using trace::RankExpression;
using trace::RankSet;
using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

/// Columns of more ranks are not searched beyond lines, nor sets of more runs even for these.
constexpr uint64_t most_ranks = uint64_t{1} << 22;
constexpr uint64_t steps_per_rank = 100;
constexpr size_t most_pieces = 6;
constexpr size_t most_levels = 4;

/// Whether values[k] = slope * rank + base for all ranks. O(runs of ranks and values).
bool lies_on(const RankSet& ranks, const Column& values, int64_t slope, int64_t base) {
  Column::Cursor cursor(values);
  Item run;
  for (RankRuns runs(ranks); !runs.done();) {
    RankRun of_ranks = runs.next();
    auto first = static_cast<int64_t>(of_ranks.first), stride = static_cast<int64_t>(of_ranks.stride);
    while (of_ranks.count > 0) {
      if (run.count == 0) run = cursor.next_run();
      uint64_t n = std::min(run.count, of_ranks.count);
      if (run.first != wrap_add(wrap_mul(slope, first), base)) return false;
      if (n > 1 && run.stride != wrap_mul(slope, stride)) return false;
      first += stride * static_cast<int64_t>(n);
      of_ranks.count -= n;
      run.first = wrap_add(run.first, wrap_mul(run.stride, static_cast<int64_t>(n)));
      run.count -= n;
    }
  }
  return true;
}

/// The first `N` ranks of a set that has as many.
template <size_t N>
std::array<int64_t, N> first_ranks(const RankSet& ranks) {
  std::array<int64_t, N> first{};
  size_t n = 0;
  for (RankRuns runs(ranks); n < N;) {
    RankRun run = runs.next();
    for (uint64_t i = 0; i < run.count && n < N; ++i)
      first[n++] = static_cast<int64_t>(run.first + i * run.stride);
  }
  return first;
}

/// The value that all have.
std::optional<int64_t> common_value(const Column& values) {
  Column::Cursor cursor(values);
  int64_t first = values.at(0);
  while (!cursor.done()) {
    Item run = cursor.next_run();
    if (run.first != first || (run.count > 1 && run.stride != 0)) return std::nullopt;
  }
  return first;
}

uint64_t number_of_runs(const RankSet& ranks) {
  uint64_t runs = 0;
  for (const RankSet::Block& block : ranks.blocks()) {
    uint64_t outside = 1;
    for (size_t d = 0; d + 1 < block.levels.size(); ++d) outside *= block.levels[d].count;
    runs += outside;
  }
  return runs;
}

std::optional<RankExpression> line_over_ranks(const RankSet& ranks, const Column& values) {
  if (auto value = common_value(values)) return constant(*value);
  if (number_of_runs(ranks) > most_ranks) return std::nullopt;
  Column::Cursor cursor(values);
  int64_t first = cursor.next();
  auto [r0, r1] = first_ranks<2>(ranks);
  auto slope = exact_quotient(wrap_sub(cursor.next(), first), r1 - r0);
  if (!slope) return std::nullopt;
  int64_t base = wrap_sub(first, wrap_mul(*slope, r0));
  if (!lies_on(ranks, values, *slope, base)) return std::nullopt;
  return line(RankExpression::rank(), *slope, base);
}

/// The place in a block whose ranks have the value `x` = first + …, from level `d` on.
Place place_in(const RankSet::Block& block, size_t d, RankExpression x, uint64_t first) {
  if (d == block.levels.size()) return Place(RankExpression());
  uint64_t stride = block.levels[d].stride, extent = 0, inside = 1;
  for (size_t i = d + 1; i < block.levels.size(); ++i) {
    extent += (block.levels[i].count - 1) * block.levels[i].stride;
    inside *= block.levels[i].count;
  }
  if (first % stride + extent >= stride) {
    x = x - constant(first);
    first = 0;
  }
  Place high(x / static_cast<int64_t>(stride) - constant(first / stride));
  if (inside == 1) return high;
  return Place(inside, high, place_in(block, d + 1, x % static_cast<int64_t>(stride), first % stride));
}

Place place_in(const RankSet::Block& block) {
  return place_in(block, 0, RankExpression::rank(), block.first);
}

/// Whether the expression has these values at these ranks.
bool holds(const RankExpression& e, const RankSet& ranks, std::span<const int64_t> values) {
  constexpr size_t at_once = 4096;
  std::vector<uint32_t> some;
  std::vector<int64_t> computed(at_once);
  size_t done = 0;
  auto check = [&] {
    e.evaluate(some, computed);
    std::span<const int64_t> wanted = values.subspan(done, some.size());
    bool same = std::equal(wanted.begin(), wanted.end(), computed.begin());
    done += some.size();
    some.clear();
    return same;
  };
  for (RankRuns runs(ranks); !runs.done();) {
    RankRun run = runs.next();
    for (uint64_t i = 0; i < run.count; ++i) {
      some.push_back(static_cast<uint32_t>(run.first + i * run.stride));
      if (some.size() == at_once && !check()) return false;
    }
  }
  return check();
}

/// The blocks of a set, if they are few; of a single block that is a few times the same, these.
std::vector<RankSet::Block> pieces_of(const RankSet& ranks) {
  if (ranks.blocks().size() > most_pieces) return {};
  std::vector<RankSet::Block> pieces = ranks.blocks();
  if (pieces.size() > 1 || pieces[0].levels.size() < 2 || pieces[0].levels[0].count > most_pieces)
    return pieces;
  RankSet::Block piece = pieces[0];
  RankSet::Stride outer = piece.levels[0];
  piece.levels.erase(piece.levels.begin());
  pieces.assign(outer.count, piece);
  for (size_t i = 0; i < pieces.size(); ++i) pieces[i].first += i * outer.stride;
  return pieces;
}

/// Whether the place of a rank has an expression.
bool has_place(const RankSet& ranks) {
  return ranks.blocks().size() == 1 && ranks.blocks()[0].levels.size() <= most_levels;
}

class Search {
 public:
  Search(const RankSet& ranks, const Column& values) : ranks_(ranks), values_(values.expand()) {}

  std::optional<RankExpression> run() {
    if (has_place(ranks_)) offer(values_, place_in(ranks_.blocks()[0]));
    std::vector<RankSet::Block> pieces = pieces_of(ranks_);
    if (pieces.size() > 1) offer_pieces(pieces);
    offer_by_rank();
    if (!best_.found() || !shorter_than_a_table(best_.length())) return std::nullopt;
    return best_.expression();
  }

 private:
  Shortest search(std::span<const int64_t> values, const Place& place) const {
    Effort effort(steps_per_rank * (values.size() + 100));
    return fit({values, place, &effort}, 0);
  }

  void offer(const Shortest& candidate) {
    if (!candidate.found() || (best_.found() && candidate.length() >= best_.length())) return;
    if (candidate.expression().within_bounds() && holds(candidate.expression(), ranks_, values_))
      best_.offer(candidate);
  }
  void offer(std::span<const int64_t> values, const Place& place) { offer(search(values, place)); }

  /// Whether the text of a plain table, `[1, 2, 5][rank]`, is longer than that.
  bool shorter_than_a_table(size_t length) const {
    size_t of_table = sizeof("[][rank]") - 1;
    for (size_t i = 0; i < values_.size() && of_table < length; ++i)
      of_table += std::to_string(values_[i]).size() + 2;
    return of_table >= length;
  }

  void offer_pieces(const std::vector<RankSet::Block>& blocks) {
    RankExpression whole;
    size_t end = values_.size();
    for (size_t i = blocks.size(); i-- > 0;) {
      size_t size = 1;
      for (const RankSet::Stride& level : blocks[i].levels) size *= level.count;
      end -= size;
      if (blocks[i].levels.size() > most_levels) return;
      Shortest piece = search(std::span(values_).subspan(end, size), place_in(blocks[i]));
      if (!piece.found()) return;
      if (i + 1 == blocks.size()) {
        whole = piece.expression();
        continue;
      }
      RankExpression before = RankExpression::less(RankExpression::rank(), constant(blocks[i + 1].first));
      whole = RankExpression::select(before, piece.expression(), whole);
    }
    Shortest all;
    all.offer(whole);
    offer(all);
  }

  void offer_by_rank() {
    ByRank by_rank(ranks_, values_);
    if (!by_rank.worth_trying()) return;
    for (auto complete : {&ByRank::continue_lines, &ByRank::continue_periods})
      if ((by_rank.*complete)()) offer(by_rank.values(), Place(RankExpression::rank()));
    auto [start, count] = by_rank.longest_stretch();
    if (count < 16 || count == values_.size()) return;
    offer(by_rank.values().subspan(start, count), Place(RankExpression::rank() - constant(start)));
  }

  const RankSet& ranks_;
  std::vector<int64_t> values_;
  Shortest best_;
};

/// The factor between differences of `values` and elements of `of`.
std::optional<int64_t> prefix_factor(const Column& values, const Column& of) {
  Column::Cursor value(values), element(of);
  std::optional<int64_t> factor;
  int64_t last = value.next();
  while (!value.done()) {
    int64_t now = value.next(), difference = wrap_sub(now, last), part = element.next();
    if (!factor && part != 0) {
      factor = exact_quotient(difference, part);
      if (!factor) return std::nullopt;
    }
    if (difference != (factor ? wrap_mul(*factor, part) : 0)) return std::nullopt;
    last = now;
  }
  return factor;
}

/// Number of the integers in an expression that could be any, as those of a table.
uint64_t free_integers(const RankExpression& e) {
  uint64_t n = e.is_constant() ? 1 : 0;
  if (trace::has_table(e.operation())) n += e.table().size();
  for (size_t i = 0; i < e.operands(); ++i) n += free_integers(e.operand(i));
  return n;
}

}  // namespace

std::optional<RankExpression> express(const RankSet& ranks, const Column& values) {
  if (values.empty() || ranks.size() != values.size()) return std::nullopt;
  if (auto line = line_over_ranks(ranks, values)) return line;
  if (values.size() > most_ranks) return std::nullopt;
  return Search(ranks, values).run();
}

std::optional<RankExpression> express_as_prefix_sum(const RankSet& ranks, const Column& values,
                                                    const Column& of) {
  if (values.empty() || ranks.size() != values.size() || of.size() != values.size()) return std::nullopt;
  if (!has_place(ranks) || values.size() > most_ranks) return std::nullopt;
  auto factor = prefix_factor(values, of);
  if (!factor) return std::nullopt;
  RankExpression sum = RankExpression::prefix_sum(of, place_in(ranks.blocks()[0]).whole());
  RankExpression e = line(sum, *factor, values.at(0));
  if (!holds(e, ranks, values.expand())) return std::nullopt;
  return e;
}

bool says_nothing(const RankExpression& expression, uint64_t values) {
  return values > 2 && free_integers(expression) >= values;
}

}  // namespace refrain::merge
