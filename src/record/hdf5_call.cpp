// Interpreting HDF5's calls; see hdf5_call.hpp. Handles and sizes are found before the call, because after a
// failed one the library may not be asked; what the call made, changed or closed is noted after it.
#include "record/hdf5_call.hpp"

#include <bit>
#include <utility>

#include "record/hdf5_callers.hpp"
#include "record/hdf5_contents.hpp"
#include "record/hdf5_describe.hpp"
#include "record/hdf5_memory.hpp"
#include "record/hdf5_mpi.hpp"
#include "record/look.hpp"

namespace refrain::record {
namespace {

using api::Trait;
using hdf5::Identifier;
using hdf5::product;

constexpr size_t max_arguments = 16;

Identifier identifier(const LibraryCall& call, size_t i) { return call.integer(i); }

/// Number of elements that a transfer (dataset, type, memory space, file space, …) moves: those selected in
/// memory, else in the file, else all.
int64_t transfer_points(const LibraryCall& call, const AddressTable::Place* places) {
  constexpr auto no_space = static_cast<uint64_t>(hdf5::space_of_list);  // or less: H5S_ALL, H5S_BLOCK
  if (call.words[2] > no_space) return hdf5::space_points(identifier(call, 2), places[2]);
  if (call.words[3] > no_space) return hdf5::space_points(identifier(call, 3), places[3]);
  return hdf5::dataset_points(identifier(call, 0), places[0]);
}

/// What describing argument `i` needs to know from the library, -1 if it can't be told. `places` are the
/// handles' in the table.
int64_t find_out(const LibraryCall& call, size_t i, const AddressTable::Place* places) {
  auto size_of = [&](size_t k) { return hdf5::type_size(identifier(call, k), places[k]); };
  switch (call.kind(i)) {
    case Kind::h5_coordinates:
    case Kind::h5_offsets:
    case Kind::h5_points:
      return hdf5::space_rank(identifier(call, 0), places[0]);
    case Kind::h5_extent:
      return hdf5::dataset_rank(identifier(call, 0), places[0]);
    case Kind::h5_data_in:
    case Kind::h5_data_out:
      return product(transfer_points(call, places), size_of(1));
    case Kind::h5_attribute_in:
    case Kind::h5_attribute_out:
      return product(hdf5::attribute_points(identifier(call, 0), places[0]), size_of(1));
    case Kind::h5_value:
      return size_of(i - 1);
    case Kind::h5_value_before:
      return size_of(i + 1);
    case Kind::h5_member_value:
      return size_of(0);
    case Kind::h5_room:
      return call.words[i] == 0 ? -1 : static_cast<int64_t>(*call.pointer<const size_t>(i));
    default:
      return -1;
  }
}

bool failed(Kind result, uint64_t word) {
  switch (api::facts_of(result).fails) {
    case api::Fails::never:
      return false;
    case api::Fails::null:
      return word == 0;
    default:
      return static_cast<int64_t>(word) < 0;
  }
}

/// Whether the files of the call are to be recorded.
bool is_wanted(const LibraryCall& call) {
  if (call.ignored) return false;
  for (size_t i = 0; call.plan.has_path && i < call.count(); ++i)
    if (call.kind(i) == Kind::path && call.words[i] != 0 &&
        judge_path(call.pointer<const char>(i), Handle()) == Filter::Verdict::excluded)
      return false;
  return true;
}

/// Names a new identifier, or finds that it is one already known: HDF5 may only have counted a reference.
Handle name_made(Lane& lane, uint64_t word, HandleClass c, bool wanted) {
  Handle known = shared.addresses.get(word);
  if (known.state() != Handle::State::unknown) return known;
  if (wanted) return name_address(lane, c, reinterpret_cast<const void*>(word));
  shared.addresses.set(word, Handle::ignored());
  return Handle::ignored();
}

void release(uint64_t key) { free_slot(shared.addresses.take(key)); }

bool is_identifier(Handle handle) { return api::facts_of(handle.handle_class()).type == "hid_t"; }
bool belongs_to_hdf5(Handle handle) {
  return is_identifier(handle) || handle.handle_class() == HandleClass::h5_vfd;
}

/// Forgets all identifiers that are no longer valid.
void release_invalid() {
  shared.addresses.for_each([](uint64_t key, Handle handle) {
    if (handle.tracked() && is_identifier(handle) && !hdf5::is_valid(static_cast<Identifier>(key)))
      release(key);
  });
}

/// Whether identifiers may have become invalid without a call that names them.
std::atomic<bool> files_close_their_objects{false};

/// H5close: no identifier outlives it, predefined ones included.
void forget_all() {
  shared.addresses.for_each([](uint64_t key, Handle handle) {
    if ((handle.predefined() || handle.tracked()) && belongs_to_hdf5(handle)) release(key);
  });
}

/// What a successful call changed in what is remembered.
void note_effects(const LibraryCall& call) {
  constexpr int64_t strong = 3;  // H5F_CLOSE_STRONG
  const RowPlan& row = call.plan;
  Identifier first = identifier(call, 0);
  if (row.is(Trait::selects_hyperslab)) hdf5::note_points(first, hdf5::hyperslab_points(call));
  if (row.is(Trait::changes_selection)) hdf5::note_points(first, -1);
  if (row.is(Trait::changes_shape)) hdf5::forget_facts(first);
  if (row.is(Trait::changes_extent)) hdf5::note_new_extent();
  if (row.is(Trait::sets_close_degree) && call.integer(1) == strong)
    files_close_their_objects.store(true, std::memory_order_relaxed);
  if (row.is(Trait::reads_together)) hdf5::note_reading_together();
  bool closes_objects =
      row.is(Trait::closes_file) && files_close_their_objects.load(std::memory_order_relaxed);
  if (closes_objects || row.is(Trait::ends_identifiers)) release_invalid();
  if (row.is(Trait::ends_library)) forget_all();
}

void name_results(LibraryCall& call, uint64_t result, bool wanted) {
  Kind kind = call.plan.result;
  if (kind == Kind::new_h5)
    call.made = name_made(call.lane, result, hdf5::class_of(static_cast<Identifier>(result)), wanted);
  if (kind == Kind::new_h5_vfd) call.made = name_made(call.lane, result, HandleClass::h5_vfd, wanted);
  for (size_t i = 0; call.plan.fills && i < call.count(); ++i) {
    if (call.kind(i) == Kind::new_h5_comm || call.kind(i) == Kind::new_h5_info)
      hdf5::name_handed_out(call, i);
    size_t count = call.kind(i) == Kind::new_h5_behind  ? 1
                   : call.kind(i) == Kind::new_h5_multi ? hdf5::driver_members
                                                        : 0;
    auto* ids = call.pointer<const Identifier>(i);
    for (size_t k = 0; k < count && ids != nullptr; ++k)
      if (ids[k] > 0) name_made(call.lane, static_cast<uint64_t>(ids[k]), hdf5::class_of(ids[k]), wanted);
  }
}

/// Closing may only have given back one of several references.
void release_closed(const LibraryCall& call) {
  for (size_t i = 0; i < call.count(); ++i) {
    bool gone = call.kind(i) == Kind::h5_closed_vfd ||
                (call.kind(i) == Kind::h5_closed && !call.handles[i].predefined() &&
                 !hdf5::is_valid(identifier(call, i)));
    if (gone) release(call.words[i]);
  }
}

/// Some programs turn the printing of errors off before every call: only changes count, and only those of the
/// stack that HDF5 itself puts errors on.
bool changes_reporting(const LibraryCall& call) {
  if (!call.plan.is(Trait::sets_reporting)) return true;
  bool own_stack = call.kind(0) == Kind::h5_stack && identifier(call, 0) != 0;
  if (own_stack && call.outcome.error == 0) return false;
  static thread_local uint64_t last = ~uint64_t{0};
  uint64_t now = call.words[call.count() - 2];
  if (call.outcome.error == 0) std::swap(last, now);
  return call.outcome.error != 0 || last != now;
}

void ask(LibraryCall& call, size_t i, const AddressTable::Place* places) {
  switch (call.kind(i)) {
    case Kind::h5_vfd:
    case Kind::h5_closed_vfd:
      call.handles[i] = shared.addresses.get(call.words[i]);
      return;
    case Kind::h5_comm:
    case Kind::h5_info:
      return hdf5::look_at_mpi_argument(call, i);
    default:
      call.known = find_out(call, i, places);
  }
}

}  // namespace

hdf5::SeveralElements hdf5::several_elements(const LibraryCall& call) {
  SeveralElements all;
  if (call.outcome.error != 0 || call.words[0] > static_cast<uint64_t>(longest_list)) return {-1, {}};
  auto ids = [&](size_t i) { return call.pointer<const Identifier>(i); };
  for (size_t k = 0; k < call.words[0]; ++k) {
    Identifier dataset = ids(1)[k], type = ids(2)[k], memory = ids(3)[k], file = ids(4)[k];
    auto look = [&](Identifier id) { return look_at(call.lane, id); };
    int64_t size = type_size(type, look(type)), whole = dataset_points(dataset, look(dataset));
    int64_t points = memory > space_of_list ? space_points(memory, look(memory))
                     : file > space_of_list ? space_points(file, look(file))
                                            : whole;
    int64_t bytes = product(points, size);
    all.bytes = bytes < 0 || all.bytes < 0 ? -1 : all.bytes + bytes;
    int64_t room = product(memory > space_of_list ? extent_points(memory) : whole, size);
    all.rooms.push_back(room > 0 && holds_more_than_bytes(type) ? -room : room);
  }
  return all;
}

bool Hdf5::before(LibraryCall& call) {
  // What netCDF does without having been called, when the process ends, is not the application's.
  if (call.lane.depth == 0 && layer_enabled(Layer::netcdf)) {
    const hdf5::Caller* caller = hdf5::caller_at(call.outcome.site);
    if (caller != nullptr && caller->is_netcdf) return false;
  }
  if (!hdf5::has_started()) [[unlikely]]
    hdf5::before_start();
  AddressTable::Place places[max_arguments];
  for (uint32_t left = call.plan.identifiers; left != 0; left &= left - 1) {
    auto i = static_cast<size_t>(std::countr_zero(left));
    if (call.words[i] == 0) continue;
    places[i] = hdf5::look_at(call.lane, identifier(call, i));
    call.handles[i] = places[i].handle;
    call.ignored |= places[i].handle.state() == Handle::State::ignored;
  }
  for (uint32_t left = call.plan.questions; left != 0; left &= left - 1)
    ask(call, static_cast<size_t>(std::countr_zero(left)), places);
  if (call.plan.has_memory) hdf5::name_memory_before(call);
  return true;
}

void Hdf5::after(LibraryCall& call, uint64_t result) {
  if (!hdf5::has_started()) hdf5::after_start();
  bool wanted = is_wanted(call);
  call.outcome.error = failed(call.plan.result, result) ? hdf5::last_error() : 0;
  call.outcome.error_name = hdf5::error_name;
  if (call.outcome.error == 0) {
    name_results(call, result, wanted);
    if (call.plan.has_memory && wanted) hdf5::name_memory(call);
    if (call.plan.is(Trait::writes_elements) && wanted) hdf5::find_contents(call);
    if (call.plan.closes) release_closed(call);
    if (call.plan.has_effects) note_effects(call);
  }
  if (!wanted || !changes_reporting(call)) return;
  call.outcome.bracket = call.plan.bracket;
  emit(
      call.lane, call.id(), call.outcome, [&](auto& v) { hdf5::Description(v, call).arguments(); },
      [&](auto& v) { hdf5::Description(v, call).result(result); });
}

}  // namespace refrain::record
