// See gather_ranks.hpp. A node goes as far to the front as it can; a node before it that it is to be one with
// comes to meet it.
#include "merge/gather_ranks.hpp"

#include <algorithm>

#include "merge/align_ranks.hpp"

namespace refrain::merge {
namespace {

using trace::RankSet;

constexpr size_t farthest = 32;           ///< nodes that one may pass
constexpr uint64_t most_compared = 4096;  ///< looked at one by one

/// Nodes that are to be one.
struct Gathering {
  const Shape* shape;
  RankSet ranks{};  ///< none: those of the list
  std::vector<size_t> places{};
};

/// Whether the sets are seen to have no rank in common.
bool are_apart(const RankSet& a, const RankSet& b) {
  if (a.empty() || b.empty()) return false;
  if (a.last() < b.first() || b.last() < a.first()) return true;
  const RankSet &fewer = a.size() < b.size() ? a : b, &more = a.size() < b.size() ? b : a;
  if (fewer.size() > most_compared) return false;
  std::vector<uint32_t> ranks = fewer.expand();
  return std::none_of(ranks.begin(), ranks.end(), [&](uint32_t rank) { return more.contains(rank); });
}

/// Adds a node to what it can be one with, if there is something.
bool join_earlier(std::vector<Gathering>& list, const Gathering& node, size_t level) {
  size_t n = list.size(), free = n;  // the node may stand before list[free]
  while (free > 0 && n - free < farthest && are_apart(list[free - 1].ranks, node.ranks)) --free;
  for (size_t i = n; i-- > 0 && n - i <= farthest;) {
    Gathering& other = list[i];
    if (other.ranks.empty()) return false;
    if (other.shape->pinned || !can_be_one(*other.shape, *node.shape, level)) continue;
    if (!are_apart(other.ranks, node.ranks)) return false;
    auto meets = [&](const Gathering& between) { return !are_apart(between.ranks, other.ranks); };
    auto here = list.begin() + static_cast<std::ptrdiff_t>(i);
    auto end = list.begin() + static_cast<std::ptrdiff_t>(std::max(free, i + 1));
    if (std::any_of(here + 1, end, meets)) continue;
    other.ranks.unite(node.ranks);
    if (node.shape->height > other.shape->height) other.shape = node.shape;
    other.places.insert(other.places.end(), node.places.begin(), node.places.end());
    std::rotate(here, here + 1, end);
    return true;
  }
  return false;
}

}  // namespace

std::vector<std::vector<size_t>> gather(const std::vector<trace::Node>& list,
                                        const std::vector<Shape>& shapes, size_t level) {
  std::vector<Gathering> out;
  for (size_t i = 0; i < list.size(); ++i) {
    Gathering node{&shapes[i], list[i].ranks, {i}};
    bool joined = !node.ranks.empty() && !node.shape->pinned && join_earlier(out, node, level);
    if (!joined) out.push_back(std::move(node));
  }
  std::vector<std::vector<size_t>> places;
  for (Gathering& g : out) places.push_back(std::move(g.places));
  return places;
}

}  // namespace refrain::merge
