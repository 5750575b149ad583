// Facts about identifiers; see hdf5_facts.hpp.
#include "record/hdf5_facts.hpp"

#include "record/look.hpp"

namespace refrain::record::hdf5 {
namespace {

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

std::atomic<uint64_t> extent_changes{0};

uint64_t epoch() { return extent_changes.load(std::memory_order_relaxed) & 0xffff; }

using Place = AddressTable::Place;

/// Where the facts of `id` are, if it is one of this class: only then may the library be asked.
Place find(Identifier id, HandleClass wanted) {
  Place place = shared.addresses.look(static_cast<uint64_t>(id));
  bool known =
      place.handle.tracked() || place.handle.predefined() || place.handle.state == Handle::State::ignored;
  if (place.fact == nullptr || !known || class_of(id) != wanted) return {};
  return place;
}

Shape shape_at(const Place& place) { return Shape::unpack(place.fact->load(std::memory_order_relaxed)); }
void store(const Place& place, const Shape& shape) {
  place.fact->store(shape.pack(), std::memory_order_relaxed);
}

/// The extent behind a dataset or attribute, asked for if it isn't known or may have changed.
Shape object_shape(Identifier id, HandleClass c, bool (*ask)(Identifier, Extent&)) {
  Place place = find(id, c);
  if (place.fact == nullptr) return {};
  Shape shape = shape_at(place);
  if (shape.rank >= 0 && shape.points >= 0 && shape.epoch == epoch()) return shape;
  Extent extent;
  shape = {.epoch = epoch()};
  if (ask(id, extent)) shape = {extent.rank, extent.points, epoch()};
  store(place, shape);
  return shape;
}

Handle meet(Lane& lane, Identifier id) {
  if (id <= 0) return Handle();
  HandleClass c = class_of(id);
  if (c == HandleClass::h5_type || c == HandleClass::h5_class || c == HandleClass::h5_plist) {
    name_predefined();
    Handle handle = shared.addresses.get(static_cast<uint64_t>(id));
    if (handle.state != Handle::State::unknown) return handle;
  }
  if (!is_valid(id)) return Handle();
  return name_address(lane, c, reinterpret_cast<const void*>(id));
}

}  // namespace

Handle look_at(Lane& lane, Identifier id) {
  Handle handle = shared.addresses.get(static_cast<uint64_t>(id));
  return handle.state != Handle::State::unknown ? handle : meet(lane, id);
}

int64_t space_rank(Identifier space) {
  Place place = find(space, HandleClass::h5_space);
  if (place.fact == nullptr) return -1;
  Shape shape = shape_at(place);
  if (shape.rank < 0) {
    shape.rank = rank_of_space(space);
    store(place, shape);
  }
  return shape.rank;
}

int64_t space_points(Identifier space) {
  Place place = find(space, HandleClass::h5_space);
  if (place.fact == nullptr) return -1;
  Shape shape = shape_at(place);
  if (shape.points < 0) {
    shape.points = selected_points(space);
    store(place, shape);
  }
  return shape.points;
}

int64_t type_size(Identifier type) {
  Place place = find(type, HandleClass::h5_type);
  if (place.fact == nullptr) return -1;
  uint64_t known = place.fact->load(std::memory_order_relaxed);
  if (known == 0) {
    known = static_cast<uint64_t>(size_of_type(type)) + 1;
    place.fact->store(known, std::memory_order_relaxed);
  }
  return static_cast<int64_t>(known - 1);
}

int64_t dataset_rank(Identifier dataset) {
  return object_shape(dataset, HandleClass::h5_dataset, extent_of_dataset).rank;
}
int64_t dataset_points(Identifier dataset) {
  return object_shape(dataset, HandleClass::h5_dataset, extent_of_dataset).points;
}
int64_t attribute_points(Identifier attribute) {
  return object_shape(attribute, HandleClass::h5_attribute, extent_of_attribute).points;
}

int64_t transfer_points(Identifier dataset, Identifier memory_space, Identifier file_space) {
  constexpr Identifier all = 0;  // H5S_ALL
  if (memory_space != all) return space_points(memory_space);
  if (file_space != all) return space_points(file_space);
  return dataset_points(dataset);
}

void note_points(Identifier space, int64_t points) {
  Place place = find(space, HandleClass::h5_space);
  if (place.fact == nullptr) return;
  Shape shape = shape_at(place);
  shape.points = points;
  store(place, shape);
}

void forget_facts(Identifier id) {
  Place place = shared.addresses.look(static_cast<uint64_t>(id));
  if (place.fact != nullptr) place.fact->store(0, std::memory_order_relaxed);
}

void note_new_extent() { extent_changes.fetch_add(1, std::memory_order_relaxed); }

}  // namespace refrain::record::hdf5
