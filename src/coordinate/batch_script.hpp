// The script that `refrain submit` hands to sbatch: the user's own, which when it starts looks up what the
// dispatcher wrote into its job (dispatch_note.hpp) and goes under the gate of its I/O node.
#pragma once

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
};

/// An error if the text is no script. Whatever is missing when it starts, the program, Slurm's answer, a
/// coordinator in it: the user's script runs, then without a gate.
Result<std::string> wrapped_script(const BatchScript& script);

}  // namespace refrain::coordinate
