// See slice.hpp. Values may be copies of a sibling's: then the sibling stays, too. Places in lists change,
// and with them what copies refer to.
#include "plan/slice.hpp"

#include <algorithm>

namespace refrain::plan {
namespace {

using trace::Node;
using trace::NodeKind;
using trace::Value;

/// Calls `use` with the value and all its alternatives.
template <class V, class Use>
void for_forms(V& value, Use use) {
  use(value);
  for (auto& alternative : value.alternatives) use(alternative.value);
}

/// The same for all values of a node.
template <class N, class Use>
void for_values(N& node, Use use) {
  for_forms(node.count, use);
  for (auto& value : node.parameters) for_forms(value, use);
}

class Slicer {
 public:
  explicit Slicer(const std::vector<bool>& matters) : matters_(matters) {}

  bool has_any(const std::vector<Node>& nodes) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](const Node& n) { return stays(n); });
  }

  /// `repeated`: the list may run many times, so it must contain a call.
  std::vector<Node> list(const std::vector<Node>& nodes, bool repeated) const {
    std::vector<bool> kept(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) kept[i] = stays(nodes[i]);
    if (repeated) keep_one_call(nodes, kept);
    keep_copied(nodes, kept);
    std::vector<uint32_t> moved(nodes.size(), UINT32_MAX);
    std::vector<Node> out;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (!kept[i]) continue;
      moved[i] = static_cast<uint32_t>(out.size());
      out.push_back(node(nodes[i]));
    }
    for (Node& n : out)
      for_values(n, [&](Value& v) {
        if (v.form == trace::Form::copy) v.sibling = v.sibling < moved.size() ? moved[v.sibling] : UINT32_MAX;
      });
    return out;
  }

 private:
  bool stays(const Node& n) const {
    if (n.kind == NodeKind::event) return n.signature < matters_.size() && matters_[n.signature];
    return has_any(n.body);
  }

  static void keep_one_call(const std::vector<Node>& nodes, std::vector<bool>& kept) {
    size_t first = nodes.size();
    for (size_t i = nodes.size(); i-- > 0;) {
      if (nodes[i].kind != NodeKind::event) continue;
      if (kept[i]) return;
      first = i;
    }
    if (first < nodes.size()) kept[first] = true;
  }

  static void keep_copied(const std::vector<Node>& nodes, std::vector<bool>& kept) {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < nodes.size(); ++i) {
        if (!kept[i]) continue;
        for_values(nodes[i], [&](const Value& v) {
          if (v.form != trace::Form::copy || v.sibling >= kept.size() || kept[v.sibling]) return;
          kept[v.sibling] = changed = true;
        });
      }
    }
  }

  Node node(const Node& n) const {
    if (n.kind == NodeKind::event) return n;
    Node out{.kind = n.kind, .ranks = n.ranks, .signature = n.signature, .count = n.count};
    if (n.kind != NodeKind::choice) {
      out.body = list(n.body, true);
      return out;
    }
    for (const Node& arm : n.body) {
      Node part = node(arm);
      bool is_enough = stays(arm) || (arm.kind == NodeKind::group && !part.body.empty());
      if (!is_enough) part = arm;
      out.body.push_back(std::move(part));
    }
    return out;
  }

  const std::vector<bool>& matters_;
};

}  // namespace

std::vector<Node> slice(const std::vector<Node>& nodes, const std::vector<bool>& matters) {
  return Slicer(matters).list(nodes, false);
}

}  // namespace refrain::plan
