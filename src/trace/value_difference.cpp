// See value_difference.hpp.
#include "trace/value_difference.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "trace/entry_table.hpp"

namespace refrain::trace {
namespace {

constexpr uint64_t longest_lists = 4096;  ///< of a value, in all

/// Two values of the same shape become one of that shape.
class Zip {
 public:
  using Change = int64_t (*)(int64_t, int64_t);
  Zip(Change change, uint64_t most) : change_(change), left_(most) {}

  std::optional<Value> of(const Value& a, const Value& b) {
    bool lists = a.form == Form::column || a.form == Form::separable;
    alike_ = lists && a.form == b.form && a.depth == b.depth && a.slopes == b.slopes && !a.law && !b.law &&
             a.entries.size() == b.entries.size() && (a.column != nullptr) == (b.column != nullptr);
    if (!alike_) return std::nullopt;
    Value v{.form = a.form, .base = number(a.base, b.base), .slopes = a.slopes, .depth = a.depth};
    for (size_t i = 0; i < a.entries.size() && alike_; ++i)
      v.entries.push_back(number(a.entries[i], b.entries[i]));
    if (a.column) v.column = std::make_shared<const Column>(column(*a.column, *b.column));
    return alike_ ? std::optional(std::move(v)) : std::nullopt;
  }

 private:
  Number number(const Number& a, const Number& b) {
    if (a.is_constant() && b.is_constant()) return change_(a.constant(), b.constant());
    if (a.table() && b.table()) return Number(column(*a.table(), *b.table()));
    if (a.expression() && b.expression()) return Number(expression(*a.expression(), *b.expression()));
    alike_ = false;
    return 0;
  }

  Column column(const Column& a, const Column& b) {
    alike_ = alike_ && a.size() == b.size() && a.size() <= left_;
    if (!alike_) return {};
    left_ -= a.size();
    std::vector<int64_t> values = a.expand();
    Column::Cursor other(b);
    for (int64_t& v : values) v = change_(v, other.next());
    return Column::of(values);
  }

  RankExpression expression(const RankExpression& a, const RankExpression& b) {
    alike_ = alike_ && a.operation() == b.operation() && (a.is_constant() || a.number() == b.number());
    if (!alike_) return {};
    if (a.is_constant()) return RankExpression::constant(change_(a.number(), b.number()));
    Column table;
    if (has_table(a.operation())) table = column(a.table(), b.table());
    std::array<RankExpression, 3> operands;
    for (size_t i = 0; i < a.operands(); ++i) operands[i] = expression(a.operand(i), b.operand(i));
    if (!alike_) return {};
    return a.with(std::span(operands).first(a.operands()), std::move(table));
  }

  Change change_;
  uint64_t left_;
  bool alike_ = true;
};

std::optional<Value> undone(const Value& difference, const Value& before, size_t bytes) {
  return Zip(wrap_add, std::min(longest_lists, integers_per_byte * bytes)).of(difference, before);
}

}  // namespace

std::optional<ByteWriter> written_difference(const Value& v, const Value& before) {
  auto apart = Zip(wrap_sub, longest_lists).of(v, before);
  if (!apart) return std::nullopt;
  Closeness close;
  ByteWriter whole, part;
  apart->write(part, &close);
  ByteReader in(part.bytes());
  auto again = undone(Value::read(in), before, part.size());
  if (!in.ok() || !again || !(*again == v)) return std::nullopt;
  again->write(whole, &close);
  if (part.size() >= whole.size()) return std::nullopt;
  return part;
}

Value read_difference(ByteReader& in, const Value& before) {
  size_t start = in.offset();
  Value apart = Value::read(in);
  if (!in.ok()) return {};
  auto v = undone(apart, before, in.offset() - start);
  if (!v) in.fail("difference to another kind of value");
  return v ? std::move(*v) : Value{};
}

}  // namespace refrain::trace
