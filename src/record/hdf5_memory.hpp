// Memory that one call of HDF5 fills and another takes (see known_memory.hpp): which piece it is. A reference
// is known by its bytes and the file that it leads into: files have objects at the same places. An encoded
// object tells its own length, and so does the value of an external link, which is two strings.
#pragma once

#include "record/library_call.hpp"

namespace refrain::record::hdf5 {

/// Gives the memory of a call that succeeded its slot. What no recorded call of this thread has filled, or
/// what was forgotten since, gets none, unless it is a reference to an object with a name.
void name_memory(LibraryCall& call);
/// The same before a call that changes or ends what it takes.
void name_memory_before(LibraryCall& call);

/// The number of the reference to an object that lies at `reference`, in what the call writes to the file of
/// its first argument; it is made, by an event before the call, if it isn't known and the object has a name.
KnownMemory::Number number_of_reference(LibraryCall& call, const char* reference);

/// From now on, ranks may have to read what a file says of its objects all at once.
void note_reading_together();

}  // namespace refrain::record::hdf5
