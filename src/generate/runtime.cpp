// The sections are C files in runtime/, built in by CMake. The first lines of each say when it is needed:
// `// always`, `// summary: mpi`, or `// provides:` and the names whose mention asks for it.
#include "generate/runtime.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "generate/runtime_sections.hpp"

namespace refrain::generate {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool mentions(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    bool begins = at == 0 || !is_word(text[at - 1]);
    size_t end = at + word.size();
    if (begins && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

struct Section {
  std::vector<std::string_view> conditions{};
  std::string_view body{};
  bool needed = false;

  bool provides_for(std::string_view text) const {
    constexpr std::string_view mark = "// provides: ";
    for (std::string_view condition : conditions) {
      if (!condition.starts_with(mark)) continue;
      for (std::string_view names = condition.substr(mark.size()); !names.empty();) {
        size_t blank = std::min(names.find(' '), names.size());
        if (mentions(text, names.substr(0, blank))) return true;
        names.remove_prefix(std::min(blank + 1, names.size()));
      }
    }
    return false;
  }
};

std::vector<Section> sections(bool parallel) {
  std::vector<Section> out;
  for (std::string_view text : runtime_sections) {
    Section s;
    for (; text.starts_with("// "); text.remove_prefix(s.conditions.back().size() + 1))
      s.conditions.push_back(text.substr(0, text.find('\n')));
    s.body = text;
    std::string_view first = s.conditions.front();
    s.needed = first == "// always" || first == (parallel ? "// summary: mpi" : "// summary: serial");
    out.push_back(std::move(s));
  }
  return out;
}

}  // namespace

std::string runtime_header(std::string_view program, bool parallel) {
  std::vector<Section> all = sections(parallel);
  std::vector<std::string_view> asking{program};
  while (!asking.empty()) {
    std::string_view text = asking.back();
    asking.pop_back();
    for (Section& s : all) {
      if (s.needed || !s.provides_for(text)) continue;
      s.needed = true;
      asking.push_back(s.body);
    }
  }
  std::string out;
  for (const Section& s : all)
    if (s.needed) out += (out.empty() ? "" : "\n") + std::string(s.body);
  return out;
}

}  // namespace refrain::generate
