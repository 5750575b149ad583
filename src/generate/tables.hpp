// Integers for which no expression was found: static tables of the kernel. Equal ones are printed once, long
// regular ones as runs; what would take pages goes to a file beside the program.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generate/c_expression.hpp"
#include "generate/table_file.hpp"
#include "trace/column.hpp"

namespace refrain::generate {

class Tables {
 public:
  /// `prefix`: of the names of tables. Without a file, all tables are part of the program.
  explicit Tables(std::string prefix = "table", TableFile* file = nullptr)
      : prefix_(std::move(prefix)), file_(file) {}

  /// Value `index` of the column, 0 outside of it. `what` is a comment: what the values are and which laws
  /// were tried.
  Expression at(const trace::Column& column, const Expression& index, std::string_view what);
  /// The name of a table of strings, given as C expressions.
  std::string of_strings(const std::vector<std::string>& strings);
  /// Name of the runs of a column, for functions of the runtime that take them.
  std::string runs(const trace::Column& column, std::string_view what);
  /// Lists for a function of the runtime that takes `source` and the type of `length` elements.
  struct Lists {
    std::string function{}, source{}, length{};
  };
  /// List `index` of the columns: as runs, or as plain numbers if most runs have one number.
  Lists list(std::span<const trace::Column> columns, const Expression& index);
  /// Name of an array of long long.
  std::string array(const trace::Column& column, std::string_view what);

  /// The definitions.
  const std::string& text() const { return text_; }

 private:
  std::string named(const std::string& declaration, const std::string& initializer, std::string_view what);
  bool too_long(const trace::Column& column, bool as_runs) const;
  std::string stored(size_t number, uint64_t size, std::string_view what);
  Expression stored_at(const trace::Column& column, const Expression& index, std::string_view what);
  std::map<std::string, std::string> names_;  ///< by declaration and initializer
  std::map<size_t, std::string> stored_;      ///< by number in the file
  std::string prefix_;
  TableFile* file_;
  size_t count_ = 0;
  std::string text_;
};

/// Bounds of the values, as tight as they can be computed cheaply.
Range range_of(const trace::Column& column);

}  // namespace refrain::generate
