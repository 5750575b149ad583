// What the numbers in two traces mean. Signatures, templates and lists stand in tables whose order is an
// accident of recording; here entries of both traces get a common number if and only if they mean the same.
// Call sites, brackets and roles are left aside: two calls are the same if a reader of `dump` would say so.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/race.hpp"
#include "trace/trace.hpp"

namespace refrain::compare {

/// Which of the two traces.
enum class Side : uint8_t { here, there };

/// How two values of a parameter are compared.
enum class ParameterKind : uint8_t {
  number,
  text,  ///< number of a template
  path,  ///< number of a template whose string is a path
  list,  ///< number of a long list
};

/// Whether strings of this call name files, so that their images are as good as they are.
bool names_files(const trace::Signature& signature);

class Meanings {
 public:
  /// Both traces must outlive this. `root`: where the calls of `there` were made; see path_image.
  Meanings(const trace::Trace& here, const trace::Trace& there, std::string root,
           std::array<trace::Races, 2> races = {});

  const trace::Trace& trace(Side side) const { return *traces_[index(side)]; }

  /// How chance has a part in calls of this signature; nothing if it hasn't.
  std::optional<trace::Race> race(Side side, uint32_t signature) const {
    const trace::Races& of_side = races_[index(side)];
    auto found = of_side.find(signature);
    return found == of_side.end() ? std::nullopt : std::optional(found->second);
  }

  /// Equal for signatures that mean the same.
  uint32_t signature(Side side, uint32_t number) const { return signatures_[index(side)][number]; }
  /// One per parameter of the signatures with this common number.
  const std::vector<ParameterKind>& parameters(uint32_t common) const { return parameters_[common]; }
  /// Equal for values that mean the same; if they differ, filled strings may still be equal.
  int64_t value(Side side, ParameterKind kind, int64_t v) const;
  /// Whether value() is the identity on both sides for this kind: then values need no translation.
  bool identical(ParameterKind kind) const { return identical_[static_cast<size_t>(kind)]; }

  /// The string with these parameters (number of the template, fields), as far as they make sense; of a
  /// path, its image.
  std::string filled(Side side, const int64_t* parameters, uint32_t fields, bool is_path) const;

 private:
  static size_t index(Side side) { return static_cast<size_t>(side); }
  const std::vector<uint32_t>& table(Side side, ParameterKind kind) const {
    return tables_[static_cast<size_t>(kind)][index(side)];
  }
  void number_signatures();
  void number_templates();
  void number_lists();
  std::string template_key(Side side, const trace::Template& t, bool is_path) const;

  std::array<const trace::Trace*, 2> traces_;
  std::string root_;
  std::array<trace::Races, 2> races_;
  std::array<std::vector<uint32_t>, 2> signatures_;
  std::vector<std::vector<ParameterKind>> parameters_;
  std::array<std::array<std::vector<uint32_t>, 2>, 4> tables_;  ///< by kind; none for numbers
  std::array<bool, 4> identical_{};
};

}  // namespace refrain::compare
