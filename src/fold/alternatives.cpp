// See alternatives.hpp.
//
// Three steps. (1) The list is written out: loops that irregular iterations were absorbed into, and short
// loops that came about by chance, give way to their iterations, in the shape they had when they ran.
// (2) Nodes of equal structure become one symbol; a chain of symbols that always follow each other becomes
// one symbol, too. (3) Each symbol becomes an arm holding all its executions.
//
// Example: o {w} c  s  o {w} c  b  s  s  o {w} c … has the symbols o {w} c s b; "o {w} c" always go
// together, so the arms are the group (o {w} c), s and b, and the selector reads 0 1 0 2 1 1 0 ….
#include "fold/alternatives.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <memory>
#include <numeric>
#include <unordered_map>

namespace refrain::fold {
namespace {

using trace::Column;
using trace::Node;
using trace::NodeKind;
using trace::Value;

constexpr uint64_t short_trips = 8;
constexpr uint32_t frequent = 5;
constexpr int unroll_passes = 12;

bool has_optional_part(const LiveNode& loop) {
  return std::any_of(loop.body.begin(), loop.body.end(), [](const Owned& x) {
    return x->loop && static_cast<uint64_t>(x->counts.sum()) < x->executions;
  });
}

/// Takes the last `n` executions out of a merged node, in the shape they had when they ran: what never ran
/// in them is left out, what always ran once loses its loop. Appends nothing if nothing ran.
void take_part(LiveNode& node, uint64_t n, Sequence& out) {
  uint64_t work = 0;
  if (n == 0) return;
  if (!node.loop) {
    out.push_back(extract_last(node, n, work));
    return;
  }
  auto part = std::make_unique<LiveNode>();
  part->loop = true;
  part->counts = node.counts.split_tail(n, work);
  part->executions = n;
  node.executions -= n;
  auto iterations = static_cast<uint64_t>(part->counts.sum());
  for (Owned& child : node.body) take_part(*child, iterations, part->body);
  int64_t count = 0;
  bool once = part->counts.constant(count) && count == 1;
  if (part->body.empty()) return;
  if (once) {
    std::move(part->body.begin(), part->body.end(), std::back_inserter(out));
    return;
  }
  part->merged = node.merged && has_optional_part(*part);
  rehash(*part);
  out.push_back(std::move(part));
}

/// Writes out the iterations of `loop`, which was entered once.
void unroll(LiveNode& loop, Sequence& out) {
  std::vector<Sequence> iterations(trips(loop));
  for (size_t t = iterations.size(); t-- > 0;)
    for (Owned& child : loop.body) take_part(*child, 1, iterations[t]);
  for (Sequence& iteration : iterations)
    std::move(iteration.begin(), iteration.end(), std::back_inserter(out));
}

/// How often the node ran, of the times it was reached.
uint64_t runs(const LiveNode& node) {
  return node.loop ? std::min(static_cast<uint64_t>(node.counts.sum()), node.executions) : node.executions;
}

/// Nodes that writing out `loop`, and the merged loops in it, would give.
uint64_t unrolled_size(const LiveNode& loop) {
  uint64_t n = 0;
  for (const Owned& child : loop.body) n += child->merged ? unrolled_size(*child) : runs(*child);
  return n;
}

/// A list of nodes, some of them borrowed from the tree, some made here.
class List {
 public:
  explicit List(const Sequence& nodes) {
    for (const Owned& node : nodes) nodes_.push_back(node.get());
  }

  const std::vector<const LiveNode*>& nodes() const { return nodes_; }

  void unroll_all(uint64_t limit) {
    for (int pass = 0; pass < unroll_passes; ++pass) {
      std::unordered_map<uint64_t, uint32_t> occurrences;
      for (const LiveNode* x : nodes_) ++occurrences[x->hash];
      std::vector<const LiveNode*> out;
      bool any = false;
      for (const LiveNode* x : nodes_) {
        if (!should_unroll(*x, occurrences) || unrolled_size(*x) > limit || trips(*x) > limit) {
          out.push_back(x);
          continue;
        }
        limit -= unrolled_size(*x);
        any = true;
        Owned copy = clone(*x);
        Sequence parts;
        unroll(*copy, parts);
        for (Owned& part : parts) {
          out.push_back(part.get());
          made_.push_back(std::move(part));
        }
      }
      nodes_ = std::move(out);
      if (!any) return;
    }
  }

  /// A loop that ran twice in a row was recorded as one that ran longer. Where the trip counts of a loop are
  /// multiples of the smallest, each multiple becomes that many loops again.
  void split_multiples() {
    struct Trips {
      uint64_t least = UINT64_MAX, most = 0, divisor = 0;
    };
    std::unordered_map<uint64_t, Trips> seen;
    for (const LiveNode* x : nodes_) {
      if (!x->loop) continue;
      Trips& t = seen[x->hash];
      t.least = std::min(t.least, trips(*x));
      t.most = std::max(t.most, trips(*x));
      t.divisor = std::gcd(t.divisor, trips(*x));
    }
    std::vector<const LiveNode*> out;
    for (const LiveNode* x : nodes_) {
      const Trips t = x->loop ? seen[x->hash] : Trips{};
      if (!x->loop || t.divisor != t.least || t.least < 2 || t.most == t.least || t.most > 64 * t.least) {
        out.push_back(x);
        continue;
      }
      Owned rest = clone(*x);
      std::vector<Owned> parts(trips(*x) / t.least);
      for (size_t k = parts.size(); k-- > 0;) parts[k] = last_iterations(*rest, t.least);
      for (Owned& part : parts) {
        out.push_back(part.get());
        made_.push_back(std::move(part));
      }
    }
    nodes_ = std::move(out);
  }

 private:
  static Owned last_iterations(LiveNode& loop, uint64_t n) {
    uint64_t work = 0;
    Sequence body;
    for (Owned& child : loop.body) body.push_back(extract_last(*child, n, work));
    Owned part = wrap(std::move(body), 1);
    set_trips(*part, n);
    return part;
  }

  static bool should_unroll(const LiveNode& x, const std::unordered_map<uint64_t, uint32_t>& occurrences) {
    if (!x.loop) return false;
    if (x.merged && x.body.size() > 1) return true;
    if (trips(x) > short_trips) return false;
    return std::any_of(x.body.begin(), x.body.end(), [&](const Owned& child) {
      auto it = occurrences.find(child->hash);
      return it != occurrences.end() && it->second >= frequent;
    });
  }

  std::vector<const LiveNode*> nodes_;
  Sequence made_;
};

struct Choice {
  std::vector<Sequence> arms;
  std::vector<int64_t> selector;
};

/// A number per distinct structure, in order of appearance.
std::vector<uint32_t> number(const std::vector<const LiveNode*>& nodes,
                             std::vector<const LiveNode*>& distinct) {
  std::unordered_map<uint64_t, uint32_t> known;
  std::vector<uint32_t> symbols;
  symbols.reserve(nodes.size());
  for (const LiveNode* x : nodes) {
    auto [it, fresh] = known.try_emplace(x->hash, static_cast<uint32_t>(distinct.size()));
    if (fresh || !same_structure(*distinct[it->second], *x)) {
      symbols.push_back(static_cast<uint32_t>(distinct.size()));
      distinct.push_back(x);
    } else {
      symbols.push_back(it->second);
    }
  }
  return symbols;
}

/// For each symbol, the one it is always followed by and that always follows it; or none.
std::vector<uint32_t> chain_links(const std::vector<uint32_t>& symbols, size_t distinct) {
  constexpr uint32_t unseen = UINT32_MAX, none = UINT32_MAX - 1;
  std::vector<uint32_t> next(distinct, unseen), previous(distinct, unseen);
  auto note = [&](std::vector<uint32_t>& table, uint32_t of, uint32_t is) {
    if (table[of] == unseen) table[of] = is;
    if (table[of] != is) table[of] = none;
  };
  for (size_t i = 0; i < symbols.size(); ++i) {
    note(next, symbols[i], i + 1 < symbols.size() ? symbols[i + 1] : none);
    note(previous, symbols[i], i > 0 ? symbols[i - 1] : none);
  }
  for (uint32_t s = 0; s < distinct; ++s)
    if (next[s] >= none || next[s] == s || previous[next[s]] != s) next[s] = none;
  return next;
}

Choice make_choice(const std::vector<const LiveNode*>& nodes, const std::vector<uint32_t>& symbols,
                   const std::vector<const LiveNode*>& distinct) {
  Choice choice;
  std::vector<uint32_t> next = chain_links(symbols, distinct.size());
  std::vector<char> linked(distinct.size(), 0);
  for (uint32_t s : next)
    if (s < distinct.size()) linked[s] = 1;
  struct Place {
    int64_t arm = -1;
    size_t in_arm = 0;
  };
  std::vector<Place> place(distinct.size());
  uint64_t work = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    uint32_t s = symbols[i];
    if (place[s].arm < 0) {  // its chain starts here: later links follow in the list
      if (!linked[s]) choice.arms.emplace_back();
      place[s] = {static_cast<int64_t>(choice.arms.size()) - 1, choice.arms.back().size()};
      choice.arms.back().push_back(clone(*nodes[i]));
    } else {
      append(*choice.arms[static_cast<size_t>(place[s].arm)][place[s].in_arm], *nodes[i], work);
    }
    if (!linked[s]) choice.selector.push_back(place[s].arm);
  }
  return choice;
}

/// The part of the list that the choice should cover: from the first to the last symbol that recurs.
std::pair<size_t, size_t> recurring_part(const std::vector<uint32_t>& symbols, size_t distinct) {
  std::vector<uint32_t> occurrences(distinct, 0);
  for (uint32_t s : symbols) ++occurrences[s];
  size_t from = 0, to = symbols.size();
  while (from < to && occurrences[symbols[from]] == 1) ++from;
  while (to > from && occurrences[symbols[to - 1]] == 1) --to;
  return {from, to};
}

std::vector<Node> explained(const std::vector<const LiveNode*>& nodes, Signatures signatures,
                            Effort& effort) {
  Sequence copies;
  for (const LiveNode* x : nodes) copies.push_back(clone(*x));
  return explain(std::move(copies), signatures, effort);
}

Node explained(Choice& choice, Signatures signatures, Effort& effort) {
  std::vector<std::vector<int64_t>> chosen(choice.arms.size());
  auto count = static_cast<int64_t>(choice.selector.size());
  for (int64_t i = 0; i < count; ++i)
    chosen[static_cast<size_t>(choice.selector[static_cast<size_t>(i)])].push_back(i);
  Node loop, node;
  loop.kind = NodeKind::loop;
  loop.count = Value::constant(count);
  node.kind = NodeKind::choice;
  node.count.form = trace::Form::column;
  node.count.column = std::make_shared<Column>(Column::of(choice.selector));
  for (size_t a = 0; a < choice.arms.size(); ++a) {
    Nest nest;
    nest.push_filtered(Column({{count, 0, 1, 0}}, {}), std::move(chosen[a]));
    bool single = choice.arms[a].size() == 1;
    std::vector<Node> arm = explain(choice.arms[a], signatures, nest, single, effort);
    if (single) {
      node.body.push_back(std::move(arm[0]));
      continue;
    }
    Node group;
    group.kind = NodeKind::group;
    group.body = std::move(arm);
    node.body.push_back(std::move(group));
  }
  loop.body.push_back(std::move(node));
  return loop;
}

}  // namespace

std::optional<std::vector<Node>> as_choice(const Sequence& nodes, Signatures signatures, uint64_t events,
                                           Effort& effort) {
  List list(nodes);
  list.unroll_all(4096 + events / 2);
  list.split_multiples();
  std::vector<const LiveNode*> distinct, covered;
  std::vector<uint32_t> symbols = number(list.nodes(), distinct);
  auto [from, to] = recurring_part(symbols, distinct.size());
  if (to - from < least_choice) return std::nullopt;
  const auto& all = list.nodes();
  covered.assign(all.begin() + from, all.begin() + to);
  distinct.clear();
  symbols = number(covered, distinct);
  if (distinct.size() * 2 > covered.size()) return std::nullopt;
  Choice choice = make_choice(covered, symbols, distinct);
  std::vector<Node> out = explained({all.begin(), all.begin() + from}, signatures, effort);
  out.push_back(explained(choice, signatures, effort));
  std::vector<Node> after = explained({all.begin() + to, all.end()}, signatures, effort);
  std::move(after.begin(), after.end(), std::back_inserter(out));
  return out;
}

uint64_t size_of_merged_loops(const Sequence& nodes) {
  uint64_t n = 0;
  for (const Owned& x : nodes)
    if (x->merged) n += unrolled_size(*x);
  return n;
}

bool could_be_shorter(const Sequence& nodes, size_t bytes) {
  uint64_t length = nodes.size() + size_of_merged_loops(nodes), kinds = 2, places = 0, filled = 0;
  for (const Owned& x : nodes) {
    if (!x->merged) continue;
    kinds = std::max<uint64_t>(kinds, x->body.size());
    places += trips(*x) * x->body.size();
    for (const Owned& child : x->body) filled += runs(*child);
  }
  uint64_t selector_bytes = length * static_cast<uint64_t>(std::bit_width(kinds)) / 16;
  return filled * 2 < places && selector_bytes < bytes;
}

size_t least_bytes(const Sequence& nodes) {
  size_t bytes = 0;
  for (const Owned& x : nodes) {
    bytes += 2 + x->parameters.size();
    if (x->loop || x->executions != 1) continue;
    for (const Stream& s : x->parameters) bytes += varint_size(zigzag(s.back())) - 1;
  }
  return bytes;
}

}  // namespace refrain::fold
