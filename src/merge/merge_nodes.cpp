// Merging trees. Lists of the same structure are zipped: node by node the values are joined, and nothing else
// happens; with thousands of ranks that do the same, this is nearly all there is. Otherwise the lists are
// aligned, and
//
//   - a pair that has the same structure is zipped;
//   - a call that the other side has in a loop gets a loop of one iteration around it, and slopes for that
//     loop's index which are indifferent;
//   - two loops become one whose counts depend on the rank, and their bodies are merged in turn;
//   - what only one side has keeps its ranks in `Node::ranks`.
//
// Copies refer to their source by its place in the list, so places are translated whenever a list changes;
// nodes that take part in such a reference are never moved into a loop.
#include "merge/merge_nodes.hpp"

#include <algorithm>

#include "merge/gather_ranks.hpp"
#include "merge/join.hpp"
#include "trace/at_rank.hpp"

namespace refrain::merge {
namespace {

using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::RankSet;
using trace::Value;

using Places = std::vector<uint32_t>;

template <class Use>
void for_values(Node& node, Use use) {
  auto each = [&](Value& v) {
    if (v.form != Form::by_rank) return use(v);
    for (trace::Alternative& a : v.alternatives) use(a.value);
  };
  each(node.count);
  for (Value& v : node.parameters) each(v);
}

void redirect(Node& node, const Places& places) {
  for_values(node, [&](Value& v) {
    if (v.form == Form::copy && v.sibling < places.size()) v.sibling = places[v.sibling];
  });
}

/// References of a node to itself, when it stands at `place`.
void redirect_own(Node& node, uint32_t place) {
  for_values(node, [&](Value& v) {
    if (v.form == Form::copy) v.sibling = place;
  });
}

/// Makes room for the index of a loop at depth `loops` around everything in `node`.
void add_index(Node& node, size_t loops) {
  for_values(node, [&](Value& v) {
    if (v.form != Form::affine && v.form != Form::separable && v.form != Form::power) return;
    if (v.slopes.size() < loops) v.slopes.resize(loops, 0);
    v.slopes.insert(v.slopes.begin() + static_cast<std::ptrdiff_t>(loops), Value::any_slope);
    if (v.depth >= loops) ++v.depth;
  });
  for (Node& child : node.body) add_index(child, loops);
}

/// A loop that runs the nodes once.
Node loop_around(std::vector<Node> nodes, size_t loops) {
  Node loop{.kind = NodeKind::loop, .count = Value::constant(1)};
  if (nodes.size() == 1) loop.ranks = std::move(nodes[0].ranks), nodes[0].ranks = {};
  for (size_t k = 0; k < nodes.size(); ++k) {
    add_index(nodes[k], loops);
    redirect_own(nodes[k], static_cast<uint32_t>(k));
  }
  loop.body = std::move(nodes);
  return loop;
}

Node loop_around(Node node, size_t loops) {
  std::vector<Node> one;
  one.push_back(std::move(node));
  return loop_around(std::move(one), loops);
}

std::vector<Node> taken(std::vector<Node>& nodes, size_t from, size_t count) {
  auto begin = nodes.begin() + static_cast<std::ptrdiff_t>(from);
  return {std::make_move_iterator(begin),
          std::make_move_iterator(begin + static_cast<std::ptrdiff_t>(count))};
}

bool is_around_loop(const Node& node) { return node.body.size() == 1 && node.body[0].kind == NodeKind::loop; }

/// Gives `a`, which has been made of both nodes, its ranks; none if that is everyone who runs the list. Last
/// of all, since `own` refers to the ranks that it had.
void join_ranks(Node& a, Node& b, const Order& own, const Order& around) {
  if (a.ranks.empty() && b.ranks.empty()) return;
  if (own.a_size() == around.a_size() && own.b_size() == around.b_size()) {
    a.ranks = {};
    return;
  }
  if (a.ranks.empty()) a.ranks = own.a();
  if (b.ranks.empty())
    a.ranks.unite(own.b());
  else
    a.ranks.unite(std::move(b.ranks));
}

/// Where the nodes of both lists go.
struct Destinations {
  Places a, b;

  Destinations(const std::vector<Step>& steps, size_t in_a, size_t in_b) : a(in_a), b(in_b) {
    for (size_t k = 0; k < steps.size(); ++k) {
      auto place = static_cast<uint32_t>(k);
      const Step& s = steps[k];
      if (s.pairing == Pairing::match || s.pairing == Pairing::only_a || s.pairing == Pairing::loop_a)
        a[s.i] = place;
      if (s.pairing == Pairing::match || s.pairing == Pairing::only_b || s.pairing == Pairing::loop_b)
        b[s.j] = place;
    }
  }
};

/// Pairs that turn out not to be of equal structure, although their hashes are equal, are taken apart.
std::vector<Step> without_collisions(std::vector<Step> steps, const std::vector<Node>& a,
                                     const std::vector<Node>& b, const std::vector<Shape>& in_a,
                                     const std::vector<Shape>& in_b) {
  auto collides = [&](const Step& s) {
    return s.pairing == Pairing::match && in_a[s.i].hash == in_b[s.j].hash && !same_structure(a[s.i], b[s.j]);
  };
  if (std::none_of(steps.begin(), steps.end(), collides)) return steps;
  std::vector<Step> out;
  for (const Step& s : steps) {
    if (!collides(s)) {
      out.push_back(s);
      continue;
    }
    out.push_back({Pairing::only_a, s.i, s.j});
    out.push_back({Pairing::only_b, s.i, s.j});
  }
  return out;
}

}  // namespace

void restrict_to(std::vector<Node>& nodes, const RankSet& ranks) {
  for (Node& node : nodes)
    if (node.ranks.empty()) node.ranks = ranks;
}

NodeMerger::Nodes NodeMerger::merge(Nodes a, Nodes b, const Order& order, size_t level, size_t loops) const {
  if (!same_structure(a, b)) return aligned(std::move(a), std::move(b), order, level, loops);
  for (size_t i = 0; i < a.size(); ++i) zip(a[i], std::move(b[i]), order);
  return a;
}

void NodeMerger::zip(Node& a, Node&& b, const Order& around) const {
  bool everyone = a.ranks.empty() && b.ranks.empty();
  Order own = everyone ? around : Order(ranks_of(a, around.a()), ranks_of(b, around.b()));
  if (a.kind == NodeKind::loop || a.kind == NodeKind::choice) join(a.count, std::move(b.count), own);
  for (size_t i = 0; i < a.parameters.size(); ++i) join(a.parameters[i], std::move(b.parameters[i]), own);
  for (size_t i = 0; i < a.body.size(); ++i) zip(a.body[i], std::move(b.body[i]), own);
  a.timing.merge(b.timing);
  join_ranks(a, b, own, around);
}

void NodeMerger::pair(Node& a, Node&& b, const Order& around, size_t level, size_t loops) const {
  if (!same_structure(a, b)) {
    if (a.kind != NodeKind::loop) a = loop_around(std::move(a), loops);
    if (b.kind != NodeKind::loop) b = loop_around(std::move(b), loops);
  }
  if (same_structure(a, b)) return zip(a, std::move(b), around);
  bool same_count = a.count.is_constant() && a.count == b.count;  // then the loop within is the one more
  if (!same_count && shapes_.key_of(a) == shapes_.key_of(b) && is_around_loop(a) != is_around_loop(b)) {
    Node& flat = is_around_loop(a) ? b : a;
    flat = loop_around(std::move(flat), loops);
  }
  Order own(ranks_of(a, around.a()), ranks_of(b, around.b()));
  join(a.count, std::move(b.count), own);
  a.body = merge(std::move(a.body), std::move(b.body), own, level + 1, loops + 1);
  join_ranks(a, b, own, around);
}

NodeMerger::Nodes NodeMerger::aligned(Nodes a, Nodes b, const Order& order, size_t level,
                                      size_t loops) const {
  std::vector<Shape> in_a = shapes_.of(a), in_b = shapes_.of(b);
  std::vector<Step> steps = without_collisions(align(in_a, in_b, level, options_), a, b, in_a, in_b);
  Destinations to(steps, a.size(), b.size());
  for (Node& node : a) redirect(node, to.a);
  for (Node& node : b) redirect(node, to.b);
  Nodes out;
  out.reserve(steps.size());
  for (const Step& s : steps) switch (s.pairing) {
      case Pairing::match:
        pair(a[s.i], std::move(b[s.j]), order, level, loops);
        out.push_back(std::move(a[s.i]));
        break;
      case Pairing::only_a:
        out.push_back(std::move(a[s.i]));
        if (out.back().ranks.empty()) out.back().ranks = order.a();
        break;
      case Pairing::only_b:
        out.push_back(std::move(b[s.j]));
        if (out.back().ranks.empty()) out.back().ranks = order.b();
        break;
      case Pairing::loop_a:
        pair(a[s.i], loop_around(taken(b, s.j, s.count), loops), order, level, loops);
        out.push_back(std::move(a[s.i]));
        break;
      case Pairing::loop_b:
        out.push_back(loop_around(taken(a, s.i, s.count), loops));
        pair(out.back(), std::move(b[s.j]), order, level, loops);
        break;
    }
  return gathered(std::move(out), order, level, loops);
}

NodeMerger::Nodes NodeMerger::gathered(Nodes list, const Order& order, size_t level, size_t loops) const {
  size_t of_some = std::count_if(list.begin(), list.end(), [](const Node& n) { return !n.ranks.empty(); });
  if (of_some < 3) return list;
  std::vector<Shape> shapes = shapes_.of(list);
  std::vector<std::vector<size_t>> groups = gather(list, shapes, level);
  if (groups.size() == list.size()) return list;
  Places to(list.size());
  for (size_t k = 0; k < groups.size(); ++k)
    for (size_t place : groups[k]) to[place] = static_cast<uint32_t>(k);
  for (Node& node : list) redirect(node, to);
  Nodes out;
  out.reserve(groups.size());
  for (const std::vector<size_t>& group : groups) {
    Node& one = out.emplace_back(std::move(list[group[0]]));
    for (size_t i = 1; i < group.size(); ++i) {
      const RankSet first = one.ranks, second = list[group[i]].ranks;
      pair(one, std::move(list[group[i]]), Order(first, second), level, loops);
      one.ranks = first.united(second);
      if (one.ranks.size() == order.a_size() + order.b_size()) one.ranks = {};
    }
  }
  return out;
}

}  // namespace refrain::merge
