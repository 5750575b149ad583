// Numbers as bytes: a byte for the kind (0 constant, 1 table, 2 expression), then what it is. Kind 3 is the
// smallest integer, which stands for an indifferent slope and would take ten bytes otherwise.
#include "trace/number.hpp"

namespace refrain::trace {
namespace {

enum class Kind : uint8_t { constant, table, expression, smallest };

}  // namespace

Number::Number(Column values) : varying_(new Varying{std::nullopt, std::move(values)}) {}

Number::Number(RankExpression expression) {
  if (expression.is_constant())
    constant_ = expression.number();
  else
    varying_.reset(new Varying{std::move(expression), {}});
}

Number::Number(const Number& other)
    : constant_(other.constant_), varying_(other.varying_ ? new Varying(*other.varying_) : nullptr) {}

Number& Number::operator=(const Number& other) {
  if (this != &other) *this = Number(other);
  return *this;
}

const Column* Number::table() const { return varying_ && !varying_->expression ? &varying_->table : nullptr; }

Column* Number::table() { return varying_ && !varying_->expression ? &varying_->table : nullptr; }

const RankExpression* Number::expression() const {
  return varying_ && varying_->expression ? &*varying_->expression : nullptr;
}

int64_t Number::at(uint32_t rank, uint64_t position) const {
  if (!varying_) return constant_;
  return varying_->expression ? varying_->expression->at(rank) : varying_->table.at(position);
}

void Number::shift(int64_t by) {
  if (by == 0) return;
  if (!varying_)
    constant_ = wrap_add(constant_, by);
  else if (varying_->expression)
    *this = Number(*varying_->expression + RankExpression::constant(by));
  else
    varying_->table = varying_->table.shifted(by);
}

void Number::write(ByteWriter& out) const {
  if (!varying_ && constant_ == INT64_MIN) {
    out.u8(static_cast<uint8_t>(Kind::smallest));
  } else if (!varying_) {
    out.u8(static_cast<uint8_t>(Kind::constant));
    out.svarint(constant_);
  } else if (varying_->expression) {
    out.u8(static_cast<uint8_t>(Kind::expression));
    varying_->expression->write(out);
  } else {
    out.u8(static_cast<uint8_t>(Kind::table));
    varying_->table.write(out);
  }
}

size_t Number::encoded_size() const {
  if (const Column* values = table()) return 1 + values->encoded_size();
  ByteWriter out;
  write(out);
  return out.size();
}

Number Number::read(ByteReader& in) {
  uint8_t kind = in.u8();
  switch (static_cast<Kind>(kind)) {
    case Kind::constant:
      return in.svarint();
    case Kind::table:
      return Number(Column::read(in));
    case Kind::expression:
      return Number(RankExpression::read(in));
    case Kind::smallest:
      return INT64_MIN;
  }
  in.fail("unknown kind of number");
  return {};
}

bool Number::operator==(const Number& other) const {
  if (!varying_ || !other.varying_) return !varying_ && !other.varying_ && constant_ == other.constant_;
  if (varying_->expression.has_value() != other.varying_->expression.has_value()) return false;
  if (varying_->expression) return *varying_->expression == *other.varying_->expression;
  return varying_->table.same_values(other.varying_->table);
}

}  // namespace refrain::trace
