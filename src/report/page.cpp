#include "report/page.hpp"

#include <fmt/core.h>

#include "report/page_text.hpp"

namespace refrain::report {
namespace {

/// Data inside of a script element: nothing in it may end that. Only strings of JSON hold such a sign.
std::string script_text(std::string_view json) {
  std::string safe;
  for (char c : json)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

/// Puts the pieces in place of the word.
void replace(std::string& page, std::string_view word, std::string_view text) {
  size_t at = page.find(word);
  if (at != std::string::npos) page.replace(at, word.size(), text);
}

template <size_t n>
std::string together(const std::string_view (&pieces)[n]) {
  std::string text;
  for (std::string_view piece : pieces) text += piece;
  return text;
}

}  // namespace

bool has_page() { return true; }

std::string page_of(std::string_view runs) {
  std::string page = together(page_html);
  replace(page, "@STYLES@", together(page_styles));
  replace(page, "@SCRIPTS@", together(page_scripts));
  replace(page, "@DATA@", fmt::format(R"({{"runs":{}}})", script_text(runs)));
  return page;
}

}  // namespace refrain::report
