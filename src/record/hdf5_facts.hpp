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

/// How the word of a dataspace, dataset or attribute is made up. 0 says unknown in each part.
struct Shape {
  int64_t rank = -1;
  int64_t points = -1;
  uint64_t epoch = 0;  ///< datasets: how often some extent had changed when this was true

  static constexpr int rank_bits = 8, epoch_bits = 16;
  static constexpr int64_t most_points = (int64_t{1} << 39) - 2;
  uint64_t pack() const {
    uint64_t stored = points < 0 || points > most_points ? 0 : static_cast<uint64_t>(points) + 1;
    return static_cast<uint64_t>(rank + 1) | epoch << rank_bits | stored << (rank_bits + epoch_bits);
  }
  static Shape unpack(uint64_t word) {
    return {static_cast<int64_t>(word & 0xff) - 1, static_cast<int64_t>(word >> (rank_bits + epoch_bits)) - 1,
            word >> rank_bits & 0xffff};
  }
};

/// What is remembered of a recorded dataspace, and the size of a recorded or predefined datatype: -1 where
/// the library would have to be asked.
inline Shape known_space(const Place& place) {
  bool space = place.handle.tracked() && place.handle.handle_class() == HandleClass::h5_space;
  return space ? Shape::unpack(place.fact->load(std::memory_order_relaxed)) : Shape();
}
inline int64_t known_type_size(const Place& place) {
  bool type = place.fact != nullptr && place.handle.handle_class() == HandleClass::h5_type;
  return type ? static_cast<int64_t>(place.fact->load(std::memory_order_relaxed)) - 1 : -1;
}

/// The selection of a dataspace has changed; its rank has not. `points` is -1 if unknown.
void note_points(Identifier space, int64_t points);
/// The same where the space is known to be recorded.
inline void note_points_at(const Place& place, int64_t points) {
  Shape shape = known_space(place);
  if (shape.rank < 0) return;
  shape.points = points;
  place.fact->store(shape.pack(), std::memory_order_relaxed);
}
/// Forgets all there is to know about an identifier.
void forget_facts(Identifier id);
/// Some dataset has got another extent: there may be several identifiers of it.
void note_new_extent();

}  // namespace refrain::record::hdf5
