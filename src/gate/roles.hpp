// What the gate does about the functions that Refrain knows: decided by their rows (src/api), so that a new
// row is gated without a word here.
#pragma once

#include "api/table.hpp"

namespace refrain::gate {

enum class Role {
  none,      ///< not hooked: opening, naming, asking
  transfer,  ///< moves data: waits for the job's turn if it is the outermost call
  sync,      ///< brings to the disk what was moved: never waits, but the phase lasts until it is done
  release,   ///< ends what a descriptor stands for: never waits
};

Role role_of(const api::Row& row);

}  // namespace refrain::gate
