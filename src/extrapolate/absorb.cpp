// See absorb.hpp.
#include "extrapolate/absorb.hpp"

#include <algorithm>
#include <optional>

#include "trace/references.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Number;
using trace::RankSet;
using trace::Value;

constexpr int64_t longest_absorbed = 4096;

class Absorber {
 public:
  Absorber(const trace::Trace& run, size_t loops, Lists& lists) : run_(run), loops_(loops), lists_(lists) {}

  bool absorb(Node& loop, const Node& rest, const RankSet& ranks) {
    if (!same_call(loop, rest)) return false;
    const std::vector<uint32_t> members = ranks.expand();
    std::vector<int64_t> turns;
    for (size_t k = 0; k < members.size(); ++k) {
      turns.push_back(loop.count.base.at(members[k], k));
      if (turns.back() < 1 || turns.back() > longest_absorbed) return false;
    }
    Node& call = loop.body[0];
    std::vector<bool> refers(call.parameters.size(), false);
    for (trace::OperandKind kind : {trace::OperandKind::text, trace::OperandKind::long_list})
      trace::for_references(run_.signatures[call.signature], kind, [&](size_t p) { refers[p] = true; });
    std::vector<Value> joined;
    for (size_t p = 0; p < call.parameters.size(); ++p) {
      auto value = with_rest(call.parameters[p], rest.parameters[p], members, turns, refers[p]);
      if (!value) return false;
      joined.push_back(std::move(*value));
    }
    call.parameters = std::move(joined);
    call.timing.merge(rest.timing);
    loop.count.base.shift(1);
    return true;
  }

 private:
  bool same_call(const Node& loop, const Node& rest) const {
    bool single = loop.kind == NodeKind::loop && loop.body.size() == 1 &&
                  loop.body[0].kind == NodeKind::event && loop.body[0].ranks.empty() &&
                  rest.kind == NodeKind::event && loop.ranks == rest.ranks;
    if (!single || loop.body[0].signature != rest.signature) return false;
    bool fixed = loop.count.form == Form::affine &&
                 std::all_of(loop.count.slopes.begin(), loop.count.slopes.end(),
                             [](const Number& n) { return n == 0 || n == Unified::unknown_slope; });
    return fixed && run_.signatures[rest.signature].site != 0;
  }

  static Number slope_of(const Value& v, size_t d) { return d < v.slopes.size() ? v.slopes[d] : Number(0); }

  /// The value of the loop, then the other one; nothing if there is no form for that.
  std::optional<Value> with_rest(const Value& v, const Value& rest, const std::vector<uint32_t>& members,
                                 const std::vector<int64_t>& turns, bool refers) {
    if (v.form != Form::affine || rest.form != Form::affine) return std::nullopt;
    for (size_t d = 0; d < loops_; ++d)
      if (!(slope_of(v, d) == slope_of(rest, d))) return std::nullopt;
    std::vector<int64_t> numbers;
    bool goes_on = true;
    const Number slopes = slope_of(v, loops_);
    for (size_t k = 0; k < members.size(); ++k) {
      int64_t first = v.base.at(members[k], k), slope = slopes.at(members[k], k);
      if (slope == Unified::unknown_slope) slope = 0;
      std::vector<int64_t> list;
      for (int64_t i = 0; i <= turns[k]; ++i)
        list.push_back(trace::wrap_add(first, trace::wrap_mul(slope, i)));
      goes_on &= list.back() == rest.base.at(members[k], k);
      list.back() = rest.base.at(members[k], k);
      numbers.push_back(lists_.number_of(std::move(list)));
    }
    if (goes_on) return v;
    if (refers) return std::nullopt;
    Value out{.form = Form::separable, .depth = static_cast<uint32_t>(loops_)};
    out.slopes.assign(v.slopes.begin(),
                      v.slopes.begin() + static_cast<std::ptrdiff_t>(std::min(loops_, v.slopes.size())));
    out.entries.emplace_back(0);
    out.entries.emplace_back(trace::Column::of(numbers));
    return out;
  }

  const trace::Trace& run_;
  size_t loops_;
  Lists& lists_;
};

bool has_copies(const std::vector<Node>& nodes) {
  auto copies = [](const Value& v) {
    return v.form == Form::copy ||
           std::any_of(v.alternatives.begin(), v.alternatives.end(),
                       [](const trace::Alternative& a) { return a.value.form == Form::copy; });
  };
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    return copies(node.count) || std::any_of(node.parameters.begin(), node.parameters.end(), copies);
  });
}

}  // namespace

void absorb_rests(std::vector<Node>& nodes, const RankSet& around, const trace::Trace& run, size_t loops,
                  Lists& lists) {
  if (has_copies(nodes)) return;  // they count nodes
  Absorber absorber(run, loops, lists);
  for (size_t i = 0; i + 1 < nodes.size(); ++i) {
    const RankSet& own = nodes[i].ranks.empty() ? around : nodes[i].ranks;
    if (absorber.absorb(nodes[i], nodes[i + 1], own))
      nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

}  // namespace refrain::extrapolate
