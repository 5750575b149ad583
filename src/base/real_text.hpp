// Numbers with a point as text, whatever the locale. The library of GCC 10 (Debian 11) has std::to_chars and
// std::from_chars for integers alone; there, the locale counts.
#pragma once

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace refrain {

/// As std::from_chars.
inline std::from_chars_result read_real(const char* first, const char* last, double& value) {
#ifdef __cpp_lib_to_chars
  return std::from_chars(first, last, value);
#else
  std::string text(first, last);
  char* end = nullptr;
  value = std::strtod(text.c_str(), &end);
  bool any = end != text.c_str();
  return {any ? first + (end - text.c_str()) : first, any ? std::errc() : std::errc::invalid_argument};
#endif
}

/// The shortest decimal number that reads back as the same value.
inline std::string real_text(double value) {
  char digits[32];
#ifdef __cpp_lib_to_chars
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
#else
  for (int precision = 1; precision <= 17; ++precision) {
    std::snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (std::strtod(digits, nullptr) == value) break;
  }
  return digits;
#endif
}

}  // namespace refrain
