#include "record/hdf5_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

#include "record/hdf5_library.hpp"

namespace refrain::record::hdf5 {
namespace {

using api::Kind;
using api::RowId;

HandleClass sort_of(const LibraryCall& call) {
  bool region = false;
  for (size_t i = 0; i < call.count(); ++i)
    region |= call.kind(i) == Kind::h5_reference_type && call.words[i] != 0;
  return api::memory_class(call.plan.traits, region);
}

/// What a reference is known by.
struct ReferenceKey {
  static constexpr size_t object_bytes = 8, region_bytes = 12;  // hobj_ref_t, hdset_reg_ref_t
  char bytes[sizeof(uint64_t) + region_bytes] = {};
  size_t size = 0;
};

/// What a reference of HDF5 1.12 (H5R_ref_t) is known by. Each has to be destroyed, so copies are not the
/// same: its place counts. The library changes parts of it; the object's token, what follows it for a part of
/// an object, and the type stay.
struct AnyReferenceKey {
  static constexpr size_t token_bytes = 16, part_at = 24, part_bytes = 8, type_at = 44;
  const char* place;
  char token[token_bytes], part[part_bytes], type[8] = {};

  explicit AnyReferenceKey(const char* from) : place(from) {
    std::memcpy(token, from, token_bytes);
    std::memcpy(part, from + part_at, part_bytes);
    type[0] = from[type_at];
  }
  std::span<const char> bytes() const { return {reinterpret_cast<const char*>(this), sizeof *this}; }
};
static_assert(std::has_unique_object_representations_v<AnyReferenceKey>);

/// The argument that says in which file a reference leads: the first identifier of all these calls.
size_t location_of(const LibraryCall& call) {
  size_t i = 0;
  while (call.kind(i) != Kind::h5_id) ++i;
  return i;
}

ReferenceKey reference_key(const LibraryCall& call, const char* from, HandleClass sort) {
  ReferenceKey key;
  uint64_t file = file_of(call.integer(location_of(call)));
  size_t length = sort == HandleClass::h5_region ? ReferenceKey::region_bytes : ReferenceKey::object_bytes;
  std::memcpy(key.bytes, &file, sizeof file);
  std::memcpy(key.bytes + sizeof file, from, length);
  key.size = sizeof file + length;
  return key;
}

std::atomic<bool> metadata_read_together{false};

/// A reference that no recorded call made leads to an object that has a name: the trace makes it there, as if
/// the application had. The name is looked for in the file, so not where all ranks would have to look for it.
KnownMemory::Number make_reference(const LibraryCall& call, const char* from, const ReferenceKey& key,
                                   KnownMemory& known) {
  size_t location = location_of(call);
  if (!call.handles[location].tracked() || metadata_read_together.load(std::memory_order_relaxed)) return {};
  std::string name = name_of_referred(call.integer(location), from);
  KnownMemory::Number number = name.empty() ? KnownMemory::Number() : known.put({key.bytes, key.size});
  if (!number) return {};
  Handle made{Handle::State::tracked, HandleClass::h5_reference, call.lane.number(), *number};
  Outcome outcome = call.outcome;
  outcome.end_ticks = outcome.start_ticks;
  emit(
      call.lane, RowId::hdf5_H5Rcreate, outcome,
      [&](auto& v) {
        v.slot(made);
        v.slot(call.handles[location]);
        v.text(name.c_str());
        v.name(Kind::h5_reference_type, 0);
        v.fixed("H5I_INVALID_HID");
      },
      [](auto&) {});
  return number;
}

/// A byte of zero for version and flags, then the names of a file and an object; empty if it isn't that.
std::span<const char> external_link(const char* from, uint64_t room) {
  if (room == 0 || *from != 0) return {};
  size_t at = 1;
  for (int strings = 0; strings < 2; ++strings) {
    auto* end = static_cast<const char*>(std::memchr(from + at, 0, room - at));
    if (end == nullptr) return {};
    at = static_cast<size_t>(end - from) + 1;
  }
  return {from, at};
}

KnownMemory::Number number_of(const LibraryCall& call, size_t i, HandleClass sort, KnownMemory& known) {
  bool fills = call.kind(i) == Kind::h5_memory_out;
  auto* from = call.pointer<const char>(i);
  if (sort == HandleClass::h5_reference || sort == HandleClass::h5_region) {
    ReferenceKey key = reference_key(call, from, sort);
    std::span<const char> bytes(key.bytes, key.size);
    KnownMemory::Number number = fills ? known.put(bytes) : known.find(bytes);
    bool unknown = !number && !fills && sort == HandleClass::h5_reference;
    return unknown ? make_reference(call, from, key, known) : number;
  }
  if (sort == HandleClass::h5_any_reference) {
    AnyReferenceKey key(from);
    return fills ? known.put(key.bytes()) : known.find(key.bytes());
  }
  if (sort == HandleClass::h5_link_value) {
    std::span<const char> bytes = external_link(from, call.words[i + 1]);
    return fills ? known.put(bytes) : known.find(bytes);
  }
  if (!fills) return known.find_at(from);
  // Without enough room the call only says how much it takes, but for lists, where it takes the room for
  // granted.
  int64_t bytes = encoded_bytes(call.integer(0), sort);
  if (bytes <= 0 || (bytes > call.known && sort != HandleClass::h5_encoded_list)) return {};
  return known.put({from, static_cast<size_t>(bytes)});
}

}  // namespace

KnownMemory::Number number_of_reference(LibraryCall& call, const char* reference) {
  constexpr char nowhere[ReferenceKey::object_bytes] = {};
  if (std::memcmp(reference, nowhere, sizeof nowhere) == 0) return {};
  KnownMemory& known = call.lane.known_memory[0];
  ReferenceKey key = reference_key(call, reference, HandleClass::h5_reference);
  KnownMemory::Number number = known.find({key.bytes, key.size});
  return number ? number : make_reference(call, reference, key, known);
}

void note_reading_together() { metadata_read_together.store(true, std::memory_order_relaxed); }

namespace {

/// Gives memory of these kinds its number, if it has none.
void name_memory_of(LibraryCall& call, std::initializer_list<Kind> kinds) {
  HandleClass sort = sort_of(call);
  auto first = static_cast<size_t>(HandleClass::h5_reference);
  KnownMemory& known = call.lane.known_memory[static_cast<size_t>(sort) - first];
  for (size_t i = 0; i < call.count(); ++i) {
    bool is_memory = std::find(kinds.begin(), kinds.end(), call.kind(i)) != kinds.end();
    if (!is_memory || call.words[i] == 0 || call.handles[i].tracked()) continue;
    if (auto number = number_of(call, i, sort, known))
      call.handles[i] = {Handle::State::tracked, sort, call.lane.number(), *number};
  }
}

}  // namespace

void name_memory(LibraryCall& call) { name_memory_of(call, {Kind::h5_memory_out, Kind::h5_memory_in}); }

void name_memory_before(LibraryCall& call) {
  if (call.plan.is(api::Trait::keeps_reference)) name_memory_of(call, {Kind::h5_memory_in});
}

}  // namespace refrain::record::hdf5
