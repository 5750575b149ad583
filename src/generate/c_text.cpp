#include "generate/c_text.hpp"

namespace refrain::generate {
namespace {

/// The longest string literal that every C compiler must accept, less some room for the rest of a format.
constexpr size_t longest_literal = 4000;

bool is_printable(char c) { return c >= 0x20 && c < 0x7f; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Octal escapes have three digits, so that a digit that follows isn't taken for a part of them. A second
/// question mark is escaped, because two of them begin a trigraph.
void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
    case '\\':
      out += '\\';
      out += c;
      return;
    case '\n':
      out += "\\n";
      return;
    case '?':
      out += !out.empty() && out.back() == '?' ? "\\?" : "?";
      return;
    default:
      break;
  }
  if (is_printable(c)) {
    out += c;
    return;
  }
  auto byte = static_cast<unsigned char>(c);
  out += {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
          static_cast<char>('0' + (byte & 7))};
}

std::string as_array(std::string_view bytes) {
  std::string out = "(const char[]){";
  for (char c : bytes) out += "(char)" + std::to_string(static_cast<unsigned char>(c)) + ",";
  return out + "0}";
}

}  // namespace

std::string c_string(std::string_view bytes) {
  if (bytes.size() > longest_literal) return as_array(bytes);
  std::string out = "\"";
  for (char c : bytes) append_escaped(out, c);
  return out + "\"";
}

std::string format_text(std::string_view bytes) {
  std::string out;
  for (char c : bytes) {
    out += c;
    if (c == '%') out += c;
  }
  return out;
}

std::string comment_text(std::string_view bytes) {
  std::string out;
  for (char c : bytes) {
    char put = !is_printable(c) ? '?' : c == '\\' ? '/' : c;
    bool together = !out.empty() && ((out.back() == '*' && put == '/') || (out.back() == '/' && put == '*') ||
                                     (out.back() == '?' && put == '?'));
    if (together) out += ' ';
    out += put;
  }
  return out;
}

std::string identifier(std::string_view bytes, size_t longest) {
  std::string out;
  for (char c : bytes) {
    char put = is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    if (!is_lower(put) && !is_digit(put)) put = '_';
    if (put == '_' && (out.empty() || out.back() == '_')) continue;
    if (out.size() == longest) break;
    out += put;
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

bool is_constant_name(std::string_view text) {
  if (text.empty() || text.size() > 64 || !is_upper(text.front())) return false;
  for (char c : text)
    if (!is_upper(c) && !is_lower(c) && !is_digit(c) && c != '_') return false;
  return true;
}

std::string grouped(unsigned long long number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace refrain::generate
