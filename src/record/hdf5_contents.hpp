// What elements in memory hold besides bytes: sequences and strings of variable length, as their lengths, and
// references to objects, as the slots of what H5Rcreate left (see hdf5_memory.hpp). It is one list of
// numbers, in the order in which elements, members and sequences hold them, and who makes the call again
// follows the datatype to put such things together:
//
//     for every string of variable length      how many characters, -1 for NULL
//     for every sequence                       how many elements, then what these hold
//     for every reference to an object         the number of the reference, -1 if it leads nowhere known
#pragma once

#include "record/hdf5_library.hpp"
#include "record/library_call.hpp"

namespace refrain::record::hdf5 {

/// Whether elements of the type hold any of it.
bool holds_more_than_bytes(Identifier type);

/// Finds out what the elements hold that H5Dwrite or H5Awrite, which worked, was given: call.lane.contents,
/// if call.has_contents. There is none where there would be more than a trace keeps.
void find_contents(LibraryCall& call);

}  // namespace refrain::record::hdf5
