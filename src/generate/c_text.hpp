// Strings of a trace as C text. They may hold any bytes; this is the one place that makes sure that none of
// them can end a literal, a comment or a format early.
#pragma once

#include <string>
#include <string_view>

namespace refrain::generate {

/// A string literal with quotes. Longer strings than every compiler must take become an array of numbers.
std::string c_string(std::string_view bytes);

/// The same, for use as part of a printf format: `%` is doubled.
std::string format_text(std::string_view bytes);

/// Something that can stand in a block comment, on one line.
std::string comment_text(std::string_view bytes);

/// Lower-case letters, digits and single underscores, at most `longest`; may be empty.
std::string identifier(std::string_view bytes, size_t longest = 32);

/// Whether it can be printed as the name of a constant: capitals and what C allows behind them.
bool is_constant_name(std::string_view text);

/// 1,234,567
std::string grouped(unsigned long long number);

}  // namespace refrain::generate
