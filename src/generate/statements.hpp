// Lines of a C function.
#pragma once

#include <string>
#include <string_view>

namespace refrain::generate {

/// Statements of a function body with their indentation.
class Statements {
 public:
  /// Breaks long lines after commas.
  void put(const std::string& line) {
    std::string indent(2 * depth_, ' ');
    std::string_view left = line;
    while (left.size() + indent.size() > widest) {
      size_t at = break_before(left, widest - indent.size());
      if (at == std::string_view::npos) break;
      text_ += indent + std::string(left.substr(0, at)) + "\n";
      left.remove_prefix(at + 1);
      indent = std::string(2 * depth_ + 4, ' ');
    }
    text_ += indent + std::string(left) + "\n";
  }
  void open(const std::string& line) {
    put(line + " {");
    ++depth_;
  }
  void close() {
    --depth_;
    put("}");
  }
  std::string take() { return std::move(text_); }

 private:
  static constexpr size_t widest = 110;

  /// The last blank after a comma before `limit`, outside of strings; if there is none, the first one after
  /// `limit`.
  static size_t break_before(std::string_view line, size_t limit) {
    size_t found = std::string_view::npos;
    bool in_string = false;
    for (size_t i = 1; i < line.size(); ++i) {
      if (line[i] == '"' && line[i - 1] != '\\') in_string = !in_string;
      if (in_string || line[i] != ' ' || line[i - 1] != ',') continue;
      if (i > limit && found != std::string_view::npos) break;
      found = i;
    }
    return found;
  }

  size_t depth_ = 1;
  std::string text_;
};

}  // namespace refrain::generate
