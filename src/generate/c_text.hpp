// Strings of a trace as C text. They may hold any bytes; this is the one place that makes sure that none of
// them can end a literal, a comment or a format early.
#pragma once

#include <string>
#include <string_view>

namespace refrain::generate {

/// A string literal with quotes. Strings longer than the C standard guarantees become arrays of numbers.
std::string c_string(std::string_view bytes);

/// The same, for use as part of a printf format: `%` is doubled.
std::string format_text(std::string_view bytes);

/// The text in a form that is safe inside a block comment, on one line.
std::string comment_text(std::string_view bytes);

/// Lower-case letters, digits and single underscores, at most `longest`; may be empty.
std::string identifier(std::string_view bytes, size_t longest = 32);

/// Whether it is a valid name of a constant: a capital letter, then letters, digits and underscores.
bool is_constant_name(std::string_view text);

/// 1,234,567
std::string grouped(unsigned long long number);

}  // namespace refrain::generate
