// Names that calls make up, as slots: see trace/made_names.hpp. A name is known by the characters that were
// made up, with what stands before them in their component, so it is found again however the program spells
// the path, and with something behind it.
//
// A slot is free again when the name was seen to go (unlink, rename), and in use again when the name is seen
// to be there; it is forgotten when its slot gets another.
#pragma once

#include "record/lane.hpp"

namespace refrain::record {

/// Remembers that a call made up the characters before the last `suffix` ones of `path`.
void remember_made_name(Lane& lane, const char* path, size_t suffix);

/// What stands for a path in the trace; good until the lane is asked again.
const char* path_in_trace(Lane& lane, const char* path);

/// The path as it was given to a call that failed to make a name of it, which may have tried some.
const char* path_before_made(Lane& lane, const char* path, size_t suffix);

/// A call that worked showed that what the path leads to is there, or no longer.
void note_made_name(const char* path, bool there);

}  // namespace refrain::record
