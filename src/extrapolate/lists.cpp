// See lists.hpp.
#include "extrapolate/lists.hpp"

#include <algorithm>
#include <map>

#include "base/wide.hpp"
#include "trace/power.hpp"

namespace refrain::extrapolate {
namespace {

using trace::wrap_sub;
using Elements = std::vector<int64_t>;

/// Whether the elements before `end` are where the first two say.
bool on_a_line(const Elements& list, size_t end) {
  int64_t step = list.size() > 1 ? wrap_sub(list[1], list[0]) : 0;
  for (size_t k = 2; k < end; ++k)
    if (wrap_sub(list[k], list[k - 1]) != step) return false;
  return true;
}

}  // namespace

std::vector<PlacedList> lists_at(const trace::Number& numbers, const trace::RankSet& ranks,
                                 const Unified& unified) {
  std::vector<PlacedList> out;
  std::vector<uint32_t> members = ranks.expand();
  for (size_t k = 0; k < members.size(); ++k)
    out.push_back({unified.places[members[k]], unified.lists[numbers.at(members[k], k)]});
  return out;
}

bool is_one_number(const std::vector<PlacedList>& lists) {
  return std::all_of(lists.begin(), lists.end(), [&](const PlacedList& list) {
    return std::all_of(list.elements.begin(), list.elements.end(),
                       [&](int64_t v) { return v == lists[0].elements[0]; });
  });
}

trace::Number element_of(const std::vector<PlacedList>& lists, size_t k) {
  std::vector<int64_t> values;
  for (const PlacedList& list : lists) values.push_back(list.elements[k]);
  return trace::Number(trace::Column::of(values));
}

RankExpression Pieces::element(const RankExpression& total_law) const {
  return RankExpression::minimum(number(block), total_law - RankExpression::index() * number(block));
}

RankExpression Pieces::length(const RankExpression& total_law) const {
  return (total_law + number(block - 1)) / block;
}

std::optional<Pieces> pieces_of(const std::vector<PlacedList>& lists) {
  Pieces out;
  for (const PlacedList& list : lists)
    if (list.elements.size() > 1) out.block = std::max(out.block, list.elements[0]);
  if (out.block < 2) return std::nullopt;
  bool several = false;
  for (const auto& [place, elements] : lists) {
    bool whole = std::all_of(elements.begin(), elements.end() - 1, [&](int64_t v) { return v == out.block; });
    if (!whole || elements.back() < 1 || elements.back() > out.block) return std::nullopt;
    Wide total = wide_product(out.block, static_cast<int64_t>(elements.size()) - 1) + elements.back();
    if (total > INT64_MAX) return std::nullopt;
    several |= elements.size() != lists[0].elements.size() || elements.back() != lists[0].elements.back();
    out.total.add(place.nprocs, place.rank, static_cast<int64_t>(total));
  }
  return several ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<Lines> lines_of(const std::vector<PlacedList>& lists) {
  auto all = [&](size_t but) {
    return std::all_of(lists.begin(), lists.end(), [&](const PlacedList& list) {
      return on_a_line(list.elements, list.elements.size() - std::min(but, list.elements.size() - 1));
    });
  };
  bool but_last = !all(0);
  if (but_last && !all(1)) return std::nullopt;
  auto of = [&](auto value) { return sequence_of_lists(lists, value); };
  Lines out;
  out.length = of([](const Elements& list) { return std::optional(static_cast<int64_t>(list.size())); });
  out.first = of([&](const Elements& list) {
    return but_last && list.size() < 2 ? std::nullopt : std::optional(list[0]);
  });
  out.step = of([&](const Elements& list) {
    return list.size() < (but_last ? 3u : 2u) ? std::nullopt : std::optional(wrap_sub(list[1], list[0]));
  });
  if (but_last) out.last = of([](const Elements& list) { return std::optional(list.back()); });
  return out;
}

std::optional<Rows> rows_of(const std::vector<PlacedList>& lists) {
  std::map<uint32_t, size_t> lengths;  // of rows, by run: the shortest line that some list begins with
  for (const auto& [place, list] : lists) {
    size_t n = std::min<size_t>(2, list.size());
    while (n < list.size() && wrap_sub(list[n], list[n - 1]) == wrap_sub(list[1], list[0])) ++n;
    size_t& shortest = lengths.emplace(place.nprocs, n).first->second;
    shortest = std::min(shortest, n);
  }
  Rows rows;
  for (const auto& [place, list] : lists) {
    size_t n = lengths[place.nprocs];
    if (n < 2 || n >= list.size() || list.size() % n != 0) return std::nullopt;
    int64_t step = wrap_sub(list[1], list[0]);
    PlacedList& heads = rows.heads.emplace_back(PlacedList{.place = place});
    for (size_t k = 0; k < list.size(); ++k) {
      if (k % n == 0)
        heads.elements.push_back(list[k]);
      else if (wrap_sub(list[k], list[k - 1]) != step)
        return std::nullopt;
    }
    rows.length.add(place.nprocs, place.rank, static_cast<int64_t>(n));
    rows.step.add(place.nprocs, place.rank, step);
  }
  return rows;
}

std::optional<Powers> powers_of(const std::vector<PlacedList>& lists, int64_t ratio) {
  Powers out;
  for (const auto& [place, elements] : lists) {
    out.first.add(place.nprocs, place.rank, elements[0]);
    if (elements.size() < 2) continue;
    int64_t rise = wrap_sub(elements[1], elements[0]), factor = rise / (ratio - 1);
    for (size_t k = 1; k < elements.size(); ++k) {
      auto power = trace::power_product(factor, ratio, static_cast<int64_t>(k));
      if (!power || wrap_sub(elements[k], elements[0]) != wrap_sub(*power, factor)) return std::nullopt;
    }
    out.factor.add(place.nprocs, place.rank, factor);
  }
  return out;
}

std::string lists_text(const std::vector<PlacedList>& lists) {
  std::string text;
  uint32_t run = 0;
  for (const auto& [place, elements] : lists) {
    if (place.nprocs == run) continue;
    run = place.nprocs;
    text += (text.empty() ? "P=" : "; P=") + std::to_string(run) + ": [";
    for (size_t k = 0; k < elements.size() && k < 6; ++k)
      text += (k > 0 ? " " : "") + std::to_string(elements[k]);
    text += elements.size() > 6 ? " ...]" : "]";
  }
  return text;
}

}  // namespace refrain::extrapolate
