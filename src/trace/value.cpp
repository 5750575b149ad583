// Elastic values as bytes. Layout of a value: one byte holds the form (low three bits) and the number of
// slopes (high five, 31 = "31 and the varint that follows"), then only the fields that the form uses. A
// slope is written as 0 for any_slope, else as its zigzag code plus one, so that the common small slopes
// and the indifferent one take a byte each.
#include "trace/value.hpp"

#include <algorithm>

namespace refrain::trace {
namespace {

constexpr size_t many_slopes = 31;
constexpr size_t max_slopes = 4096;

bool has_slopes(Form form) { return form == Form::affine || form == Form::separable; }
bool has_column(Form form) { return form == Form::column || form == Form::separable; }

uint64_t slope_code(int64_t slope) { return slope == Value::any_slope ? 0 : zigzag(slope) + 1; }
int64_t slope_of(uint64_t code) { return code == 0 ? Value::any_slope : unzigzag(code - 1); }

void write_slopes(ByteWriter& out, const std::vector<int64_t>& slopes) {
  for (int64_t slope : slopes) out.varint(slope_code(slope));
}

std::vector<int64_t> read_slopes(ByteReader& in, size_t n) {
  if (n > in.left()) in.fail("unexpected end");
  if (!in.ok()) return {};
  std::vector<int64_t> slopes(n);
  for (int64_t& slope : slopes) slope = slope_of(in.varint());
  return slopes;
}

uint32_t read_index(ByteReader& in) {
  return static_cast<uint32_t>(in.bounded(UINT32_MAX, "reference out of range"));
}

std::shared_ptr<const Column> read_column(ByteReader& in) {
  auto column = std::make_shared<const Column>(Column::read(in));
  return in.ok() ? column : nullptr;
}

bool same_column(const std::shared_ptr<const Column>& a, const std::shared_ptr<const Column>& b) {
  if (a == b) return true;
  return a && b && a->same_values(*b);
}

}  // namespace

bool Value::is_constant() const {
  return form == Form::affine &&
         std::all_of(slopes.begin(), slopes.end(), [](int64_t s) { return s == 0 || s == any_slope; });
}

void Value::write(ByteWriter& out) const {
  size_t n = has_slopes(form) ? slopes.size() : 0;
  size_t inline_count = std::min(n, many_slopes);
  out.u8(static_cast<uint8_t>(static_cast<size_t>(form) | inline_count << 3));
  if (inline_count == many_slopes) out.varint(n - many_slopes);
  if (form != Form::column) out.svarint(base);
  if (has_slopes(form)) write_slopes(out, slopes);
  if (form == Form::counter || form == Form::running) out.svarint(step);
  if (form == Form::copy) out.varint(sibling);
  if (form == Form::copy || form == Form::running) out.varint(parameter);
  if (form == Form::separable) out.varint(depth);
  if (has_column(form)) column ? column->write(out) : Column().write(out);
}

Value Value::read(ByteReader& in) {
  uint8_t head = in.u8();
  size_t inline_count = head >> 3;
  Value v;
  if ((head & 7) > static_cast<uint8_t>(Form::column)) in.fail("unknown form of value");
  v.form = static_cast<Form>(head & 7);
  if (inline_count > 0 && !has_slopes(v.form)) in.fail("slopes on a value without any");
  if (!in.ok()) return {};
  size_t more = inline_count == many_slopes ? in.bounded(max_slopes, "too many slopes") : 0;
  if (v.form != Form::column) v.base = in.svarint();
  if (has_slopes(v.form)) v.slopes = read_slopes(in, inline_count + more);
  if (v.form == Form::counter || v.form == Form::running) v.step = in.svarint();
  if (v.form == Form::copy) v.sibling = read_index(in);
  if (v.form == Form::copy || v.form == Form::running) v.parameter = read_index(in);
  if (v.form == Form::separable) v.depth = read_index(in);
  if (has_column(v.form)) v.column = read_column(in);
  return in.ok() ? v : Value{};
}

bool Value::operator==(const Value& other) const {
  if (form != other.form || (form != Form::column && base != other.base)) return false;
  switch (form) {
    case Form::affine:
      return slopes == other.slopes;
    case Form::counter:
      return step == other.step;
    case Form::running:
      return step == other.step && parameter == other.parameter;
    case Form::copy:
      return sibling == other.sibling && parameter == other.parameter;
    case Form::separable:
      return slopes == other.slopes && depth == other.depth && same_column(column, other.column);
    case Form::column:
      return same_column(column, other.column);
  }
  return false;
}

}  // namespace refrain::trace
