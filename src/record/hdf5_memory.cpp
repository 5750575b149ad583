#include "record/hdf5_memory.hpp"

#include <cstring>
#include <span>

#include "record/hdf5_library.hpp"

namespace refrain::record::hdf5 {
namespace {

using api::Kind;
using api::RowId;

HandleClass sort_of(const LibraryCall& call) {
  switch (call.id()) {
    case RowId::hdf5_H5Tencode:
    case RowId::hdf5_H5Tdecode:
      return HandleClass::h5_encoded_type;
    case RowId::hdf5_H5Sencode:
    case RowId::hdf5_H5Sdecode:
      return HandleClass::h5_encoded_space;
    case RowId::hdf5_H5Pencode:
    case RowId::hdf5_H5Pdecode:
      return HandleClass::h5_encoded_list;
    case RowId::hdf5_H5Lget_val:
    case RowId::hdf5_H5Lget_val_by_idx:
    case RowId::hdf5_H5Lunpack_elink_val:
      return HandleClass::h5_link_value;
    default:
      break;
  }
  for (size_t i = 0; i < call.count(); ++i)
    if (call.kind(i) == Kind::h5_reference_type && call.words[i] != 0) return HandleClass::h5_region;
  return HandleClass::h5_reference;
}

/// What a reference is known by.
struct ReferenceKey {
  static constexpr size_t object_bytes = 8, region_bytes = 12;  // hobj_ref_t, hdset_reg_ref_t
  char bytes[sizeof(uint64_t) + region_bytes] = {};
  size_t size = 0;
};

ReferenceKey reference_key(const LibraryCall& call, size_t i, HandleClass sort) {
  ReferenceKey key;
  size_t location = 0;  // the first identifier of all these calls
  while (call.kind(location) != Kind::h5_id) ++location;
  uint64_t file = file_of(call.integer(location));
  size_t length = sort == HandleClass::h5_region ? ReferenceKey::region_bytes : ReferenceKey::object_bytes;
  std::memcpy(key.bytes, &file, sizeof file);
  std::memcpy(key.bytes + sizeof file, call.pointer<const char>(i), length);
  key.size = sizeof file + length;
  return key;
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
    ReferenceKey key = reference_key(call, i, sort);
    std::span<const char> bytes(key.bytes, key.size);
    return fills ? known.put(bytes) : known.find(bytes);
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

void name_memory(LibraryCall& call) {
  HandleClass sort = sort_of(call);
  auto first = static_cast<size_t>(HandleClass::h5_reference);
  KnownMemory& known = call.lane.known_memory[static_cast<size_t>(sort) - first];
  for (size_t i = 0; i < call.count(); ++i) {
    bool is_memory = call.kind(i) == Kind::h5_memory_out || call.kind(i) == Kind::h5_memory_in;
    if (!is_memory || call.words[i] == 0) continue;
    if (auto number = number_of(call, i, sort, known))
      call.handles[i] = {Handle::State::tracked, sort, call.lane.number(), *number};
  }
}

}  // namespace refrain::record::hdf5
