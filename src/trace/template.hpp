// Paths and other strings of calls. Names that differ only in their numbers share one template, so that
// `part_00001`, `part_00002`, … fold like any other arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace refrain::trace {

/// A string with integers in it: literal, field, literal, field, …, literal. A field prints as decimal,
/// padded with zeros to its width (0 or 1: no padding).
struct Template {
  std::vector<std::string> literals{std::string()};  ///< one more than fields
  std::vector<uint8_t> widths;

  size_t fields() const { return widths.size(); }
  bool operator==(const Template&) const = default;

  /// Most digits a field may have (so that it fits 64 bits), and most fields of a template.
  static constexpr size_t max_digits = 18;
  static constexpr size_t max_fields = 24;
  /// Splits at runs of digits. A run with leading zeros keeps its length as width. If there are more than
  /// max_fields runs, or one is longer than max_digits, the whole string is one literal.
  /// `parse(s, f).fill(f.data()) == s` for every byte string s.
  static Template parse(std::string_view text, std::vector<int64_t>& fields);
  /// The string for these values, fields() of them.
  std::string fill(const int64_t* fields) const;

  void write(ByteWriter& out) const;
  static Template read(ByteReader& in);
};

/// The string of a text operand with so many fields: `operand` begins with the number of its template, and
/// the fields follow. Nothing if there is no such template.
std::optional<std::string> text_at(const std::vector<Template>& templates, std::span<const int64_t> operand,
                                   size_t fields);

}  // namespace refrain::trace
