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
  /// `moves`: the program goes from folder to folder, so where a path leads is known only when it runs.
  Strings(const std::vector<trace::Template>& templates, Tables& tables, bool moves)
      : templates_(templates), tables_(tables), moves_(moves) {}

  /// The C expression (a const char*) of template number `index` filled with `fields`.
  std::string text(const Expression& index, const std::vector<Expression>& fields);
  /// How a path is printed.
  enum class Spelling : uint8_t {
    text,     ///< no path, as it is
    raw,      ///< as it is: what it is relative to is known only when the program runs
    image,    ///< below the root, unless the program goes from folder to folder
    library,  ///< the same, of a name that a library may take apart
    later,    ///< below the root in any case, for a library that uses it from where it likes
  };
  /// The same for a path, by the name that it gets. Where it leads is to be looked at when the program runs.
  std::string path(const Expression& index, const std::vector<Expression>& fields, Spelling spelling);

  /// Whether a name that a call made up may stand in it; see trace/made_names.hpp.
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
