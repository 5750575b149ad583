#include "exchange/input_lines.hpp"

#include <cerrno>
#include <cstring>

namespace refrain::exchange {

Result<void> InputLines::open(const std::filesystem::path& path) {
  path_ = path;
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return fail(ErrorKind::io, "is a folder", path.string());
  errno = 0;
  file_.open(path, std::ios::binary);
  if (!file_) return fail(ErrorKind::io, std::strerror(errno != 0 ? errno : EIO), path.string());
  return {};
}

Result<bool> InputLines::next() {
  line_.clear();
  ++number_;
  for (int c = file_.get(); c != std::char_traits<char>::eof(); c = file_.get()) {
    if (c == '\n') return end_line();
    if (line_.size() == longest_line) return bad("a line of more than a megabyte");
    line_ += static_cast<char>(c);
  }
  if (file_.bad()) return fail(ErrorKind::io, "can't be read", path_.string());
  return end_line() && (!line_.empty() || ends_in_return_);
}

bool InputLines::end_line() {
  ends_in_return_ = line_.ends_with('\r');
  if (ends_in_return_) line_.pop_back();
  return true;
}

std::string InputLines::place() const { return path_.string() + ":" + std::to_string(number_); }

tl::unexpected<Error> InputLines::bad(const std::string& message) const {
  return fail(ErrorKind::bad_input, message, place());
}

std::string_view take_blank_word(std::string_view& text) {
  size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  size_t end = std::min(text.find_first_of(" \t\r", begin), text.size());
  std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::string_view word = take_blank_word(text); !word.empty(); word = take_blank_word(text))
    words.push_back(word);
  return words;
}

std::optional<int64_t> decimal(std::string_view text) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

std::optional<uint64_t> seconds_as_ns(std::string_view text) {
  constexpr int64_t most_seconds = 9'000'000'000;
  size_t dot = std::min(text.find('.'), text.size());
  std::optional<int64_t> whole = decimal(text.substr(0, dot));
  if (!whole || *whole < 0 || *whole > most_seconds) return {};
  uint64_t fraction = 0;
  size_t digits = 0;
  for (char c : text.substr(std::min(dot + 1, text.size()))) {
    if (c < '0' || c > '9') return {};
    if (digits < 9) fraction = fraction * 10 + static_cast<uint64_t>(c - '0');
    ++digits;
  }
  for (; digits < 9; ++digits) fraction *= 10;
  return static_cast<uint64_t>(*whole) * 1'000'000'000 + fraction;
}

}  // namespace refrain::exchange
