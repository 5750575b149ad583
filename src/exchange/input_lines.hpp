// Text files that importers read: line by line, within bounds, with a place for messages.
#pragma once

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace refrain::exchange {

class InputLines {
 public:
  /// Longer lines are no lines of any tool that is imported.
  static constexpr size_t longest_line = size_t{1} << 20;

  Result<void> open(const std::filesystem::path& path);
  /// Reads the next line, without its end, LF or CR LF; false if there is none.
  Result<bool> next();
  std::string_view line() const { return line_; }
  /// Whether the line ended in CR LF.
  bool ends_in_return() const { return ends_in_return_; }
  /// An error about the current line.
  tl::unexpected<Error> bad(const std::string& message) const;
  /// "dxt.txt:17"
  std::string place() const;

 private:
  bool end_line();

  std::filesystem::path path_;
  std::ifstream file_;
  std::string line_;
  uint64_t number_ = 0;
  bool ends_in_return_ = false;
};

/// Calls `use()`, which returns Result<void>, for every line that is left, up to the first failure.
template <class Use>
Result<void> for_each_line(InputLines& lines, Use use) {
  for (;;) {
    Result<bool> more = lines.next();
    if (!more) return tl::unexpected(more.error());
    if (!*more) return {};
    if (Result<void> done = use(); !done) return done;
  }
}

/// Cuts the next word off: what stands before the next blank.
std::string_view take_blank_word(std::string_view& text);
std::vector<std::string_view> split_words(std::string_view text);
/// All of `text` as a decimal number.
std::optional<int64_t> decimal(std::string_view text);
/// Seconds with a fraction, "12.0345", as nanoseconds; digits behind the ninth are dropped.
std::optional<uint64_t> seconds_as_ns(std::string_view text);

}  // namespace refrain::exchange
