// Tries, in this order, for every stream of a list of nodes:
//
//   affine      over the indices of the loops around it (constants included)
//   counter     base + step · t, where trip counts vary but the value just goes on
//   power       affine plus a multiple of a power: 16, 32, 64, …
//   running     the previous value plus a multiple of another parameter: offset += length
//   copy        of a parameter of a neighbor that runs equally often: seek(x) write(x, …)
//   separable   affine plus a table over one index
//   column      the list itself
//
// Relations between parameters are only looked for where there is no closed form. Copies always refer to a
// parameter that isn't a copy itself. A reference into the trace's tables (names 3, 1, 4) is related to
// nothing but an equal one: it gets another number when the tables of several processes are united.
#include "fold/explain.hpp"

#include <memory>
#include <optional>

#include "fold/normalize.hpp"
#include "trace/references.hpp"

namespace refrain::fold {
namespace {

using trace::Column;
using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::OperandKind;
using trace::Value;
using trace::wrap_mul;
using trace::wrap_sub;

/// A table over an index isn't worth looking for where the list itself takes no more bytes than this.
constexpr size_t short_list = 24;

size_t encoded_size(const Value& value) {
  ByteWriter w;
  value.write(w);
  return w.size();
}

Value constant_in(const Nest& nest, int64_t base) {
  Value v = Value::constant(base);
  trim_slopes(nest, v.slopes);
  return v;
}

/// b[t] == a[t] + offset for all t?
bool shifted_copy(const Column& a, const Column& b, int64_t& offset, Effort& effort) {
  if (a.size() != b.size()) return false;
  Column::Cursor x(a), y(b);
  offset = 0;
  for (bool first = true; !x.done(); first = false) {
    int64_t d = wrap_sub(y.next(), x.next());
    if (first) offset = d;
    if (d != offset || !effort.spend(1)) return false;
  }
  return true;
}

/// v[t+1] == v[t] + step · u[t] for all t?
bool running_sum(const Column& v, const Column& u, int64_t& step, Effort& effort) {
  if (v.size() != u.size() || v.size() < 3) return false;
  Column::Cursor x(v), y(u);
  step = 0;
  for (int64_t before = x.next(); !x.done();) {
    int64_t now = x.next(), rise = wrap_sub(now, before), by = y.next();
    before = now;
    if (!effort.spend(1)) return false;
    if (step == 0 && by != 0) {
      if (rise == 0 || by == -1 || rise % by != 0) return false;
      step = rise / by;
    } else if (rise != wrap_mul(step, by)) {
      return false;
    }
  }
  return step != 0;
}

class Explainer {
 public:
  Explainer(Signatures signatures, Nest& nest, Effort& effort)
      : signatures_(signatures), nest_(nest), effort_(effort) {}

  std::vector<Node> list(const Sequence& nodes, bool in_choice) {
    std::vector<Node> out;
    std::vector<Open> open;
    out.reserve(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      const LiveNode& x = *nodes[i];
      Node node;
      if (x.loop) {
        node.kind = NodeKind::loop;
        Column counts = x.counts.column();
        node.count = value(x.counts);
        nest_.push(std::move(counts));
        node.body = list(x.body, false);
        nest_.pop();
      } else {
        node.signature = x.signature;
        node.timing = x.timing;
        for (uint32_t p = 0; p < x.parameters.size(); ++p) {
          OperandKind reference = reference_kind(x.signature, p);
          if (auto v = closed_form(x.parameters[p], reference != OperandKind::none))
            node.parameters.push_back(std::move(*v));
          else
            node.parameters.emplace_back(),
                open.push_back({i, p, reference, x.parameters[p].column(), false});
        }
      }
      out.push_back(std::move(node));
    }
    relate(nodes, out, open, in_choice);
    return out;
  }

 private:
  /// A parameter that has no closed form.
  struct Open {
    size_t node;
    uint32_t parameter;
    OperandKind reference;  ///< none: it is a number
    Column column;
    bool settled;
  };

  OperandKind reference_kind(uint32_t signature, uint32_t parameter) const {
    if (signature >= signatures_.size()) return OperandKind::none;
    return trace::reference_kind(signatures_[signature], parameter);
  }

  std::optional<Value> closed_form(const Stream& stream, bool refers = false) {
    int64_t base = 0;
    if (stream.size() == 0 || stream.constant(base)) return constant_in(nest_, base);
    Column column = stream.column();
    if (auto v = fit_affine(nest_, column, effort_)) {
      trim_slopes(nest_, v->slopes);
      return v;
    }
    if (refers) return std::nullopt;
    if (column.items().size() != 1 || column.items()[0].body != 0) return fit_power(nest_, column, effort_);
    Value v;
    v.form = Form::counter;
    v.base = column.items()[0].first;
    v.step = column.items()[0].stride;
    return v;
  }

  Value value(const Stream& stream) {
    if (auto v = closed_form(stream)) return *v;
    return tabulated(stream.column());
  }

  Value tabulated(Column column) {
    Value best;
    best.form = Form::column;
    best.column = std::make_shared<Column>(std::move(column));
    size_t size = encoded_size(best);
    if (size <= short_list) return best;
    const Column& values = *best.column;
    std::shared_ptr<const Column> keep = best.column;
    for (size_t d = nest_.depth(); d-- > 0;) {
      auto v = fit_separable(nest_, values, d, effort_);
      if (!v || encoded_size(*v) >= size) continue;
      size = encoded_size(*v);
      best = std::move(*v);
    }
    return best;
  }

  void relate(const Sequence& nodes, std::vector<Node>& out, std::vector<Open>& open, bool in_choice) {
    std::vector<const Open*> originals;
    for (Open& o : open) {
      o.settled = as_power(o, out[o.node].parameters) ||
                  as_running(*nodes[o.node], o, out[o.node].parameters[o.parameter]);
      if (o.settled) originals.push_back(&o);
    }
    for (Open& o : open) {
      if (o.settled) continue;
      Value& v = out[o.node].parameters[o.parameter];
      if (!in_choice && as_copy(o, originals, v)) continue;
      v = tabulated(o.column);
      originals.push_back(&o);
    }
  }

  /// A power of the same ratio as another parameter: sizes 16, 32, 64 at 0, 16, 48.
  bool as_power(const Open& o, std::vector<Value>& parameters) {
    if (o.reference != OperandKind::none) return false;
    for (const Value& other : parameters) {
      if (other.form != Form::power) continue;
      auto v = fit_power(nest_, o.column, effort_, other.ratio);
      if (v) parameters[o.parameter] = std::move(*v);
      return v.has_value();
    }
    return false;
  }

  bool as_running(const LiveNode& event, const Open& o, Value& out) {
    if (o.reference != OperandKind::none) return false;
    for (uint32_t q = 0; q < event.parameters.size(); ++q) {
      int64_t step = 0;
      if (q == o.parameter || event.parameters[q].size() != o.column.size()) continue;
      if (reference_kind(event.signature, q) != OperandKind::none) continue;
      if (!running_sum(o.column, event.parameters[q].column(), step, effort_)) continue;
      out.form = Form::running;
      out.base = o.column.at(0);
      out.step = step;
      out.parameter = q;
      return true;
    }
    return false;
  }

  bool as_copy(const Open& o, const std::vector<const Open*>& originals, Value& out) {
    for (const Open* original : originals) {
      int64_t offset = 0;
      if (original->reference != o.reference) continue;
      if (!shifted_copy(original->column, o.column, offset, effort_)) continue;
      if (o.reference != OperandKind::none && offset != 0) continue;
      out.form = Form::copy;
      out.base = offset;
      out.sibling = static_cast<uint32_t>(original->node);
      out.parameter = original->parameter;
      return true;
    }
    return false;
  }

  Signatures signatures_;
  Nest& nest_;
  Effort& effort_;
};

}  // namespace

std::vector<Node> explain(const Sequence& nodes, Signatures signatures, Nest& nest, bool in_choice,
                          Effort& effort) {
  return Explainer(signatures, nest, effort).list(nodes, in_choice);
}

std::vector<Node> explain(Sequence nodes, Signatures signatures, Effort& effort) {
  Nest nest;
  normalize(nodes, nest, effort);
  return explain(nodes, signatures, nest, false, effort);
}

}  // namespace refrain::fold
