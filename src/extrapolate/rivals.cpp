// See rivals.hpp. Most are about what is left over when a total is shared. Ranks that a condition leaves out
// may be the very ones that get it: of 1000 elements the last of P ranks gets 1000/P and the rest, which no
// run shows if only every fifth rank writes and the last one is none of them.
#include "extrapolate/rivals.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/wide.hpp"
#include "extrapolate/basis.hpp"
#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Operation;

class RivalSearch {
 public:
  RivalSearch(const RankExpression& law, const Sequence& s, const Knowledge& knowledge,
              const GridNeeds::Grids& grids)
      : law_(law), sequence_(s), knowledge_(knowledge), features_(knowledge.features), grids_(grids) {}

  std::vector<Rival> run_for_count() {
    pieces_of_known();
    return different_ones();
  }

  std::vector<Rival> run_for_number() {
    third_group(law_);
    return different_ones();
  }

  std::vector<Rival> run() {
    partners();
    parts(law_);
    rounded_later(law_);
    equal_quantities(law_);
    roots_and_groups(law_);
    if (is_grid(law_)) equal_constants(law_);
    if (is_grid(law_) && !sequence_.is_complete()) last_places(law_);
    digits_of_few_ranks();
    lengths_nearby();
    return different_ones();
  }

 private:
  std::vector<Rival> different_ones() {
    std::erase_if(rivals_, [&](const Rival& rival) { return !differs(rival.law); });
    return std::move(rivals_);
  }

  /// Whether it says something else at some number of ranks up to twice those of the runs, or of a few
  /// others.
  bool differs(const RankExpression& rival) const {
    auto at_size = [&](uint32_t nprocs) {
      std::vector<uint32_t> ranks(nprocs);
      std::iota(ranks.begin(), ranks.end(), 0U);
      std::vector<int64_t> values(nprocs), others(nprocs);
      law_.evaluate(ranks, values, nprocs);
      rival.evaluate(ranks, others, nprocs);
      return values != others;
    };
    constexpr uint32_t most_tried = 64;
    for (uint32_t nprocs = most_tried; nprocs > 0; --nprocs)
      if (at_size(nprocs)) return true;
    constexpr int64_t largest_tried = 8192;
    auto beyond = static_cast<uint32_t>(std::min(2 * sequence_.series.back().nprocs, largest_tried));
    return at_size(100) || at_size(343) || at_size(1000) || at_size(beyond) || at_size(beyond + 1);
  }

  bool offer(const char* reason, const RankExpression& rival) {
    if (!holds(rival, sequence_)) return false;
    add(reason, rival);
    return true;
  }

  void add(const char* reason, const RankExpression& rival) {
    auto same = [&](const Rival& other) { return other.law == rival; };
    if (std::none_of(rivals_.begin(), rivals_.end(), same)) rivals_.push_back({reason, rival});
  }

  /// Even and odd ranks in pairs: at even numbers of ranks, the last one's partner is simply the one before.
  void partners() { offer("another law fits all runs as well", place() ^ number(1)); }

  /// Two quantities that are the same in all runs, such as the sides of a square grid and of a cubic one, or
  /// at least in those where they matter.
  void equal_quantities(const RankExpression& e) {
    if (!is_quantity(e)) {
      for (size_t i = 0; i < e.operands(); ++i) equal_quantities(e.operand(i));
      return;
    }
    for (const std::vector<Feature>* list : {&features_.all(), &features_.extents()})
      for (const Feature& other : *list) {
        bool excluded = grids_.clearly && uses_grid(other.law, 5 - grids_.dimensions);
        if (!excluded && is_grid(other.law) && !(other.law == e))
          offer("another law fits all runs as well", scale::replaced(law_, e, other.law));
      }
  }
  /// A root of P, or its logarithm, that is as many as there are groups of some length in all runs: of 4, 8,
  /// 16 and 32 ranks, there are sqrt(P - 1) groups of 7.
  void roots_and_groups(const RankExpression& e) {
    for (size_t i = 0; i < e.operands(); ++i) roots_and_groups(e.operand(i));
    bool root = e.operation() == Operation::root || e.operation() == Operation::logarithm;
    if (!root || !e.depends_on(trace::Variable::nprocs) || e.depends_on(trace::Variable::rank)) return;
    const RankExpression p = RankExpression::nprocs();
    for (int64_t length = 2; length <= most_constant; ++length)
      for (const RankExpression& groups : {(p + number(length - 1)) / length, p / length})
        if (std::all_of(sequence_.series.begin(), sequence_.series.end(),
                        [&](const Series& series) { return at(groups, series) == at(e, series); }))
          offer("another law fits all runs as well", scale::replaced(law_, e, groups));
  }
  /// A number that an extent of a grid is in all runs, or in those where it matters.
  void equal_constants(const RankExpression& e) {
    for (size_t i = 0; i < e.operands(); ++i) equal_constants(e.operand(i));
    if (!e.is_constant() || e.number() < 2 || e.number() > most_constant) return;
    for (const Feature& extent : features_.extents())
      if (is_grid(extent.law))
        offer("another law fits all runs as well", scale::replaced(law_, e, extent.law));
  }
  /// Ranks that are all at the end of a row, if only they show something: a multiple of an extent less one is
  /// that of their places in it.
  void last_places(const RankExpression& e) {
    for (size_t i = 0; i < e.operands(); ++i) last_places(e.operand(i));
    bool shifted = (e.operation() == Operation::add || e.operation() == Operation::subtract) &&
                   e.operand(1).is_constant();
    if (!shifted) return;
    const RankExpression& times = e.operand(0);
    bool multiple = times.operation() == Operation::multiply && times.operand(1).is_constant();
    int64_t factor = multiple ? times.operand(1).number() : 1, shift = e.operand(1).number();
    const RankExpression& extent = multiple ? times.operand(0) : times;
    bool less_one = e.operation() == Operation::add ? shift == trace::wrap_sub(0, factor) : shift == factor;
    if (less_one && is_quantity(extent))
      offer("another law fits all runs as well",
            scale::replaced(law_, e, RankExpression::remainder(place(), extent) * number(factor)));
  }
  bool is_quantity(const RankExpression& e) const {
    const std::vector<Feature>& extents = features_.extents();
    return is_grid(e) &&
           std::any_of(extents.begin(), extents.end(), [&](const Feature& f) { return f.law == e; });
  }
  static constexpr int64_t most_constant = 64;
  static bool is_grid(const RankExpression& e) { return uses_grid(e, 2) || uses_grid(e, 3); }

  /// Ranks below and above an edge may be the first two groups of several: no run shows a third.
  void third_group(const RankExpression& e) {
    for (size_t i = 0; i < e.operands(); ++i) third_group(e.operand(i));
    bool below = e.operation() == Operation::less, above = e.operation() == Operation::at_least;
    if ((!below && !above) || !(e.operand(0) == place()) || !e.operand(1).is_constant()) return;
    RankExpression group = place() / e.operand(1).number();
    offer("no run shows a third group of ranks", scale::replaced(law_, e, above ? group : number(1) - group));
  }

  /// What a few ranks say of their places among the others: a digit, perhaps, or the number of a group.
  void digits_of_few_ranks() {
    if (sequence_.is_complete() || is_mask(sequence_)) return;
    int64_t largest = 0;  // beyond the places that are shown, a digit is the place itself
    for (const Series& series : sequence_.series) largest = std::max<int64_t>(largest, series.places.back());
    largest = std::min<int64_t>(largest, 64);
    const RankExpression p = RankExpression::nprocs();
    for (int64_t m = 2; m <= largest; ++m)
      for (const RankExpression& rival :
           {place() / m, place() % m, RankExpression::quotient(place(), (p + number(m - 1)) / m),
            RankExpression::quotient(place() * number(m), p)})
        offer("another law fits all runs as well", rival);
  }

  /// Numbers of groups whose length is told only by ranks at their ends: the next shorter and longer one.
  void lengths_nearby() {
    constexpr int64_t far = 6;
    if (law_.operation() != Operation::divide || !(law_.operand(0) == place())) return;
    for (int64_t step : {-1, 1})
      for (int64_t k = 1; k <= far; ++k)
        if (int64_t m = trace::wrap_add(law_.number(), step * k);
            m > 1 && offer("groups may be longer or shorter", place() / m))
          break;
  }

  /// As many pieces as something else in the trace is cut into, of a size that nothing shows.
  void pieces_of_known() {
    if (!law_.depends_on(trace::Variable::nprocs) || is_mask(sequence_) || is_shifted_ranks(law_)) return;
    for (const RankExpression& law : knowledge_.laws) pieces_of(law);
  }

  /// Also of one side of a block: `whole` is a law, or a factor of one.
  void pieces_of(const RankExpression& whole) {
    if (whole.operation() == Operation::multiply)
      for (size_t i : {0, 1}) pieces_of(whole.operand(i));
    auto interval = sizes_of_pieces(whole);
    if (!interval) return;
    for (int64_t piece : {interval->first, interval->second})
      offer("it may be the number of pieces of something else", (whole + number(piece - 1)) / piece);
  }

  /// P, or a few more or less: as simple as anything is.
  static bool is_shifted_ranks(const RankExpression& e) {
    const RankExpression p = RankExpression::nprocs();
    return e == p || (e.operation() == Operation::add && e.operand(0) == p && e.operand(1).is_constant()) ||
           (e.operation() == Operation::subtract && e.operand(0) == p && e.operand(1).is_constant());
  }

  /// Of which sizes pieces may be, if there are as many of them as the values say.
  std::optional<std::pair<int64_t, int64_t>> sizes_of_pieces(const RankExpression& whole) const {
    Wide least = 2, most = INT64_MAX;
    for (const Series& series : sequence_.series)
      for (size_t i = 0; i < series.places.size(); ++i) {
        Wide all = whole.at({.rank = series.places[i], .nprocs = series.nprocs}), n = series.values[i];
        if (all < 1 || n < 1) return std::nullopt;
        least = std::max(least, (all + n - 1) / n);
        if (n > 1) most = std::min(most, (all - 1) / (n - 1));
      }
    if (least > most || most == INT64_MAX) return std::nullopt;
    return std::pair(static_cast<int64_t>(least), static_cast<int64_t>(most));
  }

  /// Where a share begins may be a part of the total that is rounded once, rather than so many rounded
  /// shares.
  void rounded_later(const RankExpression& e) {
    for (size_t i = 0; i < e.operands(); ++i) rounded_later(e.operand(i));
    if (e.operation() != Operation::multiply) return;
    for (size_t i : {0, 1}) {
      const RankExpression &times = e.operand(i), &share = e.operand(1 - i);
      bool is_share = share.operation() == Operation::divide || share.operation() == Operation::quotient;
      if (!is_share || share.depends_on(trace::Variable::rank) || !times.depends_on(trace::Variable::rank))
        continue;
      RankExpression all = times * share.operand(0);
      bool by_number = share.operation() == Operation::divide;
      offer("shares may be rounded otherwise",
            scale::replaced(
                law_, e, by_number ? all / share.number() : RankExpression::quotient(all, share.operand(1))));
    }
  }

  void parts(const RankExpression& e) {
    for (size_t i = 0; i < e.operands(); ++i) parts(e.operand(i));
    std::optional<int64_t> total = shared_total(e);
    if (!total) return;
    bool rounded_up = !e.operand(0).is_constant();
    shared_otherwise(e, rounded_up);
    smaller_units(law_, e, *total);
    if (!rounded_up) return;
    for (const RankExpression& digit : digits(e.operand(1))) less_for_the_last(e, digit);
    if (!(e.operand(1) == RankExpression::nprocs())) return;
    nothing_behind_the_last(law_, e, *total);
  }

  /// What is shared may be smaller than what all shares were multiples of in the runs: 4096 elements of 8
  /// bytes, not 1024 of 32.
  void smaller_units(const RankExpression& e, const RankExpression& part, int64_t total) {
    for (size_t i = 0; i < e.operands(); ++i) smaller_units(e.operand(i), part, total);
    if (e.operation() != Operation::multiply || !e.operand(1).is_constant() || !has_part(e.operand(0), part))
      return;
    for (int64_t factor : {2, 3, 4, 8}) {
      int64_t unit = e.operand(1).number();
      if (unit % factor != 0 || total < 1 || total > INT64_MAX / factor) continue;
      RankExpression finer = e.operand(0);
      for (int64_t less : {0, 1})
        finer = scale::replaced(finer, number(total - less), number(total * factor - less));
      offer("what is shared may be in smaller units",
            scale::replaced(law_, e, finer * number(unit / factor)));
    }
  }
  static bool has_part(const RankExpression& e, const RankExpression& part) {
    if (e == part) return true;
    for (size_t i = 0; i < e.operands(); ++i)
      if (has_part(e.operand(i), part)) return true;
    return false;
  }

  /// Where shares that are rounded up begin: those behind the end of everything may begin there.
  void nothing_behind_the_last(const RankExpression& e, const RankExpression& part, int64_t total) {
    for (size_t i = 0; i < e.operands(); ++i) nothing_behind_the_last(e.operand(i), part, total);
    if (e.operation() != Operation::multiply) return;
    for (size_t i : {0, 1}) {
      const RankExpression& share = e.operand(1 - i);
      bool in_units = share.operation() == Operation::multiply && share.operand(0) == part &&
                      share.operand(1).is_constant();
      if (!(e.operand(i) == place()) || !(in_units || share == part)) continue;
      RankExpression end = number(total) * (in_units ? share.operand(1) : number(1));
      offer("ranks for which nothing is left may begin where all ends",
            scale::replaced(law_, e, RankExpression::minimum(e, end)));
    }
  }

  static int64_t at(const RankExpression& e, const Series& series) {
    return e.at(RankExpression::Point{.nprocs = series.nprocs});
  }

  /// Shares that are rounded up: what is left for the last ranks, or the last along one side of a grid, is
  /// less, or nothing, but perhaps no run shows these ranks.
  void less_for_the_last(const RankExpression& part, const RankExpression& digit) {
    Wide largest = 1;
    for (const Series& series : sequence_.series) {
      int64_t share = at(part, series), shown = 0;
      for (uint32_t k : series.places)
        shown = std::max(shown, digit.at({.rank = k, .nprocs = series.nprocs}) + 1);
      largest = std::max({largest, wide_product(Wide{share} - 1, at(part.operand(1), series)) + 1,
                          wide_product(share, shown)});
    }
    if (largest > INT64_MAX) return;
    auto total = static_cast<int64_t>(largest);
    RankExpression before = digit * part;
    RankExpression left = RankExpression::select(RankExpression::less(before, number(total)),
                                                 number(total) - before, RankExpression());
    offer("the last ranks may have less", scale::replaced(law_, part, RankExpression::minimum(part, left)));
  }

  /// Shares that are rounded: who gets more than others may be told by ranks that no run shows. The total is
  /// known but for an interval; its ends leave different rests. If no run had any, that is another doubt.
  void shared_otherwise(const RankExpression& part, bool rounded_up) {
    Wide least = 0, most = INT64_MAX;
    bool rest = false;
    for (const Series& series : sequence_.series) {
      Wide n = at(part.operand(1), series), share = at(part, series), whole = at(part.operand(0), series);
      if (n < 1) return;
      least = std::max(least, rounded_up ? wide_product(share - 1, n) + 1 : wide_product(share, n));
      most = std::min(most, rounded_up ? wide_product(share, n) : wide_product(share, n) + n - 1);
      rest |= rounded_up ? (whole + 1) % n != 0 : whole % n != 0;
    }
    if (!rest || least > most) return;
    shared_as_a_whole(static_cast<int64_t>(least), static_cast<int64_t>(most), part.operand(1));
    for (int64_t total : {static_cast<int64_t>(least), static_cast<int64_t>(most)})
      for (const RankExpression& digit : digits(part.operand(1)))
        for (const RankExpression& form : uneven(total, part.operand(1)))
          offer("ranks that no run shows may have more of what is shared, or less",
                scale::replaced(law_, part, scale::substituted(form, trace::Variable::rank, digit)));
  }

  /// What some ranks have besides may be their part of what is left over: 10007/P + (rank < 8), where 8 ranks
  /// or fewer have one more.
  void shared_as_a_whole(int64_t least, int64_t most, const RankExpression& n) {
    constexpr int64_t few = 64;
    if (law_.operation() != Operation::add || most - least > few || !(n == RankExpression::nprocs())) return;
    for (int64_t total = least; total <= most; ++total)
      for (const RankExpression& form : uneven(total, n))
        offer("ranks that no run shows may have more of what is shared, or less", form);
  }

  static std::vector<RankExpression> uneven(int64_t total, const RankExpression& n) {
    std::vector<RankExpression> forms = size_forms(number(total), n);
    forms.pop_back();  // rounded up
    RankExpression last = RankExpression::equal(place(), n - number(1));
    forms.push_back(RankExpression::quotient(number(total), n) +
                    last * RankExpression::remainder(number(total), n));
    return forms;
  }

  /// What counts the parts: ranks, or places along one side of a grid whose ranks go by rows or by columns.
  static std::vector<RankExpression> digits(const RankExpression& n) {
    const RankExpression p = RankExpression::nprocs();
    if (n == p) return {place()};
    if (n.operation() != Operation::grid || !(n.operand(0) == p)) return {};
    int64_t dimensions = n.number() / 4, own = n.number() % 4;
    RankExpression before = number(1), behind = number(1);
    for (int64_t i = 0; i < dimensions; ++i)
      if (RankExpression extent = RankExpression::grid(p, dimensions, i); i < own)
        before = before * extent;
      else if (i > own)
        behind = behind * extent;
    auto digit = [&](const RankExpression& below) {
      return RankExpression::remainder(RankExpression::quotient(place(), below), n);
    };
    return {digit(behind), digit(before)};
  }

  const RankExpression& law_;
  const Sequence& sequence_;
  const Knowledge& knowledge_;
  const Features& features_;
  GridNeeds::Grids grids_;
  std::vector<Rival> rivals_;
};

}  // namespace

std::vector<Rival> rivals_of(const RankExpression& law, const Sequence& s, const Knowledge& knowledge,
                             const GridNeeds::Grids& grids) {
  return RivalSearch(law, s, knowledge, grids).run();
}

std::vector<Rival> more_groups(const RankExpression& law, const Sequence& s, const Knowledge& knowledge) {
  return RivalSearch(law, s, knowledge, {}).run_for_number();
}

std::vector<Rival> pieces_of_known(const RankExpression& law, const Sequence& s, const Knowledge& knowledge) {
  return RivalSearch(law, s, knowledge, {}).run_for_count();
}

}  // namespace refrain::extrapolate
