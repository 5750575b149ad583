#include "cli/headers.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>

#include "api/layers.hpp"

namespace refrain::cli {

namespace {

namespace fs = std::filesystem;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The text without comments, preprocessor lines, and the contents of string literals.
std::string bare(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    std::string_view rest = text.substr(i);
    if (rest.starts_with("/*")) {
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 1;
      out += ' ';
    } else if (rest.starts_with("//")) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '#' && line_begins) {
      while (i < text.size() && (text[i] != '\n' || text[i - 1] == '\\')) ++i;
    } else if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        if (text[i] == '\\') ++i;
      out += '"';
    } else {
      line_begins = c == '\n' || (line_begins && std::isspace(static_cast<unsigned char>(c)) != 0);
      out += c;
      continue;
    }
    line_begins = c == '#';
  }
  return out;
}

/// The first word of this prefix that stands before a parenthesis.
std::string called_name(std::string_view declaration, std::string_view prefix) {
  size_t at = 0;
  while ((at = declaration.find(prefix, at)) != std::string_view::npos) {
    size_t end = at;
    while (end < declaration.size() && is_word(declaration[end])) ++end;
    size_t next = declaration.find_first_not_of(" \t\r\n", end);
    bool whole = at == 0 || !is_word(declaration[at - 1]);
    if (whole && next != std::string_view::npos && declaration[next] == '(')
      return std::string(declaration.substr(at, end - at));
    at = end;
  }
  return {};
}

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The names in lines like `#include "NAME"` or `#include <NAME>`, as MPICH has it.
std::vector<std::string> included(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#' || line.find("include") == std::string::npos) continue;
    size_t begin = line.find_first_of("\"<"), end = line.find_last_of("\">");
    if (begin < end && end != std::string::npos) names.push_back(line.substr(begin + 1, end - begin - 1));
  }
  return names;
}

/// The text of a header and of all that it includes from its own folder.
std::vector<std::string> with_included(const fs::path& folder, const std::string& header) {
  std::vector<std::string> names{header}, texts;
  for (size_t i = 0; i < names.size(); ++i) {
    texts.push_back(read_text(folder / names[i]));
    for (std::string& name : included(texts.back()))
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return texts;
}

/// What a command prints; empty if it can't be run.
std::string output_of(const char* command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command, "r"), pclose);
  std::string text;
  if (!pipe) return text;
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe.get())) > 0;) text.append(buffer, n);
  return text;
}

}  // namespace

std::vector<std::string> declared_functions(std::string_view text, std::string_view prefix) {
  std::string code = bare(text), declaration;
  std::set<std::string> names;
  size_t depth = 0;
  for (char c : code) {
    if (c == '{') {
      // What is in an `extern "C"` block is declared at the outermost level all the same.
      bool block =
          declaration.find("extern") != std::string::npos && declaration.find('"') != std::string::npos;
      if (depth > 0 || !block) ++depth;
      if (depth == 0) declaration.clear();
    } else if (c == '}') {
      if (depth > 0) --depth;
      if (depth == 0 && declaration.find('(') != std::string::npos) declaration.clear();
    } else if (depth == 0 && c == ';') {
      if (declaration.find("typedef") == std::string::npos) names.insert(called_name(declaration, prefix));
      declaration.clear();
    } else if (depth == 0) {
      declaration += c;
    }
  }
  names.erase("");
  return {names.begin(), names.end()};
}

std::vector<Library> installed_libraries(const std::vector<fs::path>& folders) {
  std::vector<Library> libraries;
  for (const api::LayerFacts& known : api::layers) {
    if (known.header == nullptr) continue;
    std::error_code ignored;
    auto folder = std::find_if(folders.begin(), folders.end(), [&](const fs::path& f) {
      return fs::is_regular_file(f / known.header, ignored);
    });
    if (folder == folders.end()) continue;
    std::set<std::string> names;
    for (const std::string& text : with_included(*folder, known.header))
      for (std::string& name : declared_functions(text, known.prefix)) names.insert(std::move(name));
    libraries.push_back({std::string(known.product), *folder / known.header, {names.begin(), names.end()}});
  }
  return libraries;
}

std::vector<fs::path> header_folders() {
  std::vector<fs::path> folders;
  for (const char* command :
       {"mpicc --showme:compile 2>/dev/null", "mpicc -show 2>/dev/null",
        "pkg-config --cflags hdf5-openmpi 2>/dev/null", "pkg-config --cflags hdf5-mpich 2>/dev/null",
        "pkg-config --cflags hdf5 2>/dev/null", "pkg-config --cflags hdf5-serial 2>/dev/null"}) {
    std::istringstream words(output_of(command));
    for (std::string word; words >> word;)
      if (word.starts_with("-I")) folders.emplace_back(word.substr(2));
  }
  for (const api::LayerFacts& layer : api::layers) {  // what Debian's netcdf-mpi says of its folder is wrong
    std::istringstream packages(std::string(layer.parallel_package) + " " + std::string(layer.package));
    for (std::string package, prefix; packages >> package;) {
      std::istringstream(output_of(("pkg-config --variable=prefix " + package + " 2>/dev/null").c_str())) >>
          prefix;
      if (!prefix.empty()) folders.emplace_back(prefix + "/include");
    }
  }
  folders.insert(folders.end(), {"/usr/local/include", "/usr/include"});
  return folders;
}

}  // namespace refrain::cli
