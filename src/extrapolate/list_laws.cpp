// See list_laws.hpp.
#include "extrapolate/list_laws.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "scale/at_size.hpp"

namespace refrain::extrapolate {
namespace {

using trace::ListLaw;
using trace::Variable;

constexpr size_t most_interleaved = 3;

SharedListLaw shared(RankExpression element, RankExpression length) {
  return std::make_shared<const ListLaw>(ListLaw{std::move(element), std::move(length)});
}

Sequence lengths_of(const std::vector<PlacedList>& lists) {
  return sequence_of_lists(lists,
                           [](const auto& list) { return std::optional(static_cast<int64_t>(list.size())); });
}

std::vector<PlacedList> not_empty(std::vector<PlacedList> lists) {
  std::erase_if(lists, [](const PlacedList& list) { return list.elements.empty(); });
  return lists;
}

/// The values by their place in the list, one series per run. Nothing if ranks of a run disagree about one.
std::optional<Sequence> by_place(const std::vector<PlacedList>& lists) {
  Sequence out;
  for (const auto& [place, elements] : lists) {
    if (elements.empty()) continue;
    if (out.series.empty() || out.series.back().nprocs != place.nprocs)
      out.series.push_back({.nprocs = place.nprocs});
    Series& series = out.series.back();
    for (size_t k = 0; k < elements.size(); ++k) {
      if (k < series.values.size() && series.values[k] != elements[k]) return std::nullopt;
      if (k < series.values.size()) continue;
      series.places.push_back(static_cast<uint32_t>(k));
      series.values.push_back(elements[k]);
    }
  }
  return out;
}

/// How long the longest list of a run may be, over P alone, for laws of places.
RankExpression longest_of(const std::vector<PlacedList>& lists, const RankExpression& length) {
  if (!length.depends_on(Variable::rank)) return length;
  return scale::substituted(length, Variable::rank, number(lists.empty() ? 0 : lists[0].place.rank));
}

/// An element as a function of `index`, where ranks don't matter.
std::optional<RankExpression> same_element(const std::vector<PlacedList>& lists, const RankExpression& length,
                                           LawSource& source, const std::string& what) {
  auto elements = by_place(lists);
  if (!elements || elements->series.empty()) return std::nullopt;
  elements->size = longest_of(lists, length);
  if (!source.has_law(*elements)) return std::nullopt;
  return scale::substituted(source.law_of_places(*elements, length, what + ", element of a list"),
                            Variable::rank, RankExpression::index());
}

std::optional<RankExpression> first_and_rest(const std::vector<PlacedList>& lists,
                                             const RankExpression& length, LawSource& source,
                                             const std::string& what) {
  Sequence firsts = sequence_of_lists(lists, [](const auto& list) { return std::optional(list[0]); });
  if (!source.has_law(firsts)) return std::nullopt;
  std::vector<PlacedList> rests = lists;
  for (PlacedList& list : rests)
    for (int64_t first = list.elements[0]; int64_t & v : list.elements) v = trace::wrap_sub(v, first);
  auto rest = same_element(rests, length, source, what);
  if (!rest) return std::nullopt;
  return source.law_of(firsts, what + ", first of a list") + *rest;
}

/// Where in `whole`, which goes round, another list of its length begins: the first place, n if it is no part
/// of it. O(n), as Knuth, Morris and Pratt search.
size_t place_in(const std::vector<int64_t>& whole, const std::vector<int64_t>& list) {
  const size_t n = list.size();
  std::vector<size_t> borders(n + 1,
                              0);  // of what is matched: how much of it may be the beginning of a match
  for (size_t i = 1, matched = 0; i < n; ++i) {
    while (matched > 0 && list[i] != list[matched]) matched = borders[matched];
    if (list[i] == list[matched]) ++matched;
    borders[i + 1] = matched;
  }
  for (size_t i = 0, matched = 0; i < 2 * n - 1; ++i) {
    while (matched > 0 && whole[i % n] != list[matched]) matched = borders[matched];
    if (whole[i % n] == list[matched]) ++matched;
    if (matched == n) return i + 1 - n;
  }
  return n;
}

/// The list read the other way round, from the same first element.
std::vector<int64_t> read_back(std::vector<int64_t> list) {
  std::reverse(list.begin() + 1, list.end());
  return list;
}

/// The lists of a run are those of its first rank, turned, or turned and read backwards.
std::optional<RankExpression> turned_so(const std::vector<PlacedList>& lists, const RankExpression& length,
                                        bool back, LawSource& source, const std::string& what) {
  std::vector<PlacedList> straight;
  Sequence turns;
  for (const auto& [place, elements] : lists) {
    const std::vector<int64_t> read = back ? read_back(elements) : elements;
    if (straight.empty() || straight.back().place.nprocs != place.nprocs) straight.push_back({place, read});
    const std::vector<int64_t>& whole = straight.back().elements;
    size_t turn = whole.size() == read.size() ? place_in(whole, read) : read.size();
    if (turn == read.size()) return std::nullopt;
    bool any = std::all_of(read.begin(), read.end(), [&](int64_t v) { return v == read[0]; });
    if (!any) turns.add(place.nprocs, place.rank, static_cast<int64_t>(turn));
  }
  if (turns.series.empty() || !source.has_law(turns)) return std::nullopt;
  auto element = same_element(straight, length, source, what);
  if (!element) return std::nullopt;
  RankExpression turn = source.law_of(turns, what + ", turn of a list");
  RankExpression at = back ? turn + length - RankExpression::index() : turn + RankExpression::index();
  return scale::substituted(*element, Variable::index, RankExpression::remainder(at, length));
}

/// The same, read so that it rather rises than falls, or else the other way.
std::optional<RankExpression> turned(const std::vector<PlacedList>& lists, const RankExpression& length,
                                     LawSource& source, const std::string& what) {
  if (length.depends_on(Variable::rank)) return std::nullopt;
  const std::vector<int64_t>& longest = lists.back().elements;
  std::ptrdiff_t falls = 0;
  for (size_t k = 1; k < longest.size(); ++k) falls += longest[k] < longest[k - 1] ? 1 : -1;
  const bool back = falls > 0;
  auto element = turned_so(lists, length, back, source, what);
  return element ? element : turned_so(lists, length, !back, source, what);
}

/// Element k of rank r stands at place r + k of a list that has one for each rank.
std::optional<RankExpression> shifted(const std::vector<PlacedList>& lists, LawSource& source,
                                      const std::string& what) {
  std::map<std::pair<uint32_t, uint32_t>, int64_t> all;
  for (const auto& [place, elements] : lists)
    for (uint32_t k = 0; k < elements.size(); ++k) {
      uint32_t there = place.rank + k;
      auto [known, added] = all.emplace(std::pair(place.nprocs, there), elements[k]);
      if (there >= place.nprocs || (!added && known->second != elements[k])) return std::nullopt;
    }
  Sequence elements;
  for (auto [there, v] : all) elements.add(there.first, there.second, v);
  if (elements.series.empty() || !source.has_law(elements)) return std::nullopt;
  return scale::substituted(source.law_of(elements, what + ", element of a list"), Variable::rank,
                            RankExpression::rank() + RankExpression::index());
}

std::optional<RankExpression> element_of(const std::vector<PlacedList>& lists, const RankExpression& length,
                                         LawSource& source, const std::string& what);

/// Elements as sums of multiples of these, of which each is so many of the next, and what is left.
std::optional<RankExpression> in_digits(std::vector<PlacedList> lists, const RankExpression& length,
                                        std::vector<int64_t> radices, LawSource& source,
                                        const std::string& what) {
  if (auto whole = element_of(lists, length, source, what)) return whole;
  if (radices.empty()) return std::nullopt;
  const int64_t radix = radices.back();
  radices.pop_back();
  std::vector<PlacedList> high = lists;
  for (size_t i = 0; i < lists.size(); ++i)
    for (size_t k = 0; k < lists[i].elements.size(); ++k) {
      int64_t& v = lists[i].elements[k];
      if (v < 0) return std::nullopt;
      high[i].elements[k] = v / radix;
      v %= radix;
    }
  auto digit = element_of(high, length, source, what);
  auto rest = digit ? in_digits(std::move(lists), length, std::move(radices), source, what) : std::nullopt;
  return rest ? std::optional(*digit * number(radix) + *rest) : std::nullopt;
}

/// `radices` are the steps of the rows around.
std::optional<RankExpression> in_rows(const std::vector<PlacedList>& lists, const RankExpression& length,
                                      std::vector<int64_t> radices, LawSource& source,
                                      const std::string& what) {
  auto rows = rows_of(lists);
  if (!rows) return radices.empty() ? std::nullopt : in_digits(lists, length, radices, source, what);
  if (!source.has_law(rows->length) || !source.has_law(rows->step)) return std::nullopt;
  RankExpression n = source.law_of(rows->length, what + ", length of a row"),
                 step = source.law_of(rows->step, what + ", step of a row");
  bool grows = step.is_constant() && step.number() > (radices.empty() ? 1 : radices.back());
  if (grows) radices.push_back(step.number());
  auto head = in_rows(rows->heads, RankExpression::quotient(length, n), std::move(radices), source, what);
  if (!head) return std::nullopt;
  const RankExpression k = RankExpression::index();
  return scale::substituted(*head, Variable::index, RankExpression::quotient(k, n)) +
         RankExpression::remainder(k, n) * step;
}

std::optional<RankExpression> element_of(const std::vector<PlacedList>& lists, const RankExpression& length,
                                         LawSource& source, const std::string& what) {
  if (auto same = same_element(lists, length, source, what)) return same;
  if (auto lines = law_of_lines(lists, source, what)) return lines->element;
  if (auto rest = first_and_rest(lists, length, source, what)) return rest;
  return turned(lists, length, source, what);
}

/// Lists of points: every second or third element is a list of its own.
std::optional<RankExpression> interleaved(const std::vector<PlacedList>& lists, size_t parts,
                                          const RankExpression& length, LawSource& source,
                                          const std::string& what) {
  bool whole = std::all_of(lists.begin(), lists.end(),
                           [&](const PlacedList& list) { return list.elements.size() % parts == 0; });
  if (!whole) return std::nullopt;
  auto n = static_cast<int64_t>(parts);
  std::optional<RankExpression> element;
  for (size_t part = parts; part-- > 0;) {
    std::vector<PlacedList> one;
    for (const auto& [place, elements] : lists) {
      PlacedList& list = one.emplace_back(PlacedList{.place = place});
      for (size_t k = part; k < elements.size(); k += parts) list.elements.push_back(elements[k]);
    }
    auto of_part = element_of(one, length / n, source, what);
    if (!of_part) return std::nullopt;
    RankExpression here = scale::substituted(*of_part, Variable::index, RankExpression::index() / n);
    bool is_here = static_cast<bool>(element);
    element = is_here ? RankExpression::select(
                            RankExpression::equal(RankExpression::index() % n, number(part)), here, *element)
                      : here;
  }
  return element;
}

}  // namespace

SharedListLaw law_of_pieces(const std::vector<PlacedList>& lists, LawSource& source,
                            const std::string& what) {
  auto pieces = pieces_of(lists);
  if (!pieces || !source.has_law(pieces->total)) return nullptr;
  source.cut_at(pieces->block);
  RankExpression total = source.law_of(pieces->total, what + ", sum of its pieces");
  return shared(pieces->element(total), pieces->length(total));
}

SharedListLaw law_of_lines(const std::vector<PlacedList>& lists, LawSource& source, const std::string& what) {
  auto lines = lines_of(lists);
  bool lawful = lines && source.has_law(lines->length) && source.has_law(lines->first) &&
                source.has_law(lines->step) && source.has_law(lines->last);
  if (!lawful) return nullptr;
  RankExpression length = source.law_of(lines->length, what + ", length of a list");
  RankExpression element = source.law_of(lines->first, what + ", first of a list") +
                           RankExpression::index() * source.law_of(lines->step, what + ", step of a list");
  if (!lines->last.series.empty())
    element = RankExpression::select(RankExpression::equal(RankExpression::index(), length - number(1)),
                                     source.law_of(lines->last, what + ", last of a list"), element);
  return shared(std::move(element), std::move(length));
}

SharedListLaw law_of_turned(const std::vector<PlacedList>& lists, LawSource& source,
                            const std::string& what) {
  Sequence lengths = lengths_of(lists);
  if (!source.has_law(lengths)) return nullptr;
  RankExpression length = source.law_of(lengths, what + ", length of a list");
  auto element = turned(lists, length, source, what);
  if (!element) element = shifted(lists, source, what);
  return element ? shared(std::move(*element), std::move(length)) : nullptr;
}

SharedListLaw law_of_rows(const std::vector<PlacedList>& lists, LawSource& source, const std::string& what) {
  Sequence lengths = lengths_of(lists);
  if (!source.has_law(lengths)) return nullptr;
  RankExpression length = source.law_of(lengths, what + ", length of a list");
  auto element = in_rows(lists, length, {}, source, what);
  return element ? shared(std::move(*element), std::move(length)) : nullptr;
}

std::optional<PowerLaw> law_of_powers(const std::vector<PlacedList>& lists, int64_t ratio, LawSource& source,
                                      const std::string& what) {
  auto powers = powers_of(lists, ratio);
  if (!powers || !source.has_law(powers->first) || !source.has_law(powers->factor)) return std::nullopt;
  RankExpression factor = source.law_of(powers->factor, what + ", factor of a power");
  return PowerLaw{source.law_of(powers->first, what + ", first of the powers") - factor, factor};
}

SharedListLaw law_of_same(const std::vector<PlacedList>& lists, LawSource& source, const std::string& what) {
  Sequence lengths = lengths_of(lists);
  if (!source.has_law(lengths)) return nullptr;
  RankExpression length = source.law_of(lengths, what + ", length of a list");
  auto element = same_element(lists, length, source, what);
  return element ? shared(std::move(*element), std::move(length)) : nullptr;
}

SharedListLaw law_of_arguments(const std::vector<PlacedList>& lists, LawSource& source,
                               const std::string& what) {
  Sequence lengths = lengths_of(lists);
  std::vector<PlacedList> full = not_empty(lists);
  if (!source.has_law(lengths))
    return full.size() < lists.size() ? nullptr : law_of_pieces(full, source, what);
  RankExpression length = source.law_of(lengths, what + ", length of a list");
  if (full.empty()) return shared({}, std::move(length));
  auto element = element_of(full, length, source, what);
  for (size_t parts = 2; parts <= most_interleaved && !element; ++parts)
    element = interleaved(full, parts, length, source, what);
  return element ? shared(std::move(*element), std::move(length)) : nullptr;
}

}  // namespace refrain::extrapolate
