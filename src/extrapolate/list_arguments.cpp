// See list_arguments.hpp.
#include "extrapolate/list_arguments.hpp"

#include <algorithm>
#include <map>

#include "merge/join.hpp"
#include "trace/at_rank.hpp"
#include "trace/name_list.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Number;
using trace::Operand;
using trace::OperandKind;
using trace::RankSet;
using trace::Signature;
using trace::Value;

constexpr uint64_t longest_argument = 1 << 16;

/// The names of a list, if the operand is one that has any.
std::vector<trace::NameRun> names_in(const Operand& operand) {
  auto names = operand.kind == OperandKind::name ? trace::name_runs(operand.text)
                                                 : Result<std::vector<trace::NameRun>>();
  return names && names->size() <= Operand::max_width ? std::move(*names) : std::vector<trace::NameRun>();
}

Signature without_lengths(Signature s) {
  for (Operand& operand : s.operands) {
    if (is_list(operand)) operand = {.kind = OperandKind::law_list, .role = operand.role};
    auto names = names_in(operand);
    if (names.empty()) continue;
    operand = {
        .kind = OperandKind::law_names, .role = operand.role, .width = static_cast<uint32_t>(names.size())};
    for (const trace::NameRun& run : names) operand.text += (operand.text.empty() ? "" : ", ") + run.name;
  }
  return s;
}

std::string key_of(const Signature& s) {
  ByteWriter code;
  s.write(code);
  return {code.bytes().begin(), code.bytes().end()};
}

bool refers_to_nodes(const Value& v) {
  auto refers = [](const Value& x) { return x.form == Form::copy || x.form == Form::running; };
  return refers(v) || std::any_of(v.alternatives.begin(), v.alternatives.end(),
                                  [&](const trace::Alternative& a) { return refers(a.value); });
}

/// What the value is at a place, if loops make no difference.
std::optional<int64_t> fixed(const Value& v, uint32_t place, uint64_t position) {
  if (v.form == Form::by_rank) {
    for (const trace::Alternative& a : v.alternatives)
      if (auto within = a.ranks.position(place)) return fixed(a.value, place, *within);
    return std::nullopt;
  }
  if (v.form != Form::affine) return std::nullopt;
  for (const Number& n : v.slopes) {
    int64_t slope = n.at(place, position);
    if (slope != 0 && slope != Unified::unknown_slope && slope != Value::any_slope) return std::nullopt;
  }
  return v.base.at(place, position);
}

class Rewriter {
 public:
  Rewriter(const std::set<std::string>& calls, trace::Trace& run, Lists& lists)
      : calls_(calls), run_(run), lists_(lists) {}

  void nodes(std::vector<Node>& list, const RankSet& around) {
    // Copies count nodes and parameters.
    bool copies = std::any_of(list.begin(), list.end(), [](const Node& n) {
      return refers_to_nodes(n.count) ||
             std::any_of(n.parameters.begin(), n.parameters.end(), refers_to_nodes);
    });
    for (Node& node : list) {
      const RankSet own = trace::ranks_of(node, around);
      if (node.kind != NodeKind::event)
        nodes(node.body, own);
      else if (!copies)
        event(node, own);
    }
    if (!copies) gather(list, around);
    if (!copies) unite(list, around);
  }

 private:
  void event(Node& node, const RankSet& ranks) {
    const Signature call = run_.signatures[node.signature];
    if (std::none_of(call.operands.begin(), call.operands.end(), is_list)) return;
    Signature alike = without_lengths(call);
    if (!calls_.contains(key_of(alike))) return;
    std::vector<Value> parameters;
    size_t at = 0;
    auto take = [&](const Operand& o) {
      size_t first = at;
      at += o.parameters();
      for (const trace::NameRun& run : names_in(o))
        parameters.push_back(Value::constant(static_cast<int64_t>(run.repeats)));
      if (!is_list(o)) {
        parameters.insert(parameters.end(), node.parameters.begin() + static_cast<std::ptrdiff_t>(first),
                          node.parameters.begin() + static_cast<std::ptrdiff_t>(at));
        return true;
      }
      auto numbers = numbers_of(node, o, first, ranks);
      if (!numbers) return false;
      parameters.push_back({.base = Number(trace::Column::of(*numbers))});
      parameters.push_back(Value::constant(0));
      return true;
    };
    for (const Operand& o : call.operands)
      if (!take(o)) return;
    take(call.result);
    node.parameters = std::move(parameters);
    node.signature = number_of(alike);
    changed_.insert(node.signature);
  }

  /// The number of each rank's list.
  std::optional<std::vector<int64_t>> numbers_of(const Node& node, const Operand& o, size_t first,
                                                 const RankSet& ranks) {
    std::vector<int64_t> numbers;
    std::vector<uint32_t> members = ranks.expand();
    for (size_t k = 0; k < members.size(); ++k) {
      std::vector<int64_t> list;
      for (size_t p = first; p < first + o.parameters(); ++p) {
        auto v = fixed(node.parameters[p], members[k], k);
        if (!v) return std::nullopt;
        list.push_back(*v);
      }
      if (o.kind == OperandKind::long_list) {
        auto index = static_cast<uint64_t>(list[0]);
        if (index >= run_.lists.size() || run_.lists[index].size() > longest_argument) return std::nullopt;
        list = run_.lists[index].expand();
      }
      numbers.push_back(lists_.number_of(std::move(list)));
    }
    return numbers;
  }

  uint32_t number_of(const Signature& s) {
    for (uint32_t known : changed_)
      if (run_.signatures[known] == s) return known;
    run_.signatures.push_back(s);
    return static_cast<uint32_t>(run_.signatures.size() - 1);
  }

  static bool apart(const RankSet& a, const RankSet& b) {
    std::vector<uint32_t> members = b.expand();
    return std::none_of(members.begin(), members.end(), [&](uint32_t p) { return a.contains(p); });
  }

  /// Makes the calls of two nodes one.
  static void put_together(Node& a, Node& b, const RankSet& around) {
    merge::Order order(a.ranks, b.ranks);
    for (size_t p = 0; p < a.parameters.size(); ++p)
      merge::join(a.parameters[p], std::move(b.parameters[p]), order);
    a.timing.merge(b.timing);
    RankSet both = a.ranks.united(b.ranks);
    a.ranks = both.size() == around.size() ? RankSet() : std::move(both);
  }

  /// Ranks that make the same call with lists of different lengths stand beside each other, in an order that
  /// depends on how many there are. Here it doesn't, and equal calls are one.
  void gather(std::vector<Node>& list, const RankSet& around) const {
    auto call_of = [&](const Node& node) {
      if (node.kind != NodeKind::event || node.ranks.empty()) return std::string();
      const Signature& s = run_.signatures[node.signature];
      return std::any_of(s.operands.begin(), s.operands.end(), is_list) ? key_of(without_lengths(s))
                                                                        : std::string();
    };
    for (size_t begin = 0, end = 0; begin < list.size(); begin = std::max(begin + 1, end)) {
      std::string call = call_of(list[begin]);
      RankSet all = list[begin].ranks;
      for (end = begin + 1; !call.empty() && end < list.size(); ++end) {
        if (call_of(list[end]) != call || !apart(all, list[end].ranks)) break;
        all = all.united(list[end].ranks);
      }
      for (size_t i = begin; i < end; ++i)
        for (size_t k = i + 1; k < end;) {
          if (list[k].signature != list[i].signature) {
            ++k;
            continue;
          }
          put_together(list[i], list[k], around);
          list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
          --end;
        }
      if (end - begin > 1)
        std::sort(list.begin() + static_cast<std::ptrdiff_t>(begin),
                  list.begin() + static_cast<std::ptrdiff_t>(end),
                  [](const Node& a, const Node& b) { return a.ranks.first() < b.ranks.first(); });
    }
  }

  /// Neighbors of different ranks that are the same call now.
  void unite(std::vector<Node>& list, const RankSet& around) const {
    for (size_t i = 0; i + 1 < list.size();) {
      Node &a = list[i], &b = list[i + 1];
      bool same = a.kind == NodeKind::event && b.kind == NodeKind::event && a.signature == b.signature &&
                  changed_.contains(a.signature) && !a.ranks.empty() && !b.ranks.empty();
      if (!same || !apart(a.ranks, b.ranks)) {
        ++i;
        continue;
      }
      put_together(a, b, around);
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }

  const std::set<std::string>& calls_;
  trace::Trace& run_;
  Lists& lists_;
  std::set<uint32_t> changed_;  ///< signatures
};

}  // namespace

ListArguments::ListArguments(const std::vector<trace::Trace>& runs) {
  std::map<std::string, std::vector<std::set<std::string>>> seen;
  for (size_t k = 0; k < runs.size(); ++k)
    for (const Signature& s : runs[k].signatures) {
      if (std::none_of(s.operands.begin(), s.operands.end(), is_list)) continue;
      auto& by_run = seen[key_of(without_lengths(s))];
      by_run.resize(runs.size());
      by_run[k].insert(key_of(s));
    }
  for (const auto& [call, by_run] : seen) {
    const std::set<std::string>* first = nullptr;
    bool differ = false;
    for (const auto& variants : by_run) {
      if (variants.empty()) continue;
      if (first) differ |= variants != *first;
      first = &variants;
    }
    if (differ) calls_.insert(call);
  }
}

void ListArguments::make_alike(std::vector<Node>& nodes, const RankSet& around, trace::Trace& run,
                               Lists& lists) const {
  Rewriter(calls_, run, lists).nodes(nodes, around);
}

bool is_list(const Operand& operand) {
  return operand.kind == OperandKind::list || operand.kind == OperandKind::long_list;
}

namespace {

std::set<uint32_t> runs_of(const RankSet& set, const Unified& unified) {
  std::set<uint32_t> sizes;
  for (uint32_t p : set.expand()) sizes.insert(unified.places[p].nprocs);
  return sizes;
}

/// Whether a call of some runs only is made with a list of another length in others.
bool has_other_lists(const Node& node, const RankSet& own, const RankSet& around, const Unified& unified) {
  const Signature& call = unified.trace.signatures[node.signature];
  auto list = std::find_if(call.operands.begin(), call.operands.end(), is_list);
  if (list == call.operands.end() || runs_of(own, unified) == runs_of(around, unified)) return false;
  auto i = static_cast<size_t>(list - call.operands.begin());
  const std::vector<Signature>& all = unified.trace.signatures;
  return std::any_of(all.begin(), all.end(), [&](const Signature& s) {
    return s.function == call.function && s.layer == call.layer && s.site == call.site &&
           s.operands.size() == call.operands.size() && s.operands[i].width != list->width &&
           (is_list(s.operands[i]) || s.operands[i].kind == OperandKind::law_list);
  });
}

}  // namespace

std::optional<std::string> call_with_other_lists(const std::vector<Node>& nodes, const RankSet& around,
                                                 const Unified& unified) {
  for (const Node& node : nodes) {
    const RankSet& own = node.ranks.empty() ? around : node.ranks;
    if (node.kind == NodeKind::event && has_other_lists(node, own, around, unified)) {
      const Signature& call = unified.trace.signatures[node.signature];
      auto list = std::find_if(call.operands.begin(), call.operands.end(), is_list);
      return call.function + ": a list of " + std::to_string(list->width) +
             " elements in some runs and of another length in others has no law";
    }
    if (auto inside = call_with_other_lists(node.body, own, unified)) return inside;
  }
  return std::nullopt;
}

}  // namespace refrain::extrapolate
