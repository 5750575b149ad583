#include "plan/name_list.hpp"

#include <algorithm>
#include <charconv>

namespace refrain::plan {

Result<std::vector<std::string>> names_of(std::string_view text) {
  constexpr size_t most = 1 << 16;
  auto wrong = [] { return fail(ErrorKind::bad_input, "a list of names that can't be read"); };
  std::vector<std::string> names;
  if (!text.starts_with('[') || !text.ends_with(']')) return wrong();
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    size_t comma = std::min(text.find(", "), text.size());
    std::string_view item = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 2, text.size()));
    size_t repeats = 1;
    if (size_t times = item.find(" x "); times != std::string_view::npos) {
      auto [end, error] = std::from_chars(item.data(), item.data() + times, repeats);
      if (error != std::errc() || end != item.data() + times || repeats > most) return wrong();
      item.remove_prefix(times + 3);
    }
    if (names.size() + repeats > most) return wrong();
    names.insert(names.end(), repeats, std::string(item));
  }
  return names;
}

}  // namespace refrain::plan
