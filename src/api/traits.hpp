// Traits of functions (traits.def): what is particular about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace refrain::api {

enum class Trait : uint8_t {
#define TRAIT(name, meaning) name,
#include "api/traits.def"
  end
};

/// The same without the type's name, for rows; `using enum` is unknown to GCC 10.
namespace trait_names {
#define TRAIT(name, meaning) inline constexpr Trait name = Trait::name;
#include "api/traits.def"
}  // namespace trait_names

class Traits {
 public:
  constexpr Traits() = default;
  constexpr Traits(std::initializer_list<Trait> traits) {
    for (Trait trait : traits) words_[word(trait)] |= bit(trait);
  }
  constexpr bool has(Trait trait) const { return (words_[word(trait)] & bit(trait)) != 0; }
  constexpr bool has_any(const Traits& others) const {
    for (size_t i = 0; i < words; ++i)
      if ((words_[i] & others.words_[i]) != 0) return true;
    return false;
  }
  constexpr bool operator==(const Traits&) const = default;

 private:
  static constexpr size_t words = (static_cast<size_t>(Trait::end) + 63) / 64;
  static constexpr size_t word(Trait trait) { return static_cast<size_t>(trait) / 64; }
  static constexpr uint64_t bit(Trait trait) { return uint64_t{1} << static_cast<unsigned>(trait) % 64; }
  uint64_t words_[words] = {};
};

}  // namespace refrain::api
