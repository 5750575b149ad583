// Lists of nodes as Slurm writes them. See node_names in slurm_state.hpp.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "coordinate/slurm_state.hpp"

namespace refrain::coordinate {

namespace {

/// One range between brackets, "1-3", "07-10" or "5", put between prefix and suffix.
bool add_range(std::string_view prefix, std::string_view range, std::string_view suffix, size_t most,
               std::vector<std::string>& names) {
  size_t dash = std::min(range.find('-'), range.size());
  std::string_view low = range.substr(0, dash);
  std::string_view high = dash < range.size() ? range.substr(dash + 1) : low;
  auto number = [](std::string_view text, uint64_t& value) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && text.size() <= 9 && error == std::errc() && end == text.data() + text.size();
  };
  uint64_t first = 0;
  uint64_t last = 0;
  if (!number(low, first) || !number(high, last) || first > last) return false;
  if (last - first >= most || names.size() + (last - first) >= most) return false;
  for (uint64_t n = first; n <= last; ++n) {
    names.push_back(fmt::format("{}{:0{}}{}", prefix, n, low.size(), suffix));
  }
  return true;
}

/// One word of the list: a name with at most one pair of brackets.
bool add_word(std::string_view word, size_t most, std::vector<std::string>& names) {
  size_t open = word.find('[');
  if (open == std::string_view::npos) {
    if (word.empty() || names.size() >= most) return false;
    names.emplace_back(word);
    return true;
  }
  size_t close = word.find(']', open);
  if (close == std::string_view::npos) return false;
  std::string_view suffix = word.substr(close + 1);
  if (suffix.find('[') != std::string_view::npos) return false;
  std::string_view ranges = word.substr(open + 1, close - open - 1);
  for (;;) {
    size_t comma = std::min(ranges.find(','), ranges.size());
    if (!add_range(word.substr(0, open), ranges.substr(0, comma), suffix, most, names)) return false;
    if (comma == ranges.size()) return true;
    ranges.remove_prefix(comma + 1);
  }
}

}  // namespace

Result<std::vector<std::string>> node_names(std::string_view list, size_t most) {
  std::vector<std::string> names;
  while (!list.empty()) {
    size_t end = 0;
    for (bool inside = false; end < list.size() && (inside || list[end] != ','); ++end) {
      if (list[end] == '[') inside = true;
      if (list[end] == ']') inside = false;
    }
    if (!add_word(list.substr(0, end), most, names))
      return fail(ErrorKind::bad_input, "is no list of nodes, or a very long one",
                  std::string(list.substr(0, 40)));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

}  // namespace refrain::coordinate
