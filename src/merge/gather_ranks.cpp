// See gather_ranks.hpp. A node goes as far to the front as it can; a node before it that it is to be one with
// comes to meet it.
#include "merge/gather_ranks.hpp"

#include <algorithm>

#include "merge/align_ranks.hpp"
#include "merge/rank_order.hpp"

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

/// Whether no rank runs both; of what all run, that can't be said.
bool run_apart(const Gathering& a, const Gathering& b) {
  return !a.ranks.empty() && !b.ranks.empty() && are_apart(a.ranks, b.ranks, most_compared);
}

/// Adds a node to what it can be one with, if there is something.
bool join_earlier(std::vector<Gathering>& list, const Gathering& node, size_t level) {
  size_t n = list.size(), free = n;  // the node may stand before list[free]
  while (free > 0 && n - free < farthest && run_apart(list[free - 1], node)) --free;
  for (size_t i = n; i-- > 0 && n - i <= farthest;) {
    Gathering& other = list[i];
    if (other.ranks.empty()) return false;
    if (other.shape->pinned || !can_be_one(*other.shape, *node.shape, level)) continue;
    if (!run_apart(other, node)) return false;
    auto meets = [&](const Gathering& between) { return !run_apart(between, other); };
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
