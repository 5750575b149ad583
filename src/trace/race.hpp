// Calls whose outcome is chance: files that ranks or threads race for. See docs/decisions/0017.
#pragma once

#include <cstdint>
#include <map>

namespace refrain::trace {

enum class Race : uint8_t {
  outcome,   ///< whether it works depends on who is first
  attempt,   ///< it asks for what another makes or removes: how often it does, and the answer, is chance
  question,  ///< the same, and it found what another had made; it can wait for that
  position,  ///< it tells where a file ends to which others append as well
};
/// By number of the signature.
using Races = std::map<uint32_t, Race>;

}  // namespace refrain::trace
