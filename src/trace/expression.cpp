// Values as text; see expression.hpp. Numbers are taken apart into sign and magnitude here, because the
// smallest 64-bit integer has no positive counterpart.
#include "trace/expression.hpp"

namespace refrain::trace {
namespace {

uint64_t magnitude(int64_t v) {
  return v < 0 ? uint64_t{0} - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
}

/// A sum under construction: puts signs and blanks between its terms.
class Sum {
 public:
  explicit Sum(TextOut& out) : out_(out) {}

  void term(int64_t factor, std::string_view variable) {
    sign(factor);
    if (magnitude(factor) != 1) out_ << magnitude(factor) << "*";
    out_ << variable;
  }
  /// The constant; nothing if it is zero and something stands before it.
  void constant(int64_t v) {
    if (v == 0 && !empty_) return;
    sign(v);
    out_ << magnitude(v);
  }
  bool empty() const { return empty_; }

 private:
  void sign(int64_t v) {
    if (!empty_)
      out_ << (v < 0 ? " - " : " + ");
    else if (v < 0)
      out_ << "-";
    empty_ = false;
  }
  TextOut& out_;
  bool empty_ = true;
};

void put_slopes(Sum& sum, const Value& v) {
  for (size_t d = 0; d < v.slopes.size(); ++d)
    if (v.slopes[d] != 0 && v.slopes[d] != Value::any_slope) sum.term(v.slopes[d], loop_variable(d));
}

void put_column_of(TextOut& out, const Value& v) { put_column(out, v.column ? *v.column : Column()); }

void put_separable(TextOut& out, const Value& v) {
  Sum sum(out);
  put_slopes(sum, v);
  if (v.base != 0 || !sum.empty()) {
    sum.constant(v.base);
    out << " + ";
  }
  put_column_of(out, v);
  out << "[" << loop_variable(v.depth) << "]";
}

void put_running(TextOut& out, const Value& v, const Scope& scope) {
  out << v.base << " then previous";
  std::string name = parameter_name(scope.signatures[scope.node.signature], v.parameter);
  if (v.step == 0) return;
  out << (v.step < 0 ? " - " : " + ");
  if (magnitude(v.step) != 1) out << magnitude(v.step) << "*";
  out << name;
}

void put_copy(TextOut& out, const Value& v, const Scope& scope) {
  const Node& other = scope.siblings[v.sibling];
  Sum sum(out);
  sum.term(1, "call" + std::to_string(v.sibling) + "." +
                  parameter_name(scope.signatures[other.signature], v.parameter));
  sum.constant(v.base);
}

void put_step(TextOut& out, int64_t stride, int64_t usual) {
  if (stride != usual) out << " step " << stride;
}

void put_run(TextOut& out, int64_t first, const Item& run) {
  if (run.stride == 0 && run.count > 2) {
    out << run.count << " x " << first;
    return;
  }
  int64_t last = wrap_add(first, wrap_mul(run.stride, static_cast<int64_t>(run.count - 1)));
  out << first;
  if (run.count == 1) return;
  out << (run.count == 2 ? ", " : "..") << last;
  if (run.count > 2) put_step(out, run.stride, 1);
}

void put_items(TextOut& out, const Column& column, const Column::Items& items, int64_t shift) {
  bool first = true;
  for (const Item& item : items) {
    if (item.count == 0) continue;
    if (!first) out << ", ";
    first = false;
    int64_t start = wrap_add(shift, item.first);
    if (item.body == 0) {
      put_run(out, start, item);
      continue;
    }
    out << item.count << " x (";
    put_items(out, column, column.bodies()[item.body - 1], start);
    out << ")";
    put_step(out, item.stride, 0);
  }
}

/// Runs of at least three values; what is shorter stays single.
Column::Items runs_of(const std::vector<int64_t>& values) {
  Column::Items runs;
  for (size_t i = 0; i < values.size();) {
    int64_t stride = i + 1 < values.size() ? wrap_sub(values[i + 1], values[i]) : 0;
    size_t end = i + 1;
    while (end < values.size() && wrap_sub(values[end], values[end - 1]) == stride) ++end;
    if (end - i < 3) end = i + 1;
    runs.push_back({values[i], stride, end - i, 0});
    i = end;
  }
  return runs;
}

}  // namespace

std::string loop_variable(size_t depth) {
  constexpr std::string_view letters = "ijklmn";
  if (depth < letters.size()) return std::string(1, letters[depth]);
  return "i" + std::to_string(depth);
}

std::string parameter_name(const Signature& signature, size_t parameter) {
  for (size_t k = 0; k < signature.operands.size(); ++k) {
    const Operand& operand = signature.operands[k];
    if (parameter >= operand.parameters()) {
      parameter -= operand.parameters();
      continue;
    }
    std::string name = "arg" + std::to_string(k + 1);
    if (operand.kind == OperandKind::list) name += "[" + std::to_string(parameter) + "]";
    if (operand.kind == OperandKind::text && parameter > 0) name += "{" + std::to_string(parameter - 1) + "}";
    return name;
  }
  return "result";
}

void put_value(TextOut& out, const Value& v, const Scope& scope) {
  Sum sum(out);
  switch (v.form) {
    case Form::affine:
      put_slopes(sum, v);
      return sum.constant(v.base);
    case Form::counter:
      if (v.step != 0) sum.term(v.step, "t");
      return sum.constant(v.base);
    case Form::running:
      return put_running(out, v, scope);
    case Form::copy:
      return put_copy(out, v, scope);
    case Form::separable:
      return put_separable(out, v);
    case Form::column:
      put_column_of(out, v);
      out << "[t]";
      return;
  }
}

void put_column(TextOut& out, const Column& column) {
  out << "[";
  if (column.size() <= normalised_column)
    put_items(out, column, runs_of(column.expand()), 0);
  else
    put_items(out, column, column.items(), 0);
  out << "]";
}

}  // namespace refrain::trace
