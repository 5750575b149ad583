#include "measure/slab.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "measure/access_pattern.hpp"
#include "trace/column.hpp"

namespace refrain::measure {

using trace::wrap_add;
using trace::wrap_mul;
using trace::wrap_sub;

namespace {

/// Where a slab is: bytes before the array, then its start in each dimension.
std::vector<int64_t> place_of(const Slab& slab) {
  std::vector<int64_t> place{slab.before};
  for (const Slab::Dimension& d : slab.dimensions) place.push_back(d.start);
  return place;
}

std::vector<int64_t> way(const Slab& from, const Slab& to) {
  std::vector<int64_t> a = place_of(from), b = place_of(to);
  if (a.size() != b.size()) return {};
  for (size_t i = 0; i < a.size(); ++i) b[i] = wrap_sub(b[i], a[i]);
  return b;
}

void move(Slab& slab, const std::vector<int64_t>& step, int64_t times) {
  if (step.size() != slab.dimensions.size() + 1) return;
  slab.before = wrap_add(slab.before, wrap_mul(step[0], times));
  for (size_t d = 0; d < slab.dimensions.size(); ++d)
    slab.dimensions[d].start = wrap_add(slab.dimensions[d].start, wrap_mul(step[d + 1], times));
}

bool is_zero(const std::vector<int64_t>& v) {
  return std::all_of(v.begin(), v.end(), [](int64_t x) { return x == 0; });
}

std::string product_words(const std::vector<int64_t>& sizes) {
  std::string text;
  for (int64_t n : sizes) text += (text.empty() ? "" : " x ") + count_words(static_cast<uint64_t>(n));
  return text.empty() ? "1" : text;
}

std::vector<int64_t> sizes_of(const Slab& slab) {
  std::vector<int64_t> sizes;
  for (const Slab::Dimension& d : slab.dimensions) sizes.push_back(wrap_mul(d.count, d.block));
  return sizes;
}

/// "a block of 16 x 16 of 32 x 32 elements", "40 pieces of 16 elements, one every 64", "all 32 x 32
/// elements".
std::string part_words(const Slab& slab) {
  if (slab.dimensions.empty()) return "all of it";
  std::string of = slab.of.empty() ? "" : " of " + product_words(slab.of);
  if (slab.is_block()) {
    if (!slab.of.empty() && sizes_of(slab) == slab.of)
      return slab.points() == 1 ? "the one element" : fmt::format("all {} elements", product_words(slab.of));
    bool one = of.empty() && slab.points() == 1;
    return fmt::format("a block of {}{} element{}", product_words(sizes_of(slab)), of, one ? "" : "s");
  }
  if (slab.dimensions.size() == 1) {
    const Slab::Dimension& d = slab.dimensions[0];
    return fmt::format("{} pieces of {} element{}, one every {}", count_words(static_cast<uint64_t>(d.count)),
                       count_words(static_cast<uint64_t>(d.block)), d.block == 1 ? "" : "s",
                       count_words(static_cast<uint64_t>(d.stride)));
  }
  return fmt::format("{}{} elements in regular pieces", product_words(sizes_of(slab)), of);
}

/// What a walk went through as one slab, if its accesses lie side by side or are all the same.
std::optional<Slab> whole(const SlabWalk& w) {
  if (!w.regular || !w.same_shape || (w.accesses > 1 && !w.same_step)) return {};
  if (w.accesses == 1 || is_zero(w.step)) return w.first;
  size_t moving = 0, dimension = 0;
  for (size_t d = 0; d < w.step.size(); ++d)
    if (w.step[d] != 0) ++moving, dimension = d;
  if (moving != 1 || dimension == 0) return {};
  Slab slab = w.first;
  Slab::Dimension& d = slab.dimensions[dimension - 1];
  if (w.step[dimension] != wrap_mul(d.count, d.stride)) return {};
  d.count = wrap_mul(d.count, static_cast<int64_t>(w.accesses));
  slab.simplify();
  return slab;
}

/// How often, and how the accesses of a walk follow each other.
std::string course_words(const SlabWalk& w) {
  if (w.accesses == 1) return "";
  std::string times = fmt::format(", {} times", count_words(w.accesses));
  if (is_zero(w.step)) return times;
  if (whole(w)) {
    std::string of = w.first.is_block() ? " of " + product_words(sizes_of(w.first)) : "";
    return fmt::format(", in {} pieces{}", count_words(w.accesses), of);
  }
  bool moves_on = w.same_step && w.step[0] > 0 && is_zero({w.step.begin() + 1, w.step.end()});
  return moves_on
             ? fmt::format("{}, {} further on each time", times, size_words(static_cast<uint64_t>(w.step[0])))
             : fmt::format(", {} times at different places", count_words(w.accesses));
}

struct RankPart {
  const SlabWalk* walk;
  Slab slab;
};

/// Bytes of the part that is described: all of it, or what each of several accesses moves.
uint64_t part_bytes(const SlabWalk& w) {
  bool at_once = w.accesses == 1 || (whole(w) && !is_zero(w.step));
  return at_once || !w.regular ? w.bytes : w.bytes / w.accesses;
}

/// Whether the parts of ranks follow each other in one dimension and are alike in all others.
bool are_behind_each_other(const std::vector<RankPart>& parts) {
  for (size_t k = 1; k < parts.size(); ++k) {
    const Slab &before = parts[k - 1].slab, &here = parts[k].slab;
    std::optional<Slab> both = united(before, here);
    if (!both || place_of(*both) != place_of(before) || both->points() == before.points()) return false;
  }
  return true;
}

/// How the parts of ranks lie beside each other.
std::string order_words(const std::vector<RankPart>& parts) {
  if (are_behind_each_other(parts)) return ", one behind the other";
  std::vector<int64_t> grid;
  size_t cells = 1;
  for (size_t d = 0; d < parts[0].slab.dimensions.size(); ++d) {
    std::set<int64_t> starts;
    for (const RankPart& p : parts) starts.insert(p.slab.dimensions[d].start);
    grid.push_back(static_cast<int64_t>(starts.size()));
    cells *= starts.size();
  }
  std::set<std::vector<int64_t>> places;
  for (const RankPart& p : parts) places.insert(place_of(p.slab));
  bool is_grid = places.size() == parts.size() && cells == parts.size();
  bool is_row = std::count_if(grid.begin(), grid.end(), [](int64_t n) { return n > 1; }) == 1;
  if (is_grid && is_row) {
    bool in_order = std::is_sorted(parts.begin(), parts.end(), [](const RankPart& a, const RankPart& b) {
      return place_of(a.slab) < place_of(b.slab);
    });
    if (!parts[0].slab.is_block()) return "";
    return in_order ? ", with gaps between them" : ", in another order of ranks";
  }
  return is_grid ? fmt::format(", in a grid of {}", product_words(grid)) : "";
}

/// "a block of 640 x 8 to 642 x 8 of 2,562 x 8 elements".
std::string uneven_words(const std::vector<RankPart>& parts) {
  auto [least, most] =
      std::minmax_element(parts.begin(), parts.end(), [](const RankPart& a, const RankPart& b) {
        return a.slab.points().value_or(0) < b.slab.points().value_or(0);
      });
  std::string of = parts[0].slab.of.empty() ? "" : " of " + product_words(parts[0].slab.of);
  return fmt::format("a block of {} to {}{} elements", product_words(sizes_of(least->slab)),
                     product_words(sizes_of(most->slab)), of);
}

/// Whether ranks take turns in one dimension: the pieces of one lie between those of the others.
bool take_turns(const std::vector<RankPart>& parts) {
  const Slab& one = parts[0].slab;
  if (one.dimensions.size() != 1 || one.is_block()) return false;
  const Slab::Dimension& d = one.dimensions[0];
  if (d.stride != wrap_mul(d.block, static_cast<int64_t>(parts.size()))) return false;
  for (size_t k = 1; k < parts.size(); ++k)
    if (parts[k].slab.dimensions[0].start != wrap_add(parts[k - 1].slab.dimensions[0].start, d.block))
      return false;
  return true;
}

std::string bytes_words(uint64_t least, uint64_t most) {
  return least == most ? fmt::format(" ({})", size_words(least))
                       : fmt::format(" ({} to {})", size_words(least), size_words(most));
}

}  // namespace

Slab Slab::all(const std::vector<int64_t>& of) {
  Slab slab{.of = of};
  for (int64_t n : of) slab.dimensions.push_back({0, n, 1, n});
  return slab;
}

void Slab::simplify() {
  for (Dimension& d : dimensions) {
    if (d.stride == d.block) d = {d.start, wrap_mul(d.count, d.block), 1, wrap_mul(d.count, d.block)};
    if (d.count == 1) d.stride = d.block;
  }
}

bool Slab::is_block() const {
  return std::all_of(dimensions.begin(), dimensions.end(), [](const Dimension& d) { return d.count == 1; });
}

std::optional<int64_t> Slab::points() const {
  int64_t n = 1;
  for (const Dimension& d : dimensions)
    if (__builtin_mul_overflow(n, d.count, &n) || __builtin_mul_overflow(n, d.block, &n)) return {};
  return n;
}

bool Slab::has_shape_of(const Slab& other) const {
  return of == other.of && std::equal(dimensions.begin(), dimensions.end(), other.dimensions.begin(),
                                      other.dimensions.end(), [](const Dimension& a, const Dimension& b) {
                                        return a.stride == b.stride && a.count == b.count &&
                                               a.block == b.block;
                                      });
}

std::optional<Slab> united(const Slab& a, const Slab& b) {
  if (!a.is_block() || !b.is_block() || a.dimensions.size() != b.dimensions.size() || a.before != b.before)
    return {};
  Slab both = a;
  size_t differ = 0;
  for (size_t i = 0; i < a.dimensions.size(); ++i) {
    const Slab::Dimension &p = a.dimensions[i], &q = b.dimensions[i];
    if (p == q) continue;
    const Slab::Dimension &low = p.start < q.start ? p : q, &high = p.start < q.start ? q : p;
    if (++differ > 1 || wrap_add(low.start, low.block) != high.start) return {};
    both.dimensions[i] = {low.start, wrap_add(low.block, high.block), 1, wrap_add(low.block, high.block)};
  }
  return both;
}

void SlabWalk::add(const Slab& slab, uint64_t more) {
  if (accesses == 0) {
    first = slab;
  } else {
    std::vector<int64_t> here = way(last, slab);
    if (accesses == 1) step = here;
    same_step &= here == step;
    same_shape &= slab.has_shape_of(first);
  }
  ++accesses;
  bytes += more;
  last = slab;
}

void SlabWalk::add_unknown(uint64_t more) {
  ++accesses;
  bytes += more;
  regular = false;
}

void SlabWalk::leap(const SlabWalk& before, uint64_t turns) {
  move(last, way(before.last, last), static_cast<int64_t>(turns));
  accesses += turns * (accesses - before.accesses);
  bytes += turns * (bytes - before.bytes);
}

std::string slab_words(std::vector<RankSlabs> walks, uint64_t everyone) {
  std::erase_if(walks, [](const RankSlabs& w) { return w.walk.accesses == 0; });
  if (walks.empty()) return {};
  std::sort(walks.begin(), walks.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
  uint64_t ranks = 0;
  std::vector<RankPart> parts;
  uint64_t least = UINT64_MAX, most = 0;
  bool regular = true, alike = true;
  for (const RankSlabs& w : walks) {
    ranks += w.ranks;
    least = std::min(least, part_bytes(w.walk));
    most = std::max(most, part_bytes(w.walk));
    regular &= w.walk.regular;
    parts.push_back({&w.walk, whole(w.walk).value_or(w.walk.first)});
    alike &= parts.back().slab.has_shape_of(parts[0].slab) && w.walk.accesses == parts[0].walk->accesses &&
             w.walk.same_shape && w.walk.step == parts[0].walk->step;
  }
  std::string who = ranks >= everyone ? "each rank" : fmt::format("each of {} ranks", ranks);
  if (ranks == 1) who = everyone > 1 ? fmt::format("rank {} alone:", walks[0].rank) : "";
  if (!who.empty()) who += ' ';
  std::string bytes = bytes_words(least, most);
  if (!regular) return fmt::format("{}irregular parts{}", who, bytes);
  const SlabWalk& one = *parts[0].walk;
  std::string course = course_words(one);
  bool same_place = std::all_of(parts.begin(), parts.end(), [&](const RankPart& p) {
    return place_of(p.slab) == place_of(parts[0].slab);
  });
  if (alike && ranks == 1) return fmt::format("{}{}{}{}", who, part_words(parts[0].slab), bytes, course);
  if (alike && same_place)
    return fmt::format("{}the same: {}{}{}", who, part_words(parts[0].slab), bytes, course);
  if (alike && take_turns(parts))
    return fmt::format("ranks take turns, {} element{} at a time{}{}",
                       count_words(static_cast<uint64_t>(parts[0].slab.dimensions[0].block)),
                       parts[0].slab.dimensions[0].block == 1 ? "" : "s", bytes, course);
  if (alike)
    return fmt::format("{}{}{}{}{}", who, part_words(parts[0].slab), bytes, order_words(parts), course);
  auto all = [&](auto is) { return std::all_of(parts.begin(), parts.end(), is); };
  bool blocks = all([&](const RankPart& p) {
    return p.slab.is_block() && p.slab.of == parts[0].slab.of && whole(*p.walk) &&
           p.slab.dimensions.size() == parts[0].slab.dimensions.size();
  });
  bool once = all([](const RankPart& p) { return p.walk->accesses == 1; });
  return fmt::format("{}{}{}{}{}", who, blocks ? uneven_words(parts) : "parts of different shapes", bytes,
                     blocks ? order_words(parts) : "", once ? "" : ", in several pieces");
}

}  // namespace refrain::measure
