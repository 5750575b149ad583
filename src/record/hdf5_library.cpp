// Asking HDF5; see hdf5_library.hpp.
#include "record/hdf5_library.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "record/hdf5_callers.hpp"
#include "record/real.hpp"
#include "record/recorder.hpp"

namespace refrain::record::hdf5 {
namespace {

// Their prototypes are checked where the hooks are.
RF_HDF5_REAL(H5Iis_valid, int(int64_t))
RF_HDF5_REAL(H5Sget_simple_extent_ndims, int(int64_t))
RF_HDF5_REAL(H5Sget_select_npoints, long long(int64_t))
RF_HDF5_REAL(H5Sget_simple_extent_npoints, long long(int64_t))
RF_HDF5_REAL(H5Sclose, int(int64_t))
RF_HDF5_REAL(H5Tget_size, size_t(int64_t))
RF_HDF5_REAL(H5Tget_class, int(int64_t))
RF_HDF5_REAL(H5Tdetect_class, int(int64_t, int))
RF_HDF5_REAL(H5Tis_variable_str, int(int64_t))
RF_HDF5_REAL(H5Dget_space, int64_t(int64_t))
RF_HDF5_REAL(H5Aget_space, int64_t(int64_t))
RF_HDF5_REAL(H5Fget_name, ssize_t(int64_t, char*, size_t))
RF_HDF5_REAL(H5Rget_name, ssize_t(int64_t, int, const void*, char*, size_t))
RF_HDF5_REAL(H5Tencode, int(int64_t, void*, size_t*))
RF_HDF5_REAL(H5Sencode, int(int64_t, void*, size_t*))
RF_HDF5_REAL(H5Pencode, int(int64_t, void*, size_t*))
RF_HDF5_REAL(H5Sencode1, int(int64_t, void*, size_t*))
RF_HDF5_REAL(H5Pencode1, int(int64_t, void*, size_t*))

#define PREDEFINED_VALUE(...)
#define PREDEFINED(...)
#define PREDEFINED_DRIVER(handle_class, name, function) #name,
constexpr const char* drivers[] = {
#include "api/hdf5/predefined.def"
};
#undef PREDEFINED
#undef PREDEFINED_DRIVER
#define PREDEFINED_DRIVER(...)
struct Predefined {
  const char* name;
  const char* variable;
};
constexpr Predefined predefined[] = {
#define PREDEFINED(handle_class, name, variable) {#name, #variable},
#include "api/hdf5/predefined.def"
#undef PREDEFINED
};
constexpr size_t predefined_count = std::size(predefined);
std::atomic<const Identifier*> variables[predefined_count];

using Libversion = int(unsigned* major, unsigned* minor, unsigned* release);

#define PREDEFINED(handle_class, name, variable) RF_NOTE_NAME(optional, #variable)
#include "api/hdf5/predefined.def"
#undef PREDEFINED
RF_NOTE_NAME(optional, "H5get_libversion")

const Identifier* find(size_t i) {
  return static_cast<const Identifier*>(find_recorded_variable(predefined[i].variable));
}
Libversion* find_libversion() {
  return reinterpret_cast<Libversion*>(find_recorded_function("H5get_libversion"));
}
#undef PREDEFINED_VALUE
#undef PREDEFINED_DRIVER

/// Types of identifiers in the order of H5I_type_t, whose number stands in the upper bits of each.
/// Version 1.12 put another one in between.
enum class Version { unknown, before_1_12, since_1_12 };
std::atomic<Version> version{Version::unknown};

Version find_version() {
  unsigned major = 1, minor = 10, release = 0;
  if (Libversion* libversion = find_libversion()) libversion(&major, &minor, &release);
  Version result = major > 1 || minor >= 12 ? Version::since_1_12 : Version::before_1_12;
  version.store(result, std::memory_order_relaxed);
  return result;
}

// Handlers run in the reverse order of their registration: enter_end, HDF5's, leave_end.
void enter_end() {
  Lane* lane = current_lane;
  if (lane == nullptr || !recording()) return;
  if (lane->depth++ == 0) lane->outer_frame = nullptr;
}
void leave_end() {
  Lane* lane = current_lane;
  if (lane != nullptr && recording() && lane->depth > 0) --lane->depth;
}

/// Takes the new identifier `space` apart and closes it.
bool extent_of(Identifier space, Extent& out) {
  if (space < 0) return false;
  out.rank = real_H5Sget_simple_extent_ndims()(space);
  out.points = real_H5Sget_simple_extent_npoints()(space);
  real_H5Sclose()(space);
  return out.rank >= 0 && out.points >= 0;
}

}  // namespace

bool is_since_1_12() {
  Version known = version.load(std::memory_order_relaxed);
  return (known == Version::unknown ? find_version() : known) == Version::since_1_12;
}

HandleClass class_of(Identifier id) {
  static constexpr HandleClass old_order[] = {
      HandleClass::h5_other, HandleClass::h5_file,    HandleClass::h5_group,     HandleClass::h5_type,
      HandleClass::h5_space, HandleClass::h5_dataset, HandleClass::h5_attribute, HandleClass::h5_other,
      HandleClass::h5_other, HandleClass::h5_class,   HandleClass::h5_plist,     HandleClass::h5_other,
      HandleClass::h5_other, HandleClass::h5_stack};
  static constexpr HandleClass new_order[] = {
      HandleClass::h5_other, HandleClass::h5_file,    HandleClass::h5_group, HandleClass::h5_type,
      HandleClass::h5_space, HandleClass::h5_dataset, HandleClass::h5_other, HandleClass::h5_attribute,
      HandleClass::h5_other, HandleClass::h5_other,   HandleClass::h5_class, HandleClass::h5_plist,
      HandleClass::h5_other, HandleClass::h5_other,   HandleClass::h5_stack};
  constexpr int number_bits = 56;
  auto type = static_cast<size_t>(id >> number_bits & 0x7f);
  if (is_since_1_12()) return type < std::size(new_order) ? new_order[type] : HandleClass::h5_other;
  return type < std::size(old_order) ? old_order[type] : HandleClass::h5_other;
}

std::atomic<int> started{0};

bool is_valid(Identifier id) { return id > 0 && real_H5Iis_valid()(id) > 0; }

void name_predefined() {
  for (size_t i = 0; i < predefined_count; ++i) {
    const Identifier* variable = variables[i].load(std::memory_order_relaxed);
    if (variable == nullptr) {
      variable = find(i);
      if (variable == nullptr) continue;
      variables[i].store(variable, std::memory_order_relaxed);
    }
    if (*variable <= 0) continue;
    auto key = static_cast<uint64_t>(*variable);
    if (shared.addresses.get(key).state() == Handle::State::unknown)
      shared.addresses.set(key,
                           {Handle::State::predefined, class_of(*variable), 0, static_cast<uint32_t>(i)});
  }
}

void name_driver(Identifier id, const char* name) {
  for (uint32_t i = 0; i < std::size(drivers); ++i)
    if (std::strcmp(drivers[i], name) == 0)
      shared.addresses.set(static_cast<uint64_t>(id), {Handle::State::predefined, HandleClass::h5_other, 0,
                                                       static_cast<uint32_t>(predefined_count) + i});
}

const char* predefined_name(Handle handle) {
  size_t driver = handle.slot() - predefined_count;
  if (handle.slot() < predefined_count) return predefined[handle.slot()].name;
  return driver < std::size(drivers) ? drivers[driver] : "unknown";
}

void before_start() {
  int none = 0;
  if (started.compare_exchange_strong(none, 1)) std::atexit(leave_end);
}

void after_start() {
  int one = 1;
  if (started.compare_exchange_strong(one, 2)) std::atexit(enter_end);
}

int rank_of_space(Identifier space) { return real_H5Sget_simple_extent_ndims()(space); }
int64_t extent_points(Identifier space) { return real_H5Sget_simple_extent_npoints()(space); }
int64_t selected_points(Identifier space) { return real_H5Sget_select_npoints()(space); }
int64_t size_of_type(Identifier type) { return static_cast<int64_t>(real_H5Tget_size()(type)); }
bool is_float(Identifier type) {
  constexpr int float_class = 1;  // H5T_FLOAT
  return real_H5Tget_class()(type) == float_class;
}
namespace {

/// Strings end at the first zero, if nothing but zeros follows.
bool is_plain_text(std::span<const char> bytes) {
  auto end = std::find(bytes.begin(), bytes.end(), '\0');
  return std::all_of(end, bytes.end(), [](char c) { return c == 0; });
}

std::string hexadecimal(std::span<const char> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "hex:";
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace

std::string kept_value(Identifier type, std::span<const char> bytes) {
  constexpr int string_class = 3, reference_class = 7, variable_class = 9;  // of H5T_class_t
  auto holds = [type](int c) { return real_H5Tdetect_class()(type, c) != 0; };
  bool is_string = real_H5Tget_class()(type) == string_class;
  if (is_string ? real_H5Tis_variable_str()(type) != 0
                : holds(string_class) || holds(reference_class) || holds(variable_class))
    return {};
  bool one = is_string && size_of_type(type) == static_cast<int64_t>(bytes.size());
  if (!one || !is_plain_text(bytes)) return hexadecimal(bytes);
  return "text:" + std::string(bytes.data(), strnlen(bytes.data(), bytes.size()));
}

uint64_t file_of(Identifier object) {
  ssize_t length = real_H5Fget_name()(object, nullptr, 0);
  if (length <= 0) return 0;
  std::string name(static_cast<size_t>(length) + 1, 0);
  real_H5Fget_name()(object, name.data(), name.size());
  uint64_t h = 1;
  for (char c : name) h = hash_combine(h, static_cast<unsigned char>(c));
  return h;
}

std::string name_of_referred(Identifier location, const void* reference) {
  constexpr int to_object = 0;  // H5R_OBJECT
  ssize_t length = real_H5Rget_name()(location, to_object, reference, nullptr, 0);
  if (length <= 0) return {};
  std::string name(static_cast<size_t>(length) + 1, 0);
  real_H5Rget_name()(location, to_object, reference, name.data(), name.size());
  name.pop_back();
  return name;
}

int64_t encoded_bytes(Identifier id, HandleClass encoded) {
  size_t bytes = 0;
  bool later = is_since_1_12();
  auto* encode = encoded == HandleClass::h5_encoded_type    ? real_H5Tencode()
                 : encoded == HandleClass::h5_encoded_space ? (later ? real_H5Sencode1() : real_H5Sencode())
                                                            : (later ? real_H5Pencode1() : real_H5Pencode());
  return encode(id, nullptr, &bytes) < 0 ? -1 : static_cast<int64_t>(bytes);
}

bool extent_of_dataset(Identifier dataset, Extent& out) {
  return extent_of(real_H5Dget_space()(dataset), out);
}
bool extent_of_attribute(Identifier attribute, Extent& out) {
  return extent_of(real_H5Aget_space()(attribute), out);
}

}  // namespace refrain::record::hdf5
