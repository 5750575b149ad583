// The encoding of trees. A list of nodes is its length and the nodes one after the other. A node is
//
//     head        bits 0-1 kind, bit 2 "a rank set follows", bit 3 "plain"
//     [rank set]
//     event       signature, then its parameters: plain → one signed varint each, else a Value each
//     loop        count (plain → a varint, else a Value), then its body
//     choice      selector (a Value), then its arms
//     group       its body
//
// so `read(fd0, data, 4096) -> 4096` costs five bytes where all its numbers are small: a head, the
// signature, and a varint per number. The number of parameters is the signature's and isn't written.
//
// In place of a Value may stand a mark and the difference to the parameter before it (value_difference.hpp).
//
// Reading checks every rule that can be checked without running the tree; recursion is bounded by
// Limits::depth, memory by the number of bytes, since no node takes fewer than two.
#include "format/node_code.hpp"

#include <algorithm>

#include "trace/value_difference.hpp"

namespace refrain::format {

using namespace trace;

namespace {

constexpr uint8_t kind_bits = 3;
constexpr uint8_t with_ranks = 4;
constexpr uint8_t plain = 8;
constexpr uint8_t difference_mark = 0x27;  ///< no value begins with it

bool is_plain(const Value& v) { return v.form == Form::affine && v.slopes.empty() && v.base.is_constant(); }

bool is_plain(const Node& node) {
  switch (node.kind) {
    case NodeKind::event:
      return std::all_of(node.parameters.begin(), node.parameters.end(),
                         [](const Value& v) { return is_plain(v); });
    case NodeKind::loop:
      return is_plain(node.count) && node.count.constant_value() >= 0;
    case NodeKind::choice:
    case NodeKind::group:
      return false;
  }
  return false;
}

void write_parameter(ByteWriter& out, const Value& v, const Value* before, Closeness* close) {
  auto part = close && before ? written_difference(v, *before) : std::nullopt;
  if (!part) return v.write(out, close);
  out.u8(difference_mark);
  out.raw(part->bytes());
  close->used = true;
}

void write_event(ByteWriter& out, const Node& node, bool as_plain, Closeness* close) {
  out.varint(node.signature);
  const Value* before = nullptr;
  for (const Value& v : node.parameters) {
    as_plain ? out.svarint(v.constant_value()) : write_parameter(out, v, before, close);
    before = &v;
  }
}

void write_node(ByteWriter& out, const Node& node, Closeness* close) {
  bool as_plain = is_plain(node);
  out.u8(static_cast<uint8_t>(static_cast<unsigned>(node.kind) | (node.ranks.empty() ? 0u : with_ranks) |
                              (as_plain ? plain : 0u)));
  if (!node.ranks.empty()) node.ranks.write(out);
  if (node.kind == NodeKind::event) return write_event(out, node, as_plain, close);
  if (as_plain)
    out.varint(static_cast<uint64_t>(node.count.constant_value()));
  else if (node.kind != NodeKind::group)
    node.count.write(out, close);
  write_nodes(out, node.body, close);
}

/// What encloses a list of nodes.
struct Surroundings {
  size_t depth = 0;  ///< of the tree
  size_t loops = 0;  ///< around the list: as many indices exist
  bool arms = false;
};

class TreeReader {
 public:
  TreeReader(ByteReader& in, std::span<const uint32_t> parameters_of)
      : in_(in), parameters_of_(parameters_of) {}

  std::vector<Node> list(Surroundings scope) {
    std::vector<Node> nodes;
    if (scope.depth > Limits::depth) in_.fail("loops nested too deeply");
    size_t n = in_.count(2, "more nodes than bytes");
    if (scope.depth > 0 && n == 0) in_.fail("empty body");
    for (size_t i = 0; i < n && in_.ok(); ++i) nodes.push_back(node(scope));
    for (const Node& x : nodes) check_copies(x, nodes, scope);
    return nodes;
  }

 private:
  Node node(Surroundings scope) {
    Node x;
    uint8_t head = in_.u8();
    if (head > (kind_bits | with_ranks | plain)) in_.fail("unknown kind of node");
    x.kind = static_cast<NodeKind>(head & kind_bits);
    if (x.kind == NodeKind::group && !scope.arms) in_.fail("group outside a choice");
    if (head & with_ranks) x.ranks = ranks();
    if (!in_.ok()) return x;
    if (x.kind == NodeKind::event)
      event(x, scope, head & plain);
    else
      block(x, scope, head & plain);
    return x;
  }

  RankSet ranks() {
    RankSet set = RankSet::read(in_);
    if (in_.ok() && set.empty()) in_.fail("empty rank set");
    return set;
  }

  void event(Node& x, Surroundings scope, bool as_plain) {
    uint64_t signature = in_.varint();
    if (signature >= parameters_of_.size()) in_.fail("unknown signature");
    if (!in_.ok()) return;
    x.signature = static_cast<uint32_t>(signature);
    uint32_t n = parameters_of_[signature];
    if (n > in_.left()) in_.fail("unexpected end");
    if (!in_.ok()) return;
    x.parameters.reserve(n);
    for (uint32_t i = 0; i < n && in_.ok(); ++i) {
      x.parameters.push_back(as_plain ? Value::constant(in_.svarint()) : parameter(x.parameters));
      check(x.parameters.back(), scope, n);
    }
  }

  Value parameter(const std::vector<Value>& before) {
    ByteReader ahead = in_;
    if (before.empty() || ahead.u8() != difference_mark) return Value::read(in_);
    in_.u8();
    return read_difference(in_, before.back());
  }

  void block(Node& x, Surroundings scope, bool as_plain) {
    if (as_plain && x.kind != NodeKind::loop) in_.fail("unknown kind of node");
    if (as_plain) {
      x.count = Value::constant(static_cast<int64_t>(in_.bounded(Limits::trips, "too many iterations")));
    } else if (x.kind != NodeKind::group) {
      x.count = Value::read(in_);
      check(x.count, scope, 0);
      check_count(x.count);
    }
    bool loop = x.kind == NodeKind::loop;
    x.body = list({scope.depth + 1, scope.loops + (loop ? 1 : 0), x.kind == NodeKind::choice});
    if (in_.ok() && x.kind == NodeKind::choice && x.count.is_constant() &&
        static_cast<uint64_t>(x.count.constant_value()) >= x.body.size())
      in_.fail("choice without the arm it selects");
  }

  /// What can be said of a value without its siblings.
  void check(const Value& v, Surroundings scope, uint32_t parameters) {
    for (const Alternative& a : v.alternatives) check(a.value, scope, parameters);
    if (v.slopes.size() > scope.loops) in_.fail("more slopes than loops");
    if ((v.form == Form::separable || v.form == Form::power) && v.depth >= scope.loops)
      in_.fail("value depends on a loop that isn't there");
    if (v.form == Form::running && v.parameter >= parameters)
      in_.fail("running value of an unknown parameter");
    if (v.form == Form::copy && scope.arms) in_.fail("copy between the arms of a choice");
  }

  void check_count(const Value& v) {
    if (!v.is_constant()) return;
    int64_t n = v.constant_value();
    if (n < 0 || static_cast<uint64_t>(n) > Limits::trips) in_.fail("too many iterations");
  }

  /// Copies refer to an event of the same list, and never to another copy, so they always resolve.
  void check_copies(const Node& x, const std::vector<Node>& siblings, Surroundings scope) {
    if (!in_.ok() || scope.arms) return;
    check_copy(x.count, siblings);
    for (const Value& v : x.parameters) check_copy(v, siblings);
  }

  void check_copy(const Value& v, const std::vector<Node>& siblings) {
    for (const Alternative& a : v.alternatives) check_copy(a.value, siblings);
    if (v.form != Form::copy) return;
    bool found = v.sibling < siblings.size() && siblings[v.sibling].kind == NodeKind::event &&
                 v.parameter < siblings[v.sibling].parameters.size() &&
                 siblings[v.sibling].parameters[v.parameter].form != Form::copy;
    if (!found) in_.fail("copy of an unknown value");
  }

  ByteReader& in_;
  std::span<const uint32_t> parameters_of_;
};

}  // namespace

void write_nodes(ByteWriter& out, const std::vector<Node>& nodes, Closeness* close) {
  out.varint(nodes.size());
  for (const Node& node : nodes) write_node(out, node, close);
}

std::vector<Node> read_nodes(ByteReader& in, std::span<const uint32_t> parameters_of) {
  std::vector<Node> nodes = TreeReader(in, parameters_of).list({});
  if (!in.ok()) nodes.clear();
  return nodes;
}

}  // namespace refrain::format
