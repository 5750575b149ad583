// Makes the files that the recorded program found, so that its trace can be replayed where they are not.
#pragma once

#include "base/result.hpp"
#include "plan/inputs.hpp"
#include "replay/root.hpp"
#include "replay/world.hpp"

namespace refrain::replay {

/// Rank 0 makes the inputs, in a child process so that no state is left in this one; other ranks wait.
/// Existing files are kept.
Result<void> prepare(const plan::Inputs& inputs, Root& root, const Place& place, bool parallel_hdf5);

/// Whether a file that `prepare` would make is missing.
bool lacks_inputs(const plan::Inputs& inputs, Root& root);

/// Removes helper files; to be called when all ranks have gone on.
void end_preparation(const Root& root, const Place& place);

}  // namespace refrain::replay
