// See split_loops.hpp. What may be one loop are calls that come again before others do: `a b a b`, in loops
// or not. Whether they are is seen when each rank's calls are made one by one.
#include "extrapolate/split_loops.hpp"

#include <algorithm>
#include <optional>

#include "extrapolate/copies.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"
#include "trace/references.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Column;
using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Number;
using trace::RankSet;
using trace::Value;

constexpr size_t longest_joined = 4096, longest_body = 16;
constexpr std::ptrdiff_t most_nodes = 1024;

/// The calls in a node, in loops or not, in their order. False if there is something else.
bool add_calls(const Node& node, std::vector<const Node*>& calls) {
  if (node.kind == NodeKind::event) calls.push_back(&node);
  if (node.kind == NodeKind::event) return true;
  return node.kind == NodeKind::loop &&
         std::all_of(node.body.begin(), node.body.end(), [&](const Node& n) { return add_calls(n, calls); });
}

/// Loops in a loop that doesn't turn as often on all ranks, as if they had been cut up.
bool is_cut_nest(const Node& node) {
  return node.kind == NodeKind::loop && !node.count.is_constant() &&
         std::any_of(node.body.begin(), node.body.end(),
                     [](const Node& inner) { return inner.kind == NodeKind::loop; });
}

/// The nodes from `first` on that may be one loop, whose body makes each call once: `calls` are these.
std::vector<Node>::iterator end_of_group(std::vector<Node>::iterator first, std::vector<Node>::iterator end,
                                         const trace::Trace& run, std::vector<uint32_t>& calls) {
  bool whole = false;  // all calls of the body are known
  if (end - first > most_nodes) end = first + most_nodes;
  for (auto at = first; at != end; ++at) {
    std::vector<const Node*> here;
    if (!add_calls(*at, here)) return at;
    for (const Node* call : here) {
      bool known = std::find(calls.begin(), calls.end(), call->signature) != calls.end();
      whole |= known;
      if (known) continue;
      if (whole || calls.size() == longest_body || run.signatures[call->signature].site == 0) return at;
      calls.push_back(call->signature);
    }
    whole |= at->kind == NodeKind::loop;
  }
  return end;
}

/// The same for a loop over one call, and this call once more.
std::vector<Node>::iterator end_of_loop_and_turn(std::vector<Node>::iterator first,
                                                 std::vector<Node>::iterator end, const trace::Trace& run,
                                                 std::vector<uint32_t>& calls) {
  if (end - first < 2 || first->kind != NodeKind::loop || first->body.size() != 1) return first;
  const Node &call = first->body[0], &behind = first[1];
  bool same = call.kind == NodeKind::event && call.ranks.empty() && behind.kind == NodeKind::event &&
              call.signature == behind.signature && first->ranks == behind.ranks;
  if (!same || run.signatures[call.signature].site == 0) return first;
  calls = {call.signature};
  return first + 2;
}

int64_t step_of(const std::vector<int64_t>& list) {
  return list.size() < 2 ? Unified::unknown_slope : trace::wrap_sub(list[1], list[0]);
}
bool is_line(const std::vector<int64_t>& list) {
  for (size_t i = 2; i < list.size(); ++i)
    if (trace::wrap_sub(list[i], list[i - 1]) != step_of(list)) return false;
  return true;
}
bool is_constant(const std::vector<int64_t>& list) {
  return std::all_of(list.begin(), list.end(), [&](int64_t v) { return v == list[0]; });
}

/// What one parameter is, on each of the ranks: by the index of the new loop, and what each loop around adds.
struct ByRank {
  std::vector<std::vector<int64_t>> lists{};
  std::vector<std::vector<int64_t>> slopes{};  ///< by depth

  Value value(Lists& all) const {
    auto first = [](const std::vector<int64_t>& list) { return list[0]; };
    auto number = [&](const std::vector<int64_t>& list) { return all.number_of(list); };
    Value v{.depth = static_cast<uint32_t>(slopes.size())};
    for (const std::vector<int64_t>& slope : slopes) v.slopes.emplace_back(Column::of(slope));
    if (std::all_of(lists.begin(), lists.end(), is_line)) {
      v.base = table_of(first);
      if (!std::all_of(lists.begin(), lists.end(), is_constant)) v.slopes.push_back(table_of(step_of));
    } else {
      v.form = Form::separable;
      v.entries = {Number(0), table_of(number)};
    }
    return v;
  }

 private:
  /// What a function says of each of the lists.
  template <class Function>
  Number table_of(Function function) const {
    std::vector<int64_t> values;
    for (const std::vector<int64_t>& list : lists) values.push_back(function(list));
    return Number(Column::of(values));
  }
};

class Group {
 public:
  Group(std::vector<Node> nodes, std::vector<uint32_t> calls, const trace::Trace& run, size_t loops)
      : nodes_(std::move(nodes)),
        calls_(std::move(calls)),
        run_(run),
        loops_(loops),
        values_(calls_.size()) {}

  /// Nothing if they aren't one loop.
  std::optional<Node> joined(const RankSet& around, Lists& lists) {
    RankSet ranks;
    for (const Node& node : nodes_) ranks = ranks.united(trace::ranks_of(node, around));
    for (uint32_t rank : ranks.expand())
      if (!read(trace::at_rank(nodes_, around, rank))) return std::nullopt;
    if (std::all_of(turns_.begin(), turns_.end(), [](int64_t n) { return n == 1; })) return std::nullopt;
    Node loop{.kind = NodeKind::loop, .count = {.base = Number(Column::of(turns_))}};
    if (!(ranks == around)) loop.ranks = std::move(ranks);
    for (size_t c = 0; c < calls_.size(); ++c) {
      if (!references_stay(c)) return std::nullopt;
      Node& call = loop.body.emplace_back(Node{.signature = calls_[c]});
      for (const ByRank& values : values_[c]) call.parameters.push_back(values.value(lists));
    }
    std::vector<const Node*> here;
    for (const Node& node : nodes_) add_calls(node, here);
    for (const Node* call : here) loop.body[place_of(*call)].timing.merge(call->timing);
    return loop;
  }

 private:
  size_t place_of(const Node& call) const {
    return static_cast<size_t>(std::find(calls_.begin(), calls_.end(), call.signature) - calls_.begin());
  }

  /// The parameters of all calls, one after the other; loops around turn once, but for one that turns twice.
  /// Nothing if it isn't the calls in turn.
  std::optional<std::vector<std::vector<int64_t>>> made_by(const std::vector<Node>& mine,
                                                           size_t twice) const {
    std::vector<Node> nodes = mine;
    for (size_t d = loops_; d-- > 0;) {
      Node around{
          .kind = NodeKind::loop, .count = Value::constant(d == twice ? 2 : 1), .body = std::move(nodes)};
      nodes.clear();
      nodes.push_back(std::move(around));
    }
    trace::Expander events(nodes);
    std::vector<std::vector<int64_t>> made;
    for (auto event = events.next(); event.node != nullptr; event = events.next()) {
      bool in_turn = event.node->signature == calls_[made.size() % calls_.size()];
      if (!in_turn || made.size() == longest_joined) return std::nullopt;
      made.emplace_back(event.parameters.begin(), event.parameters.end());
    }
    if (events.damaged() || made.empty() || made.size() % calls_.size() != 0) return std::nullopt;
    return made;
  }

  /// What one rank runs of the nodes. False if that can't be said as a loop.
  bool read(const std::vector<Node>& mine) {
    auto made = made_by(mine, loops_);
    if (!made) return false;
    turns_.push_back(static_cast<int64_t>(made->size() / calls_.size()));
    for (size_t i = 0; i < made->size(); ++i) {
      std::vector<ByRank>& values = values_[i % calls_.size()];
      values.resize((*made)[i].size());
      for (size_t p = 0; p < values.size(); ++p) {
        values[p].lists.resize(turns_.size());
        values[p].lists.back().push_back((*made)[i][p]);
      }
    }
    for (size_t d = 0; d < loops_; ++d)
      if (!read_slopes(*made, made_by(mine, d), d)) return false;
    return true;
  }

  /// What a loop around adds in its second turn: to all calls of a kind the same.
  bool read_slopes(const std::vector<std::vector<int64_t>>& once,
                   const std::optional<std::vector<std::vector<int64_t>>>& twice, size_t d) {
    if (!twice || twice->size() != 2 * once.size()) return false;
    for (size_t i = 0; i < once.size(); ++i) {
      std::vector<ByRank>& values = values_[i % calls_.size()];
      for (size_t p = 0; p < values.size(); ++p) {
        int64_t slope = trace::wrap_sub((*twice)[once.size() + i][p], once[i][p]);
        values[p].slopes.resize(loops_);
        std::vector<int64_t>& known = values[p].slopes[d];
        if (known.size() < turns_.size()) known.push_back(slope);
        if (known.back() != slope) return false;
      }
    }
    return true;
  }

  /// Numbers of strings and of lists mean nothing by themselves.
  bool references_stay(size_t c) const {
    bool stay = true;
    for (trace::OperandKind kind : {trace::OperandKind::text, trace::OperandKind::long_list})
      trace::for_references(run_.signatures[calls_[c]], kind, [&](size_t p) {
        const auto& lists = values_[c][p].lists;
        stay = stay && std::all_of(lists.begin(), lists.end(), is_constant);
      });
    return stay;
  }

  std::vector<Node> nodes_;
  std::vector<uint32_t> calls_;  ///< signatures
  const trace::Trace& run_;
  size_t loops_;                             ///< around the nodes
  std::vector<std::vector<ByRank>> values_;  ///< by call and parameter
  std::vector<int64_t> turns_{};             ///< by rank
};

}  // namespace

std::vector<std::pair<size_t, Node>> join_split_loops(std::vector<Node>& nodes, const RankSet& around,
                                                      const trace::Trace& run, size_t loops, SplitLoops which,
                                                      Lists& lists) {
  std::vector<std::pair<size_t, Node>> all;
  if (has_copies(nodes)) return all;  // they count nodes
  for (size_t i = 0; i < nodes.size(); ++i) {
    auto first = nodes.begin() + static_cast<std::ptrdiff_t>(i);
    std::vector<uint32_t> calls;
    auto end = which == SplitLoops::last_turns ? end_of_loop_and_turn(first, nodes.end(), run, calls)
                                               : end_of_group(first, nodes.end(), run, calls);
    if (first == end || (end - first == 1 && !is_cut_nest(*first))) continue;
    auto joined = Group({first, end}, std::move(calls), run, loops).joined(around, lists);
    if (!joined) continue;
    all.emplace_back(i, std::move(*joined));
    *first = Node{.kind = NodeKind::group};
    nodes.erase(first + 1, end);
  }
  return all;
}

}  // namespace refrain::extrapolate
