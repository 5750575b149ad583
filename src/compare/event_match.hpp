// Whether two calls are the same, and if not, the first thing in which they differ: function, an argument,
// the outcome. Compared by meaning: strings as they read, lists element by element.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "compare/meaning.hpp"

namespace refrain::compare {

/// One call with the values of its parameters.
struct Call {
  uint32_t signature;
  std::span<const int64_t> parameters;
};

struct Mismatch {
  enum class Kind : uint8_t { function, number_of_arguments, argument, result };
  Kind kind = Kind::function;
  uint32_t argument = 0;              ///< argument: its number, from 1
  std::optional<uint64_t> element{};  ///< argument that is a list: place in it, from 1
  std::string meaning{};              ///< argument: what it is, as far as the trace says: "offset", "fd"
  std::array<std::string, 2> values{};
};

/// Whether the calls are the same, for the common case: nothing but numbers to compare. A "no" is not final.
bool same_at_a_glance(const Meanings& meanings, const Call& here, const Call& there);

/// The first difference, or nothing if there is none.
std::optional<Mismatch> mismatch(const Meanings& meanings, const Call& here, const Call& there);

}  // namespace refrain::compare
