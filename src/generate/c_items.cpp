#include "generate/c_items.hpp"

#include <algorithm>
#include <array>

namespace refrain::generate {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

bool is_keyword(std::string_view word) {
  constexpr std::array<std::string_view, 26> keywords{
      "static",        "inline",  "extern",      "const",    "volatile",  "struct",   "enum",
      "long",          "int",     "char",        "double",   "void",      "unsigned", "_Thread_local",
      "size_t",        "ssize_t", "hid_t",       "herr_t",   "FILE",      "haddr_t",  "off64_t",
      "__attribute__", "mode_t",  "MPI_Request", "MPI_Comm", "MPI_Status"};
  return std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}

/// The text with strings, characters and comments replaced by blanks; its length stays the same.
std::string code_of(std::string_view text) {
  std::string out(text);
  for (size_t i = 0; i < out.size(); ++i) {
    size_t end = std::string::npos;
    if (out.compare(i, 2, "/*") == 0) {
      end = out.find("*/", i + 2) + 2;
    } else if (out.compare(i, 2, "//") == 0) {
      end = out.find('\n', i);
    } else if (out[i] == '"' || out[i] == '\'') {
      end = i + 1;
      while (end < out.size() && out[end] != out[i]) end += out[end] == '\\' ? 2 : 1;
      ++end;
    } else {
      continue;
    }
    end = std::min(end, out.size());
    for (; i < end; ++i)
      if (out[i] != '\n') out[i] = ' ';
    --i;
  }
  return out;
}

/// Calls `use(word, what follows)` for all words.
template <class Use>
void for_words(std::string_view code, Use use) {
  for (size_t i = 0; i < code.size();) {
    size_t end = i;
    while (end < code.size() && is_word(code[end])) ++end;
    if (end > i && is_letter(code[i])) use(code.substr(i, end - i), code.substr(end));
    i = end == i ? i + 1 : end;
  }
}

/// The code outside of all brackets, without initializers.
std::string declarators(std::string_view code) {
  std::string out;
  int depth = 0;
  bool in_value = false;
  for (char c : code) {
    bool closes = c == ')' || c == ']' || c == '}';
    depth += c == '(' || c == '[' || c == '{' ? 1 : closes ? -1 : 0;
    if (depth == 0 && c == '=') in_value = true;
    if (depth == 0 && (c == ',' || c == ';')) in_value = false;
    bool opens = c == '(' || c == '[' || c == '{';
    if (!in_value && ((depth == 0 && !closes) || (depth == 1 && opens))) out += c;
  }
  return out;
}

std::vector<std::string> declared(std::string_view code) {
  std::vector<std::string> names;
  std::string outside = declarators(code);
  std::string_view before;
  for_words(outside, [&](std::string_view word, std::string_view rest) {
    bool of_type = before == "struct" || before == "enum";
    bool defines = !of_type || rest.substr(rest.find_first_not_of(' ')).starts_with('{');
    if (!is_keyword(word) && defines) names.emplace_back(word);
    before = word;
  });
  if (code.starts_with("enum"))
    for_words(code.substr(code.find('{')), [&](std::string_view word, auto) { names.emplace_back(word); });
  if (size_t pointer = code.find("(*"); names.empty() && pointer != std::string_view::npos)
    for_words(code.substr(pointer, code.find(')', pointer) - pointer),
              [&](std::string_view word, auto) { names.emplace_back(word); });
  return names;
}

/// The end of the item at `begin`: after a directive, or after the first line that closes all braces and ends
/// a declaration.
size_t end_of_item(std::string_view code, size_t begin) {
  bool directive = code[begin] == '#';
  int depth = 0;
  for (size_t i = begin; i < code.size(); ++i) {
    depth += code[i] == '{' ? 1 : code[i] == '}' ? -1 : 0;
    if (code[i] != '\n') continue;
    size_t last = code.find_last_not_of(" \n", i);
    bool ends = directive ? code[last] != '\\' : depth == 0 && (code[last] == ';' || code[last] == '}');
    if (ends) return i + 1;
  }
  return code.size();
}

void name_directive(CItem& item, size_t begin) {
  std::string_view line = std::string_view(item.text).substr(begin);
  size_t comment = item.text.find(" // ", begin);
  if (line.starts_with("#define ")) {
    std::string_view name = line.substr(8, line.find_first_of(" (\n", 8) - 8);
    item.always = line[8 + name.size()] == '\n';  // for others to see
    item.names.emplace_back(name);
    return;
  }
  item.always = !line.starts_with("#include") || comment == std::string::npos;
  if (item.always) return;
  std::string_view names = std::string_view(item.text).substr(comment + 4);
  for (size_t at = 0; at < names.size();) {
    size_t end = std::min(names.find_first_of(" \n", at), names.size());
    if (end > at) item.names.emplace_back(names.substr(at, end - at));
    at = end + 1;
  }
  item.text.resize(item.text.find_last_not_of(' ', comment) + 1);
  item.text += '\n';
}

}  // namespace

std::vector<CItem> c_items(std::string_view text) {
  std::string code = code_of(text);
  std::vector<CItem> items;
  for (size_t at = 0; at < text.size();) {
    size_t begin = code.find_first_not_of(" \n", at);
    if (begin == std::string::npos) break;
    size_t end = end_of_item(code, begin);
    CItem item{.text = std::string(text.substr(at, end - at))};
    if (code[begin] == '#')
      name_directive(item, begin - at);
    else
      item.names = declared(std::string_view(code).substr(begin, end - begin));
    items.push_back(std::move(item));
    at = end;
  }
  return items;
}

CWords::CWords(std::string_view text) {
  for_words(code_of(text), [&](std::string_view word, auto) { words_.emplace_back(word); });
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
}

bool CWords::hold(const CItem& item) const {
  return std::any_of(item.names.begin(), item.names.end(), [&](std::string_view name) {
    bool prefix = name.ends_with('*');
    if (prefix) name.remove_suffix(1);
    if (name.starts_with('*')) {
      name.remove_prefix(1);
      return std::any_of(words_.begin(), words_.end(),
                         [&](const std::string& w) { return w.ends_with(name); });
    }
    auto found = std::lower_bound(words_.begin(), words_.end(), name);
    if (found == words_.end()) return false;
    return prefix ? found->starts_with(name) : *found == name;
  });
}

}  // namespace refrain::generate
