// See max_block.hpp. A call that transfers S(P) bytes becomes a loop of ceil(S/M) calls that transfer min(M,
// what is left), M further each time:
//
//     pwrite(fd0, data, P*8192, i*P*65536)
//
//     loop j (P*8192 + 1048575)/1048576
//       pwrite(fd0, data, [min(1048576, P*8192 - k*1048576) for k < …][j], i*P*65536 + j*1048576)
#include "extrapolate/max_block.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "api/layers.hpp"
#include "extrapolate/lists.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Number;
using trace::Role;
using trace::Signature;
using trace::Value;

struct CantCut {
  std::string text;
};

bool depends_on_size(const Number& n) {
  return n.expression() && n.expression()->depends_on(trace::Variable::nprocs);
}

bool depends_on_size(const Value& v) {
  auto any = [](const std::vector<Number>& numbers) {
    return std::any_of(numbers.begin(), numbers.end(), [](const Number& n) { return depends_on_size(n); });
  };
  return v.law || depends_on_size(v.base) || depends_on_size(v.step) || any(v.slopes) || any(v.entries) ||
         std::any_of(v.alternatives.begin(), v.alternatives.end(),
                     [](const trace::Alternative& a) { return depends_on_size(a.value); });
}

bool moves_bytes(Role role) { return role == Role::bytes_read || role == Role::bytes_written; }

class Cutter {
 public:
  Cutter(const trace::Trace& trace, int64_t max_block) : trace_(trace), pieces_{.block = max_block} {}

  void list(std::vector<Node>& nodes, size_t loops) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      Node& node = nodes[i];
      if (node.kind != NodeKind::event)
        list(node.body, loops + (node.kind == NodeKind::loop ? 1 : 0));
      else if (std::optional<size_t> size = size_to_cut(node))
        cut(nodes, i, *size, loops);
    }
  }

 private:
  /// Which parameter says how many bytes a call is to transfer, if that depends on the number of ranks.
  std::optional<size_t> size_to_cut(const Node& node) const {
    const Signature& s = trace_.signatures[node.signature];
    if (!api::layer_named(s.layer).is_system || !moves_bytes(s.result.role)) return std::nullopt;
    std::optional<size_t> found;
    size_t at = 0;
    for (const trace::Operand& operand : s.operands) {
      if (operand.role == Role::size && operand.kind == trace::OperandKind::integer) found = at;
      at += operand.parameters();
    }
    bool grows = found ? depends_on_size(node.parameters[*found])
                       : std::any_of(node.parameters.begin(), node.parameters.end(),
                                     [](const Value& v) { return depends_on_size(v); });
    if (!grows) return std::nullopt;
    if (!found) throw CantCut{s.function + ": several buffers at once can't be cut"};
    return found;
  }

  void cut(std::vector<Node>& nodes, size_t i, size_t size, size_t loops) {
    Node& node = nodes[i];
    const Signature& s = trace_.signatures[node.signature];
    if (node.parameters[size].law) return;  // pieces already, as the runs showed them
    auto fixed = [](const Value& v) { return v.form == Form::affine && v.slopes.empty(); };
    if (!fixed(node.parameters[size]))
      throw CantCut{s.function + ": sizes that change within a loop can't be cut"};
    for (const Node& other : nodes)
      for (const Value& v : other.parameters)
        if (v.form == Form::copy && v.sibling == i)
          throw CantCut{s.function + ": another call depends on how often it is made"};
    const RankExpression total = *node.parameters[size].base.expression();
    size_t at = 0;
    auto operand = [&](const trace::Operand& o) {
      for (size_t end = at + o.parameters(); at < end; ++at)
        piece(node.parameters[at], o.role, total, loops, s);
    };
    for (const trace::Operand& o : s.operands) operand(o);
    operand(s.result);
    Node loop{.kind = NodeKind::loop, .ranks = std::move(node.ranks)};
    loop.count.base = Number(pieces_.length(total));
    node.ranks = {};
    loop.body.push_back(std::move(node));
    nodes[i] = std::move(loop);
  }

  /// An argument of a call that was made once and is made for each piece.
  void piece(Value& v, Role role, const RankExpression& total, size_t loops, const Signature& s) const {
    bool counts = role == Role::size || moves_bytes(role);
    bool is_total =
        v.form == Form::affine && v.slopes.empty() && v.base.expression() && *v.base.expression() == total;
    if (counts && is_total) {
      auto law = std::make_shared<const trace::ListLaw>(
          trace::ListLaw{pieces_.element(total), pieces_.length(total)});
      v = Value{.form = Form::separable, .depth = static_cast<uint32_t>(loops), .law = std::move(law)};
    } else if (role == Role::offset && v.form == Form::affine) {
      v.slopes.resize(loops, 0);
      v.slopes.emplace_back(pieces_.block);
    } else if (counts || (v.form != Form::affine && v.form != Form::running && v.form != Form::separable)) {
      throw CantCut{s.function + ": arguments of this form can't be cut"};
    }
  }

  const trace::Trace& trace_;
  Pieces pieces_;
};

}  // namespace

Result<void> cut_blocks(trace::Trace& free, int64_t max_block) {
  try {
    for (trace::Process& p : free.processes)
      for (trace::Stream& s : p.streams)
        if (api::layer_named(s.layer).is_system) Cutter(free, max_block).list(s.nodes, 0);
  } catch (const CantCut& bad) {
    return fail(ErrorKind::limit, "--max-block: layer posix, " + bad.text);
  }
  return {};
}

std::vector<bool> transfer_sizes(const trace::Signature& signature) {
  std::vector<bool> out(signature.parameters(), false);
  size_t at = 0;
  for (const trace::Operand& operand : signature.operands) {
    bool size = api::layer_named(signature.layer).is_system && operand.role == trace::Role::size &&
                operand.kind == trace::OperandKind::integer;
    if (size) out[at] = true;
    at += operand.parameters();  // none, if it is a name
  }
  return out;
}

}  // namespace refrain::extrapolate
