// Paths and other strings of calls as C: a literal where nothing in it varies, otherwise a printf format with
// its numbers. Paths become their images below the kernel's root and get names of their own at the top of the
// program.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "generate/c_expression.hpp"
#include "generate/tables.hpp"
#include "trace/trace.hpp"

namespace refrain::generate {

class Strings {
 public:
  /// `moves`: the program changes its working directory, so relative paths are resolved at run time.
  Strings(const std::vector<trace::Template>& templates, Tables& tables, bool moves)
      : templates_(templates), tables_(tables), moves_(moves) {}

  /// The C expression (a const char*) of template number `index` filled with `fields`.
  std::string text(const Expression& index, const std::vector<Expression>& fields);
  /// How a path is printed.
  enum class Spelling : uint8_t {
    text,     ///< not a path: unchanged
    raw,      ///< unchanged: resolved at run time
    image,    ///< below the root, unless the program changes its working directory
    library,  ///< the same, for a name that a library may take apart
    later,    ///< always below the root, for a library that may open it from any directory
  };
  /// The same for a path, which gets a name of its own. The kernel checks at run time where it leads.
  std::string path(const Expression& index, const std::vector<Expression>& fields, Spelling spelling);

  /// Whether it may contain a name that a call made up; see trace/made_names.hpp.
  bool may_hold_made_name(const Expression& index) const;

  /// Definitions of the names that paths got.
  const std::string& definitions() const { return definitions_; }

 private:
  struct Piece;
  std::vector<Piece> pieces(const trace::Template& t, const std::vector<Expression>& fields,
                            Spelling spelling) const;
  std::string one(const trace::Template& t, const std::vector<Expression>& fields, Spelling spelling);
  std::string several(const Expression& index, const std::vector<Expression>& fields, Spelling spelling);
  std::string print(const Expression& index, const std::vector<Expression>& fields, Spelling spelling);
  std::string named(const std::string& literal);

  const std::vector<trace::Template>& templates_;
  Tables& tables_;
  bool moves_;
  std::map<std::string, std::string> names_;  ///< of literals
  std::map<std::string, size_t> used_;        ///< how often a name was given
  std::string definitions_;
};

}  // namespace refrain::generate
