// What calls of PnetCDF and netCDF do to handles, and how much data they move; see netcdf_call.hpp. How they
// are described is in netcdf_describe.cpp.
#include "record/netcdf_call.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "record/look.hpp"

namespace refrain::record {
namespace {

using api::Form;
using api::Use;

uint32_t bit_of(Layer layer) { return 1u << static_cast<uint32_t>(layer); }

/// Under which a file is known in the table of handles: what is no address, and no identifier of HDF5.
uint64_t file_key(HandleClass files, int file) {
  constexpr uint64_t tag = 0x4e43;
  return tag << 48 | static_cast<uint64_t>(files) << 32 | static_cast<uint32_t>(file);
}

/// Of a predefined datatype; null of others.
bool is_no_type(const char* name) { return name != nullptr && std::strcmp(name, "MPI_DATATYPE_NULL") == 0; }

int64_t product(int64_t a, int64_t b) {
  int64_t both;
  return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &both) ? -1 : both;
}

/// Bytes that an element of a type has in memory; 0 if it is none of netCDF's own.
int64_t bytes_of_own_type(int type) {
  constexpr int64_t bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8, sizeof(char*)};
  return type > 0 && type < static_cast<int>(std::size(bytes)) ? bytes[type] : 0;
}

/// Longer values leave nothing.
constexpr int64_t longest_kept_bytes = 100;
constexpr int string_type = 12;  // NC_STRING

/// The library's errors are negative; others are the system's.
std::string netcdf_error_name(int error) {
  return error > 0 ? api::errno_name(error) : api::name_of(Kind::nc_error, static_cast<uint32_t>(error));
}

}  // namespace

size_t NetcdfCall::find(Kind kind) const {
  size_t i = 0;
  while (i < row_.count && row_.kinds[i] != kind) ++i;
  return i;
}

size_t NetcdfCall::find(Form form) const {
  size_t i = 0;
  while (i < row_.count && api::form_of(row_.kinds[i]) != form) ++i;
  return i;
}

NetcdfCall::NetcdfCall(const NetcdfRow& row, const uint64_t* words, const void* site, const char* frame)
    : row_(row), words_(words), frame_(frame), lane_(enter(frame)) {
  Layer layer = layer_of(row.id);
  if (lane_ != nullptr && (!layer_enabled(layer) || (lane_->inside_layers & bit_of(layer)) != 0))
    lane_ = nullptr;
  if (lane_ == nullptr) return;
  outcome_.site = lane_->fortran_site != nullptr ? lane_->fortran_site : site;
  {
    Aside aside(*lane_);
    Busy busy(*lane_, frame);
    Quiet quiet(*lane_);  // the libraries answer questions by asking themselves
    try {
      before();
    } catch (const std::exception&) {
      wanted_ = false;
      lane_->header().lost_unknown.fetch_add(1, std::memory_order_relaxed);
    }
  }
  lane_->inside_layers |= bit_of(layer);
  outcome_.outer = lane_->depth == 0;
  if (!unknown_) running_.emplace(*lane_, frame);
  outcome_.start_ticks = ticks();
}

void NetcdfCall::leave() {
  if (lane_ == nullptr) return;
  running_.reset();
  lane_->inside_layers &= ~bit_of(layer_of(row_.id));
}

int NetcdfCall::finish(int result) {
  if (lane_ == nullptr) return result;
  outcome_.end_ticks = ticks();
  leave();
  Busy busy(*lane_, frame_);
  Quiet quiet(*lane_);
  outcome_.error = result;
  outcome_.error_name = netcdf_error_name;
  try {
    after();
  } catch (const std::exception&) {
    lane_->header().lost_unknown.fetch_add(1, std::memory_order_relaxed);
  }
  return result;
}

void NetcdfCall::before() {
  for (size_t i = 0; i < row_.count; ++i) look(i);
  if (wanted_) measure();
}

void NetcdfCall::look(size_t i) {
  const api::KindFacts& facts = api::facts_of(row_.kinds[i]);
  if (facts.form == Form::path) {
    bool excluded = words_[i] == 0 || judge_path(pointer<char>(i), Handle()) == Filter::Verdict::excluded;
    if (excluded) wanted_ = false;
  } else if (facts.handle == row_.files && (facts.use == Use::given || facts.use == Use::ends)) {
    handles_[i].handle = look_at_file(static_cast<int>(words_[i]));
    if (handles_[i].ignored()) wanted_ = false;
    unknown_ |= handles_[i].handle.state() == Handle::State::unknown;
  } else if (facts.use == Use::given && mpi_library() != nullptr) {
    handles_[i] = look_at_mpi(*lane_, facts.handle, word_of_handle(*mpi_library(), facts.handle, words_[i]));
  } else if (row_.kinds[i] == Kind::nc_hint && words_[i] != 0) {
    hint_ = *pointer<const int64_t>(i);
  } else if (row_.kinds[i] == Kind::nc_requests && words_[i] != 0 && integer(i - 1) > 0) {
    requests_.assign(pointer<int>(i), pointer<int>(i) + integer(i - 1));
  }
}

/// Lists of groups are not in the trace, so a group may be one that no recorded call has named. Before its
/// first use the trace finds it by its name, as if the application had; kernels and replays do the same.
Handle NetcdfCall::look_at_file(int file) {
  Handle known = shared.addresses.get(file_key(row_.files, file));
  int whole = file & ~0xffff;
  bool may_be_group = row_.files == HandleClass::nc4_file && file != whole;
  if (!may_be_group || known.state() != Handle::State::unknown || ask().inq_grpname_full == nullptr)
    return known;
  Handle around = shared.addresses.get(file_key(row_.files, whole));
  if (!around.tracked()) return around;
  size_t length = 0;
  if (ask().inq_grpname_full(file, &length, nullptr) != 0 || length < 2) return known;
  std::string name(length + 1, '\0');
  if (ask().inq_grpname_full(file, &length, name.data()) != 0) return known;
  uint64_t key = file_key(row_.files, file);
  Handle group = name_address(*lane_, row_.files, reinterpret_cast<const void*>(key));
  if (!group.tracked()) return group;
  emit(
      *lane_, api::RowId::netcdf_nc_inq_grp_full_ncid, trace::Bracket::neither,
      [&](auto& v) {
        v.slot(around);
        v.text(name.c_str());
      },
      [&](auto& v) { v.slot(group); });
  return group;
}

size_t NetcdfCall::several() const {
  size_t at = find(Kind::list_size);
  if (at == row_.count) at = find(Kind::integer);
  return at == row_.count || integer(at) < 0 ? 0 : static_cast<size_t>(integer(at));
}

int64_t NetcdfCall::dimensions_of(int64_t variable) const {
  int dimensions = 0;
  return ask().inq_varndims(file(), static_cast<int>(variable), &dimensions) == 0 ? dimensions : -1;
}

/// Elements in a part of a variable, or, if no part is given, in all of it.
int64_t NetcdfCall::elements_of(int64_t variable, const int64_t* start, const int64_t* count, bool has_start,
                                bool has_count) const {
  int64_t dimensions = dimensions_of(variable), elements = 1;
  if (has_start && (start == nullptr && dimensions > 0)) return -1;
  if (has_count && count != nullptr) {
    for (int64_t d = 0; d < dimensions; ++d) elements = product(elements, count[d]);
    return dimensions < 0 ? -1 : elements;
  }
  if (has_start) return dimensions < 0 ? -1 : 1;
  if (dimensions < 0 || dimensions > 1024) return -1;
  int which[1024];
  if (ask().inq_vardimid(file(), static_cast<int>(variable), which) != 0) return -1;
  for (int64_t d = 0; d < dimensions; ++d) {
    int64_t length = 0;
    if (ask().inq_dimlen(file(), which[d], &length) != 0) return -1;
    elements = product(elements, length);
  }
  return elements;
}

int64_t NetcdfCall::type_bytes(int type) const {
  int64_t bytes = bytes_of_own_type(type);
  size_t size = 0;
  if (bytes == 0 && ask().inq_type != nullptr && ask().inq_type(file(), type, nullptr, &size) == 0)
    bytes = static_cast<int64_t>(size);
  return bytes == 0 ? -1 : bytes;
}

/// Data of one variable.
int64_t NetcdfCall::data_bytes() const {
  size_t count = find(Kind::nc_buffer_count);
  const api::MpiLibrary* library = mpi_library();
  bool typed = count < row_.count && library != nullptr && !is_no_type(handles_[count + 1].name);
  uint64_t type = typed ? word_of_handle(*library, HandleClass::mpi_type, words_[count + 1]) : 0;
  if (typed && integer(count) >= 0) return product(integer(count), mpi_type_size(type));
  int64_t elements = 0;
  if (has(Kind::nc_starts)) {
    auto* starts = pointer<const int64_t* const>(find(Kind::nc_starts));
    auto* counts = pointer<const int64_t* const>(find(Kind::nc_counts));
    for (size_t k = 0; starts != nullptr && k < several() && elements >= 0; ++k) {
      int64_t more = elements_of(integer(1), starts[k], counts == nullptr ? nullptr : counts[k], true, true);
      elements = more < 0 ? -1 : elements + more;
    }
  } else {
    auto given = [&](Kind kind) { return has(kind) ? pointer<const int64_t>(find(kind)) : nullptr; };
    elements = elements_of(integer(1), given(Kind::nc_start), given(Kind::nc_count), has(Kind::nc_start),
                           has(Kind::nc_count));
  }
  if (row_.element_bytes > 0) return product(elements, row_.element_bytes);
  if (typed) return product(elements, mpi_type_size(type));
  int xtype = 0;
  if (ask().inq_vartype(file(), static_cast<int>(integer(1)), &xtype) != 0) return -1;
  return product(elements, type_bytes(xtype));
}

/// Data of the k-th of several variables.
int64_t NetcdfCall::one_of_several(size_t k) const {
  int variable = pointer<const int>(find(Kind::int_list))[k];
  size_t counts = find(Kind::nc_buffer_counts);
  const api::MpiLibrary* library = mpi_library();
  bool flexible = counts < row_.count && library != nullptr && words_[counts] != 0 && words_[counts + 1] != 0;
  uint64_t type =
      flexible ? word_of_handle_at(*library, HandleClass::mpi_type, pointer<const void>(counts + 1), k) : 0;
  const char* name = flexible ? predefined_name(HandleClass::mpi_type, type) : nullptr;
  bool typed = flexible && !is_no_type(name);
  if (typed) return product(pointer<const int64_t>(counts)[k], mpi_type_size(type));
  int64_t elements = elements_of(variable, row(Kind::nc_starts, k), row(Kind::nc_counts, k),
                                 has(Kind::nc_starts), has(Kind::nc_counts));
  int xtype = 0;
  if (row_.element_bytes > 0) return product(elements, row_.element_bytes);
  return ask().inq_vartype(file(), variable, &xtype) == 0 ? product(elements, type_bytes(xtype)) : -1;
}

int64_t NetcdfCall::attribute_bytes() const {
  size_t length = std::min(find(Kind::nc_attribute_in), find(Form::string_data)) - 1;
  if (length + 1 < row_.count) {
    size_t type = find(Kind::nc_type);
    int64_t bytes = row_.element_bytes;
    if (bytes == 0 && type < row_.count) bytes = type_bytes(static_cast<int>(words_[type]));
    return product(integer(length), bytes);
  }
  int64_t elements = 0;
  int xtype = 0, variable = static_cast<int>(words_[1]);
  auto* name = pointer<const char>(2);
  if (name == nullptr || ask().inq_attlen(file(), variable, name, &elements) != 0 ||
      ask().inq_atttype(file(), variable, name, &xtype) != 0)
    return -1;
  return product(elements, row_.element_bytes > 0 ? row_.element_bytes : type_bytes(xtype));
}

/// Asks the library about what is going to be moved. Files that aren't known are not asked about.
void NetcdfCall::measure() {
  if (row_.count == 0 || !handles_[0].handle.tracked()) return;
  for (Kind kind : {Kind::nc_start, Kind::nc_starts, Kind::nc_chunk})
    if (has(kind) && row_.kinds[1] == Kind::nc_var) dimensions_ = dimensions_of(integer(1));
  bool of_attribute = row_.kinds[2] == Kind::string;
  size_t strings = find(Form::string_data);
  if (of_attribute && (strings < row_.count || find(Form::variable_data) < row_.count))
    bytes_ = attribute_bytes();
  else if (strings < row_.count || find(Form::variable_data) < row_.count)
    bytes_ = data_bytes();
  if (strings < row_.count && words_[strings] != 0 && bytes_ > 0)
    for (int64_t k = 0; k < bytes_ / static_cast<int64_t>(sizeof(char*)); ++k) {
      const char* text = pointer<const char* const>(strings)[k];
      lengths_.push_back(text == nullptr ? -1 : static_cast<int64_t>(std::strlen(text)));
    }
  if (size_t at = find(Form::bytes); at < row_.count) fill_ = fill_value(at);
  if (find(Form::several_data) == row_.count || words_[find(Kind::int_list)] == 0) return;
  bytes_ = 0;
  for (size_t k = 0; k < several(); ++k) {
    int64_t more = one_of_several(k);
    bytes_ = bytes_ < 0 || more < 0 ? -1 : bytes_ + more;
    rooms_.push_back(room_of_several(k, more));
  }
}

/// The k-th of several rows of numbers; null if there is none.
const int64_t* NetcdfCall::row(Kind kind, size_t k) const {
  size_t at = find(kind);
  return at == row_.count || words_[at] == 0 ? nullptr : pointer<const int64_t* const>(at)[k];
}

/// Memory from the first to the last element of the k-th of several variables, which moves so many bytes.
int64_t NetcdfCall::room_of_several(size_t k, int64_t bytes) const {
  const int64_t *counts = row(Kind::nc_counts, k), *distances = row(Kind::nc_maps, k);
  if (counts == nullptr || distances == nullptr || bytes <= 0) return bytes;
  int64_t dimensions = dimensions_of(pointer<const int>(find(Kind::int_list))[k]);
  int64_t elements = 1, last = 0;
  for (int64_t d = 0; d < dimensions; ++d) {
    elements = product(elements, counts[d]);
    last += product(counts[d] - 1, distances[d] < 0 ? -distances[d] : distances[d]);
  }
  return elements <= 0 ? bytes : product(last + 1, bytes / elements);
}

/// As it lies in memory: `hex:0000c03f`.
std::string NetcdfCall::fill_value(size_t i) const {
  int type = static_cast<int>(words_[1]);
  if (words_[i] == 0) return {};
  if (row_.kinds[i] == Kind::nc_fill_value && ask().inq_vartype(file(), type, &type) != 0) return {};
  int64_t bytes = type_bytes(type);
  if (bytes > longest_kept_bytes || type == string_type) return {};
  std::string text = "hex:";
  for (int64_t k = 0; k < bytes; ++k) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", pointer<const unsigned char>(i)[k]);
    text += digits;
  }
  return text;
}

void NetcdfCall::after() {
  if (outcome_.error == 0) {
    name_made();
    release_closed();
  }
  if (!wanted_ || (unknown_ && outcome_.error == 0)) return;
  outcome_.bracket = bracket();
  emit(
      *lane_, row_.id, outcome_, [&](auto& v) { describe(v); }, [&](auto& v) { describe_result(v); });
}

void NetcdfCall::name_made() {
  for (size_t i = 0; i < row_.count; ++i) {
    const api::KindFacts& facts = api::facts_of(row_.kinds[i]);
    bool reported = facts.use == Use::reported;
    if ((facts.use != Use::made && !reported) || words_[i] == 0) continue;
    if (facts.handle != row_.files) {  // the library's own calls of MPI have named it, if they were recorded
      const api::MpiLibrary* library = mpi_library();
      if (library == nullptr) continue;
      uint64_t word = word_of_handle_at(*library, facts.handle, pointer<const void>(i));
      Handle known = shared.addresses.get(word);
      bool named = known.tracked() && known.handle_class() == facts.handle;
      made_ = named ? MpiHandle{.handle = known} : name_mpi(*lane_, facts.handle, word, false);
      continue;
    }
    int file = *pointer<const int>(i);
    uint64_t key = file_key(row_.files, file);
    if (reported && shared.addresses.get(key).state() != Handle::State::unknown) {
      made_.handle = shared.addresses.get(key);
      continue;
    }
    free_slot(shared.addresses.take(key));
    if (!wanted_) {
      shared.addresses.set(key, Handle::ignored());
      continue;
    }
    made_.handle = name_address(*lane_, row_.files, reinterpret_cast<const void*>(key));
    if (facts.operands == api::Operands::rest) header_ = header_of(ask(), file);
  }
}

/// With a file of netCDF, its groups are gone: their numbers differ in the lower half.
void NetcdfCall::release_closed() {
  for (size_t i = 0; i < row_.count; ++i) {
    if (!api::ends(row_.kinds[i])) continue;
    uint64_t own = file_key(row_.files, static_cast<int>(words_[i]));
    free_slot(shared.addresses.take(own));
    if (row_.files != HandleClass::nc4_file) continue;
    shared.addresses.for_each([&](uint64_t key, Handle) {
      if ((key ^ own) >> 16 == 0) free_slot(shared.addresses.take(key));
    });
  }
}

trace::Bracket NetcdfCall::bracket() const {
  for (size_t i = 0; i < row_.count; ++i) {
    Use use = api::facts_of(row_.kinds[i]).use;
    if (use == Use::made) return trace::Bracket::opens;
    if (use == Use::ends) return trace::Bracket::closes;
  }
  return trace::Bracket::neither;
}

}  // namespace refrain::record
