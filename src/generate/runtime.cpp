// The text is that of C files in runtime/, built in by CMake. Lines with `//` that a file begins with are not
// part of kernels. Of the two that begin with `// summary:`, one is for programs under MPI, one for others.
#include "generate/runtime.hpp"

#include <vector>

#include "generate/c_items.hpp"
#include "generate/runtime_sections.hpp"

namespace refrain::generate {

std::string runtime_header(std::string_view program, bool parallel) {
  std::string_view left_out = parallel ? "// summary: serial\n" : "// summary: mpi\n";
  std::vector<CItem> items;
  for (std::string_view section : runtime_sections) {
    if (section.starts_with(left_out)) continue;
    while (section.starts_with("// ")) section.remove_prefix(section.find('\n') + 1);
    for (CItem& item : c_items(section)) items.push_back(std::move(item));
  }
  std::vector<bool> needed(items.size());
  std::vector<CWords> asking{CWords(program)};
  auto take = [&](size_t i) {
    needed[i] = true;
    asking.emplace_back(items[i].text);
  };
  for (size_t i = 0; i < items.size(); ++i)
    if (items[i].always) take(i);
  while (!asking.empty()) {
    CWords words = std::move(asking.back());
    asking.pop_back();
    for (size_t i = 0; i < items.size(); ++i)
      if (!needed[i] && words.hold(items[i])) take(i);
  }
  std::string out;
  for (size_t i = 0; i < items.size(); ++i)
    if (needed[i]) out += items[i].text;
  return out;
}

}  // namespace refrain::generate
