// Values as text; see expression.hpp. Numbers are taken apart into sign and magnitude here, because the
// smallest 64-bit integer has no positive counterpart.
#include "trace/expression.hpp"

namespace refrain::trace {
namespace {

uint64_t magnitude(int64_t v) {
  return v < 0 ? uint64_t{0} - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
}

bool is_zero(const Number& n) {
  return n.is_constant() && (n.constant() == 0 || n.constant() == Value::any_slope);
}

/// Whether an expression may stand as a factor, or as a term, without parentheses.
bool binds_as_factor(std::string_view text) {
  return text.find_first_of(" +-/%<>=?^&|") == std::string_view::npos;
}
bool binds_as_term(std::string_view text) {
  return text.front() != '-' && text.find_first_of("<>=?^&|") == std::string_view::npos;
}

std::string table_text(const Column& table, const RankSet& ranks) {
  std::string text;
  const Sink sink = [&](std::string_view piece) { text += piece; };
  TextOut out(sink);
  put_column(out, table);
  out.flush();
  bool from_zero =
      ranks.size() == table.size() && ranks == RankSet::range(0, static_cast<uint32_t>(table.size()));
  return text + (from_zero ? "[rank]" : "[place]");
}

std::string varying_text(const Number& n, const RankSet& ranks) {
  if (n.table()) return table_text(*n.table(), ranks);
  return n.expression()->text(ExpressionStyle{.spaced = true});
}

/// A sum under construction: puts signs and blanks between its terms.
class Sum {
 public:
  Sum(TextOut& out, const RankSet& ranks) : out_(out), ranks_(ranks) {}

  void term(const Number& factor, std::string_view variable) {
    if (factor.is_constant()) return term(factor.constant(), variable);
    std::string text = varying_text(factor, ranks_);
    bool bare = factor.table() || binds_as_factor(text);
    sign(1);
    out_ << variable << "*" << (bare ? text : "(" + text + ")");
  }
  void term(int64_t factor, std::string_view variable) {
    sign(factor);
    if (magnitude(factor) != 1) out_ << magnitude(factor) << "*";
    out_ << variable;
  }
  /// factor · ratio^variable. A shift binds less tightly than what may stand beside it.
  void power(const Number& factor, int64_t ratio, const std::string& variable, bool alone) {
    if (ratio != 2) return term(factor, std::to_string(ratio) + "**" + variable);
    int64_t sign_of = factor.is_constant() ? factor.constant() : 1;
    std::string text =
        factor.is_constant() ? std::to_string(magnitude(sign_of)) : varying_text(factor, ranks_);
    if (!factor.is_constant() && !factor.table() && !binds_as_factor(text)) text = "(" + text + ")";
    bool bare = alone && sign_of > 0;
    sign(sign_of);
    out_ << (bare ? "" : "(") << text << "<<" << variable << (bare ? "" : ")");
  }
  /// The constant; nothing if it is zero and something stands before it.
  void constant(const Number& v) {
    if (!v.is_constant()) {
      std::string text = varying_text(v, ranks_);
      bool bare = empty_ || v.table() || binds_as_term(text);
      sign(1);
      out_ << (bare ? text : "(" + text + ")");
      return;
    }
    if (v.constant() == 0 && !empty_) return;
    sign(v.constant());
    out_ << magnitude(v.constant());
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
  const RankSet& ranks_;
  bool empty_ = true;
};

void put_slopes(Sum& sum, const Value& v) {
  for (size_t d = 0; d < v.slopes.size(); ++d)
    if (!is_zero(v.slopes[d])) sum.term(v.slopes[d], loop_variable(d));
}

/// The list of a value, whether its elements depend on the rank or not.
void put_list(TextOut& out, const Value& v, const RankSet& ranks) {
  if (v.law) {
    ExpressionStyle style{.spaced = true};
    out << "[" << v.law->element.text(style) << " for k < " << v.law->length.text(style) << "]";
    return;
  }
  if (v.entries.empty()) return put_column(out, v.column ? *v.column : Column());
  out << "[";
  for (size_t i = 0; i < v.entries.size(); ++i) {
    if (i > 0) out << ", ";
    put_number(out, v.entries[i], ranks);
  }
  out << "]";
}

/// base + Σ slopes·index + list[index]
void put_listed(TextOut& out, const Value& v, const RankSet& ranks, const std::string& index) {
  Sum sum(out, ranks);
  if (v.form == Form::separable) put_slopes(sum, v);
  if (!is_zero(v.base) || !sum.empty()) {
    sum.constant(v.base);
    out << " + ";
  }
  put_list(out, v, ranks);
  out << "[" << index << "]";
}

void put_running(TextOut& out, const Value& v, const Scope& scope, const RankSet& ranks) {
  put_number(out, v.base, ranks);
  out << " then previous";
  if (is_zero(v.step)) return;
  std::string name = parameter_name(scope.signatures[scope.node.signature], v.parameter);
  if (!v.step.is_constant()) {
    out << " + " << name << "*(";
    put_number(out, v.step, ranks);
    out << ")";
    return;
  }
  int64_t step = v.step.constant();
  out << (step < 0 ? " - " : " + ");
  if (magnitude(step) != 1) out << magnitude(step) << "*";
  out << name;
}

void put_copy(TextOut& out, const Value& v, const Scope& scope, const RankSet& ranks) {
  Sum sum(out, ranks);
  bool found = v.sibling < scope.siblings.size() && scope.siblings[v.sibling].kind == NodeKind::event;
  sum.term(1, !found
                  ? "call?"
                  : "call" + std::to_string(v.sibling) + "." +
                        parameter_name(scope.signatures[scope.siblings[v.sibling].signature], v.parameter));
  sum.constant(v.base);
}

void put_form(TextOut& out, const Value& v, const Scope& scope, const RankSet& ranks) {
  Sum sum(out, ranks);
  switch (v.form) {
    case Form::affine:
      put_slopes(sum, v);
      return sum.constant(v.base);
    case Form::counter:
      if (!is_zero(v.step)) sum.term(v.step, "t");
      return sum.constant(v.base);
    case Form::running:
      return put_running(out, v, scope, ranks);
    case Form::copy:
      return put_copy(out, v, scope, ranks);
    case Form::separable:
      return put_listed(out, v, ranks, loop_variable(v.depth));
    case Form::column:
      return put_listed(out, v, ranks, "t");
    case Form::power:
      put_slopes(sum, v);
      if (!is_zero(v.step))
        sum.power(v.step, v.ratio, loop_variable(v.depth), sum.empty() && is_zero(v.base));
      return sum.constant(v.base);
    case Form::by_rank:
      break;
  }
  out << "{";
  for (const Alternative& a : v.alternatives) {
    if (&a != &v.alternatives.front()) out << "; ";
    out << "ranks " << a.ranks.text() << ": ";
    put_form(out, a.value, scope, a.ranks);
  }
  out << "}";
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
    if (operand.kind == OperandKind::list || operand.kind == OperandKind::law_names)
      name += "[" + std::to_string(parameter) + "]";
    if (operand.kind == OperandKind::law_list && parameter > 0) name += "[k]";
    if (operand.kind == OperandKind::text && parameter > 0) name += "{" + std::to_string(parameter - 1) + "}";
    return name;
  }
  return "result";
}

void put_value(TextOut& out, const Value& v, const Scope& scope) { put_form(out, v, scope, scope.ranks); }

void put_number(TextOut& out, const Number& number, const RankSet& ranks) {
  Sum(out, ranks).constant(number);
}

void put_column(TextOut& out, const Column& column) {
  out << "[";
  if (column.size() <= normalized_column)
    put_items(out, column, runs_of(column.expand()), 0);
  else
    put_items(out, column, column.items(), 0);
  out << "]";
}

}  // namespace refrain::trace
