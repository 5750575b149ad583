// Numbers, names and tables as people read them. Decimal units: 1 KB is 1000 bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace refrain::cli {

/// 1234567 -> "1,234,567"
std::string grouped(uint64_t n);
/// grouped(n) and the word, in the plural unless n is 1: "1 process", "2 processes"
std::string counted(uint64_t n, std::string_view singular, std::string_view plural);
/// 1234 -> "1.23 KB"; below 1000 the exact number: "999 B"
std::string bytes_text(uint64_t bytes);
/// 1234567 -> "1.23 ms"
std::string duration_text(uint64_t ns);
/// `text`, or nothing in the place of a number that is 0.
inline std::string unless_zero(uint64_t n, const std::string& text) { return n == 0 ? std::string() : text; }
/// Seconds since the epoch in nanoseconds, as local time: "2024-05-06 07:08:09"
std::string moment_text(uint64_t ns_since_epoch);
/// `text` with control characters and bytes beyond ASCII as \xNN, so that names from a file can't play
/// tricks with a terminal.
std::string printable(std::string_view text);

/// Rows of cells, printed with aligned columns: the first to the left, the others to the right.
class Table {
 public:
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// All rows, each behind `indent` and with its end of line.
  std::string text(std::string_view indent) const;
  bool empty() const { return rows_.empty(); }

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// The candidate that `word` most likely meant, or an empty string if none is close.
std::string closest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace refrain::cli
