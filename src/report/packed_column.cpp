#include "report/packed_column.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace refrain::report {
namespace {

constexpr size_t short_column = 8;
constexpr size_t most_digits = 15;  ///< that a number of JavaScript holds

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A string cut at its numbers: texts[0] numbers[0] texts[1] … texts[n].
struct Pieces {
  std::vector<std::string> texts{""}, numbers{};

  explicit Pieces(std::string_view string) {
    for (size_t i = 0; i < string.size();) {
      size_t end = i;
      while (end < string.size() && is_digit(string[end])) ++end;
      if (end == i || end - i > most_digits) {
        end = std::max(end, i + 1);
        texts.back() += string.substr(i, end - i);
      } else {
        numbers.emplace_back(string.substr(i, end - i));
        texts.emplace_back();
      }
      i = end;
    }
  }
};

/// The numbers in one place of all strings: their width if they are padded; nothing if they are now and then.
std::optional<Json> number_column(const std::vector<Pieces>& rows, size_t place) {
  size_t width = rows[0].numbers[place].size();
  bool padded = false, even = true;
  for (const Pieces& row : rows) {
    const std::string& digits = row.numbers[place];
    padded |= digits.size() > 1 && digits[0] == '0';
    even &= digits.size() == width;
  }
  if (padded && !even) return std::nullopt;
  Json column = Json::array({padded ? width : 0});
  for (const Pieces& row : rows) column.push_back(std::stoull(row.numbers[place]));
  return column;
}

std::optional<Json> as_numbered(const Json& column) {
  std::vector<Pieces> rows;
  for (const Json& value : column) {
    if (!value.is_string()) return std::nullopt;
    rows.emplace_back(value.get_ref<const std::string&>());
    if (rows.back().texts != rows[0].texts) return std::nullopt;
  }
  Json texts = Json::array(), numbers = Json::array();
  std::string text = rows[0].texts[0];
  for (size_t place = 0; place < rows[0].numbers.size(); ++place) {
    const std::string& first = rows[0].numbers[place];
    bool same =
        std::all_of(rows.begin(), rows.end(), [&](const Pieces& p) { return p.numbers[place] == first; });
    if (same) {
      text += first;
    } else {
      std::optional<Json> of = number_column(rows, place);
      if (!of) return std::nullopt;
      numbers.push_back(std::move(*of));
      texts.push_back(std::move(text));
      text.clear();
    }
    text += rows[0].texts[place + 1];
  }
  texts.push_back(std::move(text));
  return Json{{"=~", std::move(texts)}, {"=#", std::move(numbers)}};
}

std::optional<Json> as_few(const Json& column) {
  std::map<std::string, size_t> places;
  Json values = Json::array(), which = Json::array();
  for (const Json& value : column) {
    if (value.is_null() || value.is_number()) return std::nullopt;
    auto [entry, is_new] = places.try_emplace(text_of(value, -1), values.size());
    if (is_new) values.push_back(value);
    if (values.size() > column.size() / 4) return std::nullopt;
    which.push_back(entry->second);
  }
  return Json{{"=@", std::move(values)}, {"=i", std::move(which)}};
}

}  // namespace

Json packed_column(Json column) {
  if (!column.is_array() || column.size() < short_column) return column;
  if (std::all_of(column.begin(), column.end(), [&](const Json& value) { return value == column[0]; }))
    return Json{{"=:", std::move(column[0])}};
  if (std::optional<Json> packed = as_numbered(column)) return std::move(*packed);
  if (std::optional<Json> packed = as_few(column)) return std::move(*packed);
  return column;
}

}  // namespace refrain::report
