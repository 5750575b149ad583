// What is remembered about HDF5 identifiers so that a call need not ask the library again: the rank of a
// dataspace and how many of its points are selected, the size of a datatype, the extent of a dataset. Each
// identifier has one word for this in the table of handles (AddressTable::Place). An answer of -1 says that
// it can't be told: the identifier is unknown, or of another class.
#pragma once

#include "record/hdf5_library.hpp"
#include "record/lane.hpp"

namespace refrain::record::hdf5 {

using Place = AddressTable::Place;

/// Where an identifier that the application uses stands; one never seen gets a slot if it is valid.
Place look_at(Lane& lane, Identifier id);

// `place` is the identifier's.
int64_t space_rank(Identifier space, const Place& place);
int64_t space_points(Identifier space, const Place& place);
int64_t type_size(Identifier type, const Place& place);
int64_t dataset_rank(Identifier dataset, const Place& place);
int64_t dataset_points(Identifier dataset, const Place& place);
int64_t attribute_points(Identifier attribute, const Place& place);

/// The selection of a dataspace has changed; its rank has not. `points` is -1 if unknown.
void note_points(Identifier space, int64_t points);
/// Forgets all there is to know about an identifier.
void forget_facts(Identifier id);
/// Some dataset has got another extent: there may be several identifiers of it.
void note_new_extent();

}  // namespace refrain::record::hdf5
