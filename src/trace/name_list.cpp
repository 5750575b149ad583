#include "trace/name_list.hpp"

#include <algorithm>
#include <charconv>

namespace refrain::trace {

Result<std::vector<NameRun>> name_runs(std::string_view text) {
  constexpr uint64_t most = 1 << 16;
  auto wrong = [] { return fail(ErrorKind::bad_input, "a list of names that can't be read"); };
  std::vector<NameRun> names;
  if (!text.starts_with('[') || !text.ends_with(']')) return wrong();
  text = text.substr(1, text.size() - 2);
  uint64_t all = 0;
  while (!text.empty()) {
    size_t comma = std::min(text.find(", "), text.size());
    std::string_view item = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 2, text.size()));
    uint64_t repeats = 1;
    if (size_t times = item.find(" x "); times != std::string_view::npos) {
      auto [end, error] = std::from_chars(item.data(), item.data() + times, repeats);
      if (error != std::errc() || end != item.data() + times || repeats > most) return wrong();
      item.remove_prefix(times + 3);
    }
    all += repeats;
    if (all > most) return wrong();
    names.push_back({std::string(item), repeats});
  }
  return names;
}

void NameList::add(std::string_view name, uint64_t repeats) {
  if (repeats == 0) return;
  if (name != last_.name) flush();
  last_.name = name;
  last_.repeats += repeats;
}

std::string NameList::finish() {
  flush();
  return std::move(text_) + "]";
}

void NameList::flush() {
  if (last_.repeats == 0) return;
  if (text_.size() > 1) text_ += ", ";
  if (last_.repeats > 1) text_ += std::to_string(last_.repeats) + " x ";
  text_ += last_.name;
  last_.repeats = 0;
}

}  // namespace refrain::trace
