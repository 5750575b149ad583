// Facts about identifiers; see hdf5_facts.hpp.
#include "record/hdf5_facts.hpp"

#include "record/hdf5_contents.hpp"

#include "record/look.hpp"

namespace refrain::record::hdf5 {
namespace {

std::atomic<uint64_t> extent_changes{0};

uint64_t epoch() { return extent_changes.load(std::memory_order_relaxed) & 0xffff; }

/// Whether the identifier is known to be of this class: only then may the library be asked.
bool is_a(HandleClass wanted, Identifier id, const Place& place) {
  if (place.fact == nullptr || place.handle.state() == Handle::State::unknown) return false;
  bool ignored = place.handle.state() == Handle::State::ignored;
  return (ignored ? class_of(id) : place.handle.handle_class()) == wanted;
}

Shape shape_at(const Place& place) { return Shape::unpack(place.fact->load(std::memory_order_relaxed)); }
void store(const Place& place, const Shape& shape) {
  place.fact->store(shape.pack(), std::memory_order_relaxed);
}

/// The extent behind a dataset or attribute, asked for if it isn't known or may have changed.
Shape object_shape(Identifier id, HandleClass c, const Place& place, bool (*ask)(Identifier, Extent&)) {
  if (!is_a(c, id, place)) return {};
  Shape shape = shape_at(place);
  if (shape.rank >= 0 && shape.points >= 0 && shape.epoch == epoch()) return shape;
  Extent extent;
  shape = {.epoch = epoch()};
  if (ask(id, extent)) shape = {extent.rank, extent.points, epoch()};
  store(place, shape);
  return shape;
}

Place meet(Lane& lane, Identifier id) {
  if (id <= 0) return {};
  HandleClass c = class_of(id);
  if (c == HandleClass::h5_type || c == HandleClass::h5_class || c == HandleClass::h5_plist) {
    name_predefined();
    Place place = shared.addresses.look(static_cast<uint64_t>(id));
    if (place.handle.state() != Handle::State::unknown) return place;
  }
  if (!is_valid(id)) return {};
  name_address(lane, c, reinterpret_cast<const void*>(id));
  return shared.addresses.look(static_cast<uint64_t>(id));
}

}  // namespace

Place look_at(Lane& lane, Identifier id) {
  Place place = shared.addresses.look(static_cast<uint64_t>(id));
  return place.handle.state() != Handle::State::unknown ? place : meet(lane, id);
}

int64_t space_rank(Identifier space, const Place& place) {
  if (!is_a(HandleClass::h5_space, space, place)) return -1;
  Shape shape = shape_at(place);
  if (shape.rank < 0) {
    shape.rank = rank_of_space(space);
    store(place, shape);
  }
  return shape.rank;
}

int64_t space_points(Identifier space, const Place& place) {
  if (!is_a(HandleClass::h5_space, space, place)) return -1;
  Shape shape = shape_at(place);
  if (shape.points < 0) {
    shape.points = selected_points(space);
    store(place, shape);
  }
  return shape.points;
}

int64_t type_size(Identifier type, const Place& place) {
  if (!is_a(HandleClass::h5_type, type, place)) return -1;
  uint64_t known = place.fact->load(std::memory_order_relaxed);
  if (known == 0) {
    known = static_cast<uint64_t>(size_of_type(type)) + 1;
    // Of others more has to be found out with every call; see hdf5_contents.hpp.
    if (!holds_more_than_bytes(type)) place.fact->store(known, std::memory_order_relaxed);
  }
  return static_cast<int64_t>(known - 1);
}

int64_t dataset_rank(Identifier dataset, const Place& place) {
  return object_shape(dataset, HandleClass::h5_dataset, place, extent_of_dataset).rank;
}
int64_t dataset_points(Identifier dataset, const Place& place) {
  return object_shape(dataset, HandleClass::h5_dataset, place, extent_of_dataset).points;
}
int64_t attribute_points(Identifier attribute, const Place& place) {
  return object_shape(attribute, HandleClass::h5_attribute, place, extent_of_attribute).points;
}

void note_points(Identifier space, int64_t points) {
  Place place = shared.addresses.look(static_cast<uint64_t>(space));
  if (!is_a(HandleClass::h5_space, space, place)) return;
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
