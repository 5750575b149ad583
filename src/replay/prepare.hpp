// Makes the files that the recorded program found, so that its trace can be replayed where they are not.
#pragma once

#include "base/result.hpp"
#include "plan/inputs.hpp"
#include "replay/root.hpp"
#include "replay/world.hpp"

namespace refrain::replay {

/// Rank 0 makes the inputs, in a process of its own so that nothing of it stays behind in this one; the
/// others wait for it. What is there already stays.
Result<void> prepare(const plan::Inputs& inputs, Root& root, const Place& place, bool parallel_hdf5);

/// Whether a file that `prepare` would make is missing.
bool lacks_inputs(const plan::Inputs& inputs, Root& root);

/// Tidies up, when all ranks have gone on.
void end_preparation(const Root& root, const Place& place);

}  // namespace refrain::replay
