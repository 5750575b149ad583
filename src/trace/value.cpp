// What values are on one rank, and values as bytes. Layout of a value: one byte holds the form (low three
// bits) and the number of slopes (high five, 31 = "31 and the varint that follows"), then only the fields
// that the form uses. A slope is written as 0 for any_slope, else as its zigzag code plus one, so that the
// common small slopes and the indifferent one take a byte each.
//
// That is all there is for values that are the same on every rank. The form 7 says that a value of another
// form follows, the numbers of which are written as Numbers; its bit 3 says that a list of numbers stands in
// place of the column, bit 4 that a law does, both that a list of numbers does as one table. Bit 6 says that
// a power follows, the numbers of which are Numbers, too.
#include "trace/value.hpp"

#include <algorithm>

#include "trace/entry_table.hpp"

namespace refrain::trace {
namespace {

constexpr size_t many_slopes = 31;
constexpr size_t max_slopes = 4096;
constexpr uint8_t with_numbers = 7;
constexpr uint8_t with_entries = 8;
constexpr uint8_t with_law = 16;
constexpr uint8_t with_table = with_entries | with_law;
constexpr uint8_t power_head = with_numbers | 64;

bool has_slopes(Form form) { return form == Form::affine || form == Form::separable; }
bool has_column(Form form) { return form == Form::column || form == Form::separable; }
bool has_step(Form form) { return form == Form::counter || form == Form::running; }

uint64_t slope_code(int64_t slope) { return slope == Value::any_slope ? 0 : zigzag(slope) + 1; }
int64_t slope_of(uint64_t code) { return code == 0 ? Value::any_slope : unzigzag(code - 1); }

bool all_constant(const std::vector<Number>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](const Number& n) { return n.is_constant(); });
}

/// Whether the fields need to be written as Numbers.
bool needs_numbers(const Value& v) {
  return !v.is_plain() || !v.entries.empty() || v.law || (v.form == Form::column && !(v.base == 0));
}

/// Writes the numbers of one value, plain or as Numbers.
class FieldWriter {
 public:
  FieldWriter(ByteWriter& out, bool numbers) : out_(out), numbers_(numbers) {}
  void number(const Number& n) { numbers_ ? n.write(out_) : out_.svarint(n.constant()); }
  void slope(const Number& n) { numbers_ ? n.write(out_) : out_.varint(slope_code(n.constant())); }

 private:
  ByteWriter& out_;
  bool numbers_;
};

class FieldReader {
 public:
  FieldReader(ByteReader& in, bool numbers) : in_(in), numbers_(numbers) {}
  Number number() { return numbers_ ? Number::read(in_) : Number(in_.svarint()); }
  Number slope() { return numbers_ ? Number::read(in_) : Number(slope_of(in_.varint())); }

  std::vector<Number> slopes(size_t n) {
    if (n > in_.left()) in_.fail("unexpected end");
    if (!in_.ok()) return {};
    std::vector<Number> slopes(n);
    for (Number& s : slopes) s = slope();
    return slopes;
  }

 private:
  ByteReader& in_;
  bool numbers_;
};

uint32_t read_index(ByteReader& in) {
  return static_cast<uint32_t>(in.bounded(UINT32_MAX, "reference out of range"));
}

std::shared_ptr<const Column> read_column(ByteReader& in) {
  auto column = std::make_shared<const Column>(Column::read(in));
  return in.ok() ? column : nullptr;
}

std::vector<Number> read_entries(ByteReader& in) {
  std::vector<Number> entries;
  size_t n = in.count(2, "more entries than bytes");
  for (size_t i = 0; i < n && in.ok(); ++i) entries.push_back(Number::read(in));
  if (n == 0) in.fail("a list without entries");
  return entries;
}

std::vector<Number> read_one_table(ByteReader& in) {
  uint64_t n = in.varint();
  size_t start = in.offset();
  Column table = Column::read(in);
  if (!in.ok()) return {};
  bool believed = table.size() <= integers_per_byte * (in.offset() - start);
  auto entries = believed ? entries_of(table, n) : std::nullopt;
  if (!entries) in.fail("table of another number of values");
  return entries ? std::move(*entries) : std::vector<Number>();
}

std::shared_ptr<const ListLaw> read_law(ByteReader& in) {
  RankExpression element = RankExpression::read(in);
  if (!in.ok()) return nullptr;
  RankExpression length = RankExpression::read(in);
  return in.ok() ? std::make_shared<const ListLaw>(ListLaw{element, length}) : nullptr;
}

Value read_power(ByteReader& in) {
  Value v{.form = Form::power};
  v.depth = read_index(in);
  v.ratio = static_cast<int64_t>(in.bounded(INT64_MAX, "power of a number out of range"));
  if (v.ratio < 2) in.fail("power of a number out of range");
  FieldReader fields(in, true);
  v.base = fields.number();
  v.step = fields.number();
  v.slopes = fields.slopes(in.bounded(max_slopes, "too many slopes"));
  return v;
}

/// A value of any form but by_rank, its first byte being read already.
Value read_form(ByteReader& in, uint8_t head) {
  if (head == power_head) return read_power(in);
  Value v;
  bool numbers = (head & 7) == with_numbers;
  if (numbers && head != (head & (with_numbers | with_table))) in.fail("unknown form of value");
  int list = numbers ? head & with_table : 0;
  if (numbers) head = in.u8();
  size_t inline_count = head >> 3;
  if ((head & 7) > static_cast<uint8_t>(Form::column)) in.fail("unknown form of value");
  v.form = static_cast<Form>(head & 7);
  if (inline_count > 0 && !has_slopes(v.form)) in.fail("slopes on a value without any");
  if (list != 0 && !has_column(v.form)) in.fail("entries on a value without any");
  if (!in.ok()) return {};
  FieldReader fields(in, numbers);
  size_t more = inline_count == many_slopes ? in.bounded(max_slopes, "too many slopes") : 0;
  if (v.form != Form::column || numbers) v.base = fields.number();
  if (has_slopes(v.form)) v.slopes = fields.slopes(inline_count + more);
  if (has_step(v.form)) v.step = fields.number();
  if (v.form == Form::copy) v.sibling = read_index(in);
  if (v.form == Form::copy || v.form == Form::running) v.parameter = read_index(in);
  if (v.form == Form::separable) v.depth = read_index(in);
  if (list == with_law)
    v.law = read_law(in);
  else if (list == with_entries)
    v.entries = read_entries(in);
  else if (list == with_table)
    v.entries = read_one_table(in);
  else if (has_column(v.form))
    v.column = read_column(in);
  return v;
}

bool same_law(const Value& a, const Value& b) {
  return a.law == b.law || (a.law && b.law && *a.law == *b.law);
}

bool same_column(const std::shared_ptr<const Column>& a, const std::shared_ptr<const Column>& b) {
  if (a == b) return true;
  return a && b && a->same_values(*b);
}

/// The values of a list of numbers as one table, if there are any and that is shorter.
ByteWriter as_one_table(const std::vector<Number>& entries) {
  auto table = entries.empty() ? std::nullopt : one_table(entries);
  if (!table) return {};
  ByteWriter apart, together;
  for (const Number& n : entries) n.write(apart);
  table->write(together);
  bool believed = table->size() <= integers_per_byte * together.size();
  return believed && together.size() < apart.size() ? std::move(together) : ByteWriter();
}

void write_power(const Value& v, ByteWriter& out) {
  out.u8(power_head);
  out.varint(v.depth);
  out.varint(static_cast<uint64_t>(v.ratio));
  v.base.write(out);
  v.step.write(out);
  out.varint(v.slopes.size());
  for (const Number& slope : v.slopes) slope.write(out);
}

/// The entries of a value on one rank.
std::shared_ptr<const Column> column_at(const std::vector<Number>& entries, uint32_t rank,
                                        uint64_t position) {
  std::vector<int64_t> values;
  values.reserve(entries.size());
  for (const Number& entry : entries) values.push_back(entry.at(rank, position));
  return std::make_shared<const Column>(Column::of(values));
}

}  // namespace

Alternatives::Alternatives() = default;
Alternatives::Alternatives(std::vector<Alternative> list) : std::vector<Alternative>(std::move(list)) {}
Alternatives::Alternatives(std::initializer_list<Alternative> list) : std::vector<Alternative>(list) {}
Alternatives::Alternatives(const Alternatives& other) = default;
Alternatives::Alternatives(Alternatives&& other) noexcept = default;
Alternatives& Alternatives::operator=(const Alternatives& other) = default;
Alternatives& Alternatives::operator=(Alternatives&& other) noexcept = default;
Alternatives::~Alternatives() = default;

bool Value::is_constant() const {
  return form == Form::affine && base.is_constant() &&
         std::all_of(slopes.begin(), slopes.end(), [](const Number& s) {
           return s.is_constant() && (s.constant() == 0 || s.constant() == any_slope);
         });
}

bool Value::is_plain() const {
  if (form == Form::by_rank) return false;
  return !law && base.is_constant() && step.is_constant() && all_constant(slopes) && all_constant(entries);
}

Value Value::at(uint32_t rank, uint64_t position) const {
  if (form == Form::by_rank) {
    for (const Alternative& a : alternatives)
      if (auto place = a.ranks.position(rank)) return a.value.at(rank, *place);
    return {.form = Form::column};
  }
  Value v{.form = form, .base = base.at(rank, position), .step = step.at(rank, position)};
  v.slopes.reserve(slopes.size());
  for (const Number& slope : slopes) v.slopes.emplace_back(slope.at(rank, position));
  v.parameter = parameter;
  v.sibling = sibling;
  v.depth = depth;
  v.ratio = ratio;
  v.column = entries.empty() ? column : column_at(entries, rank, position);
  return v;
}

void Value::write(ByteWriter& out, Closeness* close) const {
  if (form == Form::by_rank) {
    out.u8(static_cast<uint8_t>(form));
    out.varint(alternatives.size());
    for (const Alternative& a : alternatives) {
      a.ranks.write(out);
      a.value.write(out, close);
    }
    return;
  }
  if (form == Form::power) return write_power(*this, out);
  bool numbers = needs_numbers(*this);
  ByteWriter table;
  if (close && has_column(form)) table = as_one_table(entries);
  unsigned list = law ? with_law : entries.empty() ? 0 : table.size() > 0 ? with_table : with_entries;
  if (numbers) out.u8(static_cast<uint8_t>(with_numbers | list));
  FieldWriter fields(out, numbers);
  size_t n = has_slopes(form) ? slopes.size() : 0;
  size_t inline_count = std::min(n, many_slopes);
  out.u8(static_cast<uint8_t>(static_cast<size_t>(form) | inline_count << 3));
  if (inline_count == many_slopes) out.varint(n - many_slopes);
  if (form != Form::column || numbers) fields.number(base);
  for (size_t d = 0; d < n; ++d) fields.slope(slopes[d]);
  if (has_step(form)) fields.number(step);
  if (form == Form::copy) out.varint(sibling);
  if (form == Form::copy || form == Form::running) out.varint(parameter);
  if (form == Form::separable) out.varint(depth);
  if (!has_column(form)) return;
  if (law) {
    law->element.write(out);
    law->length.write(out);
    return;
  }
  if (entries.empty()) return column ? column->write(out) : Column().write(out);
  out.varint(entries.size());
  if (table.size() > 0) {
    out.raw(table.bytes());
    close->used = true;
    return;
  }
  for (const Number& entry : entries) entry.write(out);
}

Value Value::read(ByteReader& in) {
  uint8_t head = in.u8();
  Value v;
  if (head != static_cast<uint8_t>(Form::by_rank)) {
    v = read_form(in, head);
    return in.ok() ? v : Value{};
  }
  v.form = Form::by_rank;
  size_t n = in.count(5, "more alternatives than bytes");
  if (n == 0) in.fail("value without alternatives");
  for (size_t i = 0; i < n && in.ok(); ++i) {
    RankSet ranks = RankSet::read(in);
    if (in.ok() && ranks.empty()) in.fail("alternative of no rank");
    if (in.ok()) v.alternatives.push_back({std::move(ranks), read_form(in, in.u8())});
  }
  return in.ok() ? v : Value{};
}

bool Value::operator==(const Value& other) const {
  if (form != other.form || !(base == other.base)) return false;
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
      return slopes == other.slopes && depth == other.depth && entries == other.entries &&
             same_column(column, other.column) && same_law(*this, other);
    case Form::column:
      return entries == other.entries && same_column(column, other.column) && same_law(*this, other);
    case Form::by_rank:
      return alternatives == other.alternatives;
    case Form::power:
      return slopes == other.slopes && depth == other.depth && ratio == other.ratio && step == other.step;
  }
  return false;
}

}  // namespace refrain::trace
