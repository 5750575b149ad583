// The script that `refrain submit` hands to sbatch: the user's own, which when it starts looks up what the
// dispatcher wrote into its job (dispatch_note.hpp) and goes under the gate of its I/O node.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace refrain::coordinate {

struct BatchScript {
  std::string text{};                   ///< the user's script
  std::vector<std::string> defaults{};  ///< options of sbatch that yield to the user's
  std::string refrain{};                ///< absolute path of the program
  std::string trace{};                  ///< absolute path of the profile for the gate; may be empty
  uint32_t ranks = 0;                   ///< for which it is meant, if it is scale-free
};

/// An error if the text is no script. Whatever is missing when it starts, the program, Slurm's answer, a
/// coordinator in it: the user's script runs, then without a gate. Further options for the gate, keys say,
/// can be given in REFRAIN_RUN_OPTIONS.
Result<std::string> wrapped_script(const BatchScript& script);

}  // namespace refrain::coordinate
