// Templates of strings; see template.hpp for the contract.
#include "trace/template.hpp"

namespace refrain::trace {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// End of the stretch of digits (or of non-digits) that starts at `at`.
size_t stretch_end(std::string_view text, size_t at, bool digits) {
  while (at < text.size() && is_digit(text[at]) == digits) ++at;
  return at;
}

int64_t number_from(std::string_view digits) {
  int64_t v = 0;
  for (char c : digits) v = v * 10 + (c - '0');
  return v;
}

Template whole(std::string_view text, std::vector<int64_t>& fields) {
  fields.clear();
  Template t;
  t.literals[0] = text;
  return t;
}

void append_padded(std::string& out, int64_t value, uint8_t width) {
  std::string digits = std::to_string(value);
  if (value >= 0 && digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

}  // namespace

Template Template::parse(std::string_view text, std::vector<int64_t>& fields) {
  fields.clear();
  Template t;
  for (size_t at = 0; at < text.size();) {
    size_t digits_at = stretch_end(text, at, false);
    t.literals.back() = text.substr(at, digits_at - at);
    at = stretch_end(text, digits_at, true);
    size_t length = at - digits_at;
    if (length == 0) break;
    if (length > max_digits || fields.size() == max_fields) return whole(text, fields);
    bool padded = length > 1 && text[digits_at] == '0';
    fields.push_back(number_from(text.substr(digits_at, length)));
    t.widths.push_back(padded ? static_cast<uint8_t>(length) : 0);
    t.literals.emplace_back();
  }
  return t;
}

std::string Template::fill(const int64_t* values) const {
  std::string out = literals[0];
  for (size_t i = 0; i < widths.size(); ++i) {
    append_padded(out, values[i], widths[i]);
    out += literals[i + 1];
  }
  return out;
}

void Template::write(ByteWriter& out) const {
  out.varint(fields());
  out.string(literals[0]);
  for (size_t i = 0; i < fields(); ++i) {
    out.u8(widths[i]);
    out.string(literals[i + 1]);
  }
}

Template Template::read(ByteReader& in) {
  Template t;
  size_t n = in.bounded(max_fields, "too many fields in a template");
  t.literals[0] = in.string();
  for (size_t i = 0; i < n && in.ok(); ++i) {
    uint8_t width = in.u8();
    if (width > max_digits) in.fail("field of a template too wide");
    t.widths.push_back(width);
    t.literals.emplace_back(in.string());
  }
  return in.ok() ? t : Template{};
}

std::optional<std::string> text_at(const std::vector<Template>& templates, std::span<const int64_t> operand,
                                   size_t fields) {
  if (operand.size() <= fields) return {};
  auto number = static_cast<uint64_t>(operand[0]);
  if (number >= templates.size() || templates[number].fields() != fields) return {};
  return templates[number].fill(operand.data() + 1);
}

}  // namespace refrain::trace
