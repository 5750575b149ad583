// See readable.hpp.
#include "cli/readable.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>

namespace refrain::cli {

namespace {

/// Three significant digits in the largest unit that leaves something before the point.
template <size_t n>
std::string scaled(uint64_t value, const std::array<const char*, n>& units) {
  if (value < 1000) return fmt::format("{} {}", value, units[0]);
  auto number = static_cast<double>(value);
  size_t unit = 0;
  // 999.5 would print as 1000 in its own unit.
  while (number >= 999.5 && unit + 1 < n) number /= 1000, ++unit;
  int decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", number, decimals, units[unit]);
}

}  // namespace

std::string grouped(uint64_t n) {
  std::string digits = std::to_string(n);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string counted(uint64_t n, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", grouped(n), n == 1 ? singular : plural);
}

std::string bytes_text(uint64_t bytes) {
  return scaled(bytes, std::array{"B", "KB", "MB", "GB", "TB", "PB", "EB"});
}

std::string duration_text(uint64_t ns) {
  constexpr uint64_t second = 1'000'000'000;
  if (ns < 100 * second) return scaled(ns, std::array{"ns", "us", "ms", "s"});
  uint64_t seconds = ns / second;
  if (seconds < 3600) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {:02} min", seconds / 3600, seconds / 60 % 60);
}

std::string moment_text(uint64_t ns_since_epoch) {
  auto seconds = static_cast<time_t>(ns_since_epoch / 1'000'000'000);
  tm parts{};
  char text[64];
  if (localtime_r(&seconds, &parts) == nullptr) return "unknown";
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts)};
}

std::string printable(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string Table::text(std::string_view indent) const {
  std::vector<size_t> widths;
  for (const auto& cells : rows_) {
    widths.resize(std::max(widths.size(), cells.size()));
    for (size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  }
  std::string out;
  for (const auto& cells : rows_) {
    std::string line{indent};
    for (size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) line += "  ";
      line +=
          i == 0 ? fmt::format("{:<{}}", cells[i], widths[i]) : fmt::format("{:>{}}", cells[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string closest(std::string_view word, const std::vector<std::string>& candidates) {
  // Edit distance by rows; a word is close if at most a third of it has to change.
  std::string best;
  size_t best_distance = std::max<size_t>(word.size() / 3, 1) + 1;
  for (const std::string& candidate : candidates) {
    std::vector<size_t> row(candidate.size() + 1);
    for (size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= word.size(); ++i) {
      size_t diagonal = row[0];
      row[0] = i;
      for (size_t j = 1; j <= candidate.size(); ++j) {
        size_t replaced = diagonal + (word[i - 1] != candidate[j - 1]);
        diagonal = row[j];
        row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
      }
    }
    if (row.back() < best_distance) best = candidate, best_distance = row.back();
  }
  return best;
}

}  // namespace refrain::cli
