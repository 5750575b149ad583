// The description of an HDF5 call for the visitors, argument by argument from its row's kinds.
#pragma once

#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "api/hdf5/id_types.hpp"
#include "base/bit_cast.hpp"
#include "record/hdf5_facts.hpp"
#include "record/hdf5_mpi.hpp"
#include "record/hdf5_structs.hpp"
#include "record/library_call.hpp"
#include "record/put_lists.hpp"

namespace refrain::record::hdf5 {

/// Kinds of memory that a driver tells apart (H5FD_MEM_NTYPES).
constexpr size_t driver_members = 7;
/// Lists longer than this leave only their size behind.
constexpr int64_t longest_list = 1 << 16;

/// Values of attributes are kept up to this size.
constexpr int64_t longest_kept_value = 256;

/// What a call moves between memory and several datasets.
struct SeveralElements {
  int64_t bytes = 0;           ///< of all; -1 if it can't be told
  std::vector<int64_t> rooms;  ///< memory for each, negative where elements hold more than bytes
};
/// Of a call whose first five arguments are how many there are, and lists of datasets, types, spaces in
/// memory and in the file.
SeveralElements several_elements(const LibraryCall& call);

/// What a description has to be ready for: anything, or the calls of hdf5_frequent.hpp, which hold no lists
/// longer than `Operand::max_width` and no elements of which more is kept than their bytes. For these nothing
/// is called that could see the visitor, which then needs no place in memory.
enum class Calls { all, frequent };

template <class V, Calls calls = Calls::all>
class Description {
 public:
  Description(V& v, const LibraryCall& call) : v_(v), call_(call) {}

  void arguments() const {
    for (size_t i = 0; i < call_.count(); ++i) argument(i, call_.kind(i));
  }

  /// Argument `i`, of this kind. Shrinks to what the kind needs where it is known at compile time.
  [[gnu::always_inline]] void argument(size_t i, Kind kind) const {
    if (is_identifier(kind)) return identifier(i, kind);  // most arguments are
    if (kind == Kind::h5_coordinates) return numbers<uint64_t>(i, call_.known, Role::extent);
    switch (kind) {
      case Kind::h5_vfd:
      case Kind::h5_closed_vfd:
        return handle(call_.handles[i], call_.words[i] == 0 ? "NULL" : "other");
      case Kind::h5_comm:
      case Kind::h5_info:
        return handle(call_.handles[i], mpi_constant(call_, i));
      case Kind::path:
      case Kind::h5_file:
        return call_.words[i] == 0 ? v_.fixed("NULL") : v_.path(call_.pointer<const char>(i));
      case Kind::h5_name:
      case Kind::h5_extension:
        return call_.words[i] == 0 ? v_.fixed("NULL") : v_.text(call_.pointer<const char>(i));
      case Kind::size:
        if (call_.integer(i) == -1) return v_.fixed(without_limit());
        return v_.integer(Role::size, call_.integer(i));
      case Kind::offset:
        return v_.integer(Role::offset, call_.integer(i));
      case Kind::integer:
        return v_.integer(Role::plain, call_.integer(i));
      case Kind::h5_read:
        return v_.integer(moved(Role::bytes_read), call_.integer(i));
      case Kind::h5_written:
        return v_.integer(moved(Role::bytes_written), call_.integer(i));
      case Kind::h5_real:
      case Kind::hex:
        return v_.name(kind, call_.words[i]);
      case Kind::h5_memory_out:
      case Kind::h5_memory_in:
        return call_.handles[i].tracked() ? v_.slot(call_.handles[i])
                                          : v_.optional_data(call_.pointer<const void>(i));
      case Kind::implied:
        return;
      case Kind::h5_function:
        return call_.words[i] == 0 ? v_.fixed("NULL") : v_.fixed("function");
      default:
        return list_or_data(i, kind);
    }
  }

  void result(uint64_t word) const {
    Kind kind = call_.plan.result;
    const api::KindFacts& facts = api::facts_of(kind);
    if (facts.use == api::Use::made) return handle(call_.made, "other");
    if (kind == Kind::h5_id_type)
      return v_.name(kind, static_cast<uint32_t>(id_type(static_cast<int32_t>(word))));
    if (facts.form == api::Form::name) return v_.name(kind, static_cast<uint32_t>(word));
    if (kind == Kind::h5_flag || kind == Kind::h5_count || kind == Kind::h5_amount)
      v_.integer(Role::plain, static_cast<int64_t>(word));
  }

 private:
  [[gnu::always_inline]] void handle(Handle h, const char* otherwise) const {
    if (h.tracked())
      v_.slot(h);
    else if (h.predefined())
      v_.fixed(predefined_name(h));
    else
      v_.fixed(otherwise);
  }
  [[gnu::always_inline]] void identifier(size_t i, Kind kind) const {
    Handle h = call_.handles[i];
    if (h.tracked()) return v_.slot(h);
    if (call_.words[i] != 0) return handle(h, spelling(kind, call_.integer(i)));
    v_.fixed(kind == Kind::h5_space       ? "H5S_ALL"
             : kind == Kind::h5_plist     ? "H5P_DEFAULT"
             : kind == Kind::h5_stack     ? "H5E_DEFAULT"
             : kind == Kind::h5_event_set ? "H5ES_NONE"
                                          : "0");
  }

  /// Of an identifier that is none.
  static const char* spelling(Kind kind, Identifier id) {
    if (kind == Kind::h5_space && id == space_block) return "H5S_BLOCK";
    if (kind == Kind::h5_space && id == space_of_list) return "H5S_PLIST";
    constexpr Identifier all_objects = 0x1f;  // H5F_OBJ_ALL stands for all files where these are asked for
    return id < 0 ? "H5I_INVALID_HID" : id == all_objects ? "H5F_OBJ_ALL" : "invalid";
  }

  const char* without_limit() const {
    return call_.plan.is(api::Trait::sizes_type) ? "H5T_VARIABLE" : "H5S_UNLIMITED";
  }

  /// Bytes count as moved only if the call succeeded.
  Role moved(Role role) const { return call_.outcome.error == 0 ? role : Role::size; }

  [[gnu::always_inline]] void list_or_data(size_t i, Kind kind) const {
    switch (kind) {
      case Kind::h5_sizes:
        return numbers<uint64_t>(i, length_before(i), Role::extent);
      case Kind::h5_words:
        return numbers<uint32_t>(i, length_before(i), Role::plain);
      case Kind::h5_extent:
        return numbers<uint64_t>(i, call_.known, Role::size);
      case Kind::h5_offsets:
        return numbers<int64_t>(i, call_.known, Role::offset);
      case Kind::h5_points:
        return numbers<uint64_t>(i, points_before(i), Role::offset);
      case Kind::h5_attribute_in:
        bytes(Role::bytes_written);
        return call_.has_contents ? contents() : attribute(i);
      case Kind::h5_data_in:
        bytes(Role::bytes_written);
        if constexpr (calls == Calls::all)
          if (call_.has_contents) contents();
        return;
      case Kind::h5_data_out:
      case Kind::h5_attribute_out:
        return bytes(Role::bytes_read);
      case Kind::h5_value:
        return value(i, static_cast<Identifier>(call_.words[i - 1]));
      case Kind::h5_value_before:
        return value(i, static_cast<Identifier>(call_.words[i + 1]));
      case Kind::h5_member_value:
        return value(i, static_cast<Identifier>(call_.words[0]));
      case Kind::list_size:
        return;  // that of the lists behind it
      case Kind::h5_datasets:
      case Kind::h5_types:
      case Kind::h5_spaces:
        return several_handles(i, kind);
      case Kind::h5_several_in:
        return several_data(Role::bytes_written);
      case Kind::h5_several_out:
        return several_data(Role::bytes_read);
      case Kind::h5_id_type:
        return v_.name(kind, static_cast<uint32_t>(id_type(call_.integer(i))));
      case Kind::h5_filter_class:
        return registered_filter(i);
      case Kind::new_h5_comm:
      case Kind::new_h5_info:
        return handed_out(i);
      case Kind::h5_room:
      case Kind::data_in:
      case Kind::data_out:
        return v_.optional_data(call_.pointer<const void>(i));
      default:
        if (calls == Calls::frequent) return v_.name(kind, static_cast<uint32_t>(call_.words[i]));
        return call_.words[i] == 0 ? zero(kind) : structure(i, kind);
    }
  }

  void zero(Kind kind) const {
    if (api::form_of(kind) == api::Form::name) return v_.name(kind, 0);
    v_.fixed("NULL");
  }

  /// What is passed by address, one member after the other.
  void structure(size_t i, Kind kind) const {
    switch (kind) {
      case Kind::h5_cache_config:
        return cache_config(call_.pointer<const void>(i));
      case Kind::h5_image_config: {
        int64_t values[4];
        take_apart(call_.pointer<const void>(i), values);
        return v_.list(Role::plain, values, std::size(values));
      }
      case Kind::h5_link_class:
        return v_.name(Kind::h5_link_type, static_cast<uint32_t>(link_type(call_.pointer<const void>(i))));
      case Kind::h5_multi_map:
        return numbers<int32_t>(i, driver_members, Role::plain);
      case Kind::h5_multi_offsets:
        return numbers<uint64_t>(i, driver_members, Role::offset);
      case Kind::h5_multi_plists:
        return identifiers(call_.pointer<const Identifier>(i), driver_members);
      case Kind::new_h5_multi:
        return made_behind(i, driver_members);
      case Kind::new_h5_behind:
        return made_behind(i, 1);
      case Kind::h5_multi_names:
        for (size_t k = 0; k < driver_members; ++k) {
          const char* name = call_.pointer<const char* const>(i)[k];
          name == nullptr ? v_.fixed("NULL") : v_.text(name);
        }
        return;
      default:
        return v_.name(kind, static_cast<uint32_t>(call_.words[i]));
    }
  }

  static int64_t id_type(int64_t number) { return api::id_type_in_traces(number, is_since_1_12()); }

  /// Two operands, as for datatypes of MPI; see put_lists.hpp.
  void several_handles(size_t i, Kind kind) const {
    auto* ids = call_.pointer<const Identifier>(i);
    HandleClass c = api::facts_of(kind).handle;
    trace::NameList names;
    std::vector<int64_t> slots;
    for (size_t k = 0; ids != nullptr && k < several(); ++k) {
      Handle h = shared.addresses.get(static_cast<uint64_t>(ids[k]));
      if (!h.tracked()) {
        names.add(ids[k] == 0 ? "H5S_ALL" : h.predefined() ? predefined_name(h) : "other");
        continue;
      }
      std::string name(api::facts_of(c).name);
      if (h.lane() != call_.lane.number()) name += "@" + std::to_string(h.lane());
      names.add(name);
      slots.push_back(h.slot());
    }
    put_names(v_, names.finish());
    put_list(v_, Role::plain, slots.data(), slots.size());
  }
  size_t several() const {
    return call_.words[0] <= static_cast<uint64_t>(longest_list) ? call_.words[0] : 0;
  }
  void several_data(Role role) const {
    SeveralElements all = several_elements(call_);
    all.bytes < 0 ? v_.fixed("data") : v_.sized_data(moved(role), static_cast<uint64_t>(all.bytes));
    put_list(v_, Role::plain, all.rooms.data(), all.rooms.size());
  }

  void handed_out(size_t i) const {
    if (call_.outcome.error != 0 || call_.words[i] == 0)
      return v_.optional_data(call_.pointer<const void>(i));
    handle(call_.handles[i], mpi_constant(call_, i));
  }
  void identifiers(const Identifier* ids, size_t count) const {
    for (size_t k = 0; k < count; ++k)
      handle(shared.addresses.get(static_cast<uint64_t>(ids[k])), ids[k] == 0 ? "H5P_DEFAULT" : "other");
  }
  void made_behind(size_t i, size_t count) const {
    if (call_.outcome.error != 0) return v_.fixed("data");
    identifiers(call_.pointer<const Identifier>(i), count);
  }
  void cache_config(const void* place) const {
    CacheConfig config;
    take_apart(place, config);
    v_.list(Role::plain, config.numbers, config.number_count);
    for (size_t k = 0; k < config.real_count; ++k)
      v_.name(Kind::h5_real, bit_cast<uint64_t>(config.reals[k]));
    v_.text(config.trace_file);
  }

  /// The number that says how long list `i` is: the nearest one before it.
  int64_t length_before(size_t i) const {
    while (i > 0)
      if (Kind kind = call_.kind(--i); kind == Kind::integer || kind == Kind::size) return call_.integer(i);
    return -1;
  }
  int64_t points_before(size_t i) const {
    int64_t points = length_before(i);
    bool sane = points >= 0 && points <= longest_list && call_.known >= 0;
    return sane ? points * call_.known : longest_list + 1;
  }

  template <class T>
  [[gnu::always_inline]] void numbers(size_t i, int64_t count, Role role) const {
    auto* from = call_.pointer<const char>(i);
    if (from == nullptr) return v_.fixed("NULL");
    if (count < 0 || count > longest_list) return v_.fixed("data");
    auto length = static_cast<size_t>(count);
    if (calls == Calls::frequent || length <= trace::Operand::max_width)
      return v_.template short_list<T>(role, from, length);
    if constexpr (calls == Calls::all) long_list<T>(from, length, role);
  }
  template <class T>
  [[gnu::noinline]] void long_list(const char* from, size_t length, Role role) const {
    std::vector<int64_t> many(length);
    for (size_t k = 0; k < length; ++k) {
      T number;
      std::memcpy(&number, from + k * sizeof number, sizeof number);
      many[k] = static_cast<int64_t>(number);
    }
    v_.list(role, many.data(), length);
  }

  [[gnu::always_inline]] void bytes(Role role) const {
    if (call_.known < 0) return v_.fixed("data");
    v_.sized_data(moved(role), static_cast<uint64_t>(call_.known));
  }

  void contents() const {
    const std::vector<int64_t>& numbers = call_.lane.contents;
    v_.list(Role::plain, numbers.data(), numbers.size());
  }

  /// What an attribute was written with, on request, as one more operand.
  void attribute(size_t i) const {
    bool wanted = call_.outcome.error == 0 && keeps_attributes() && call_.words[i] != 0;
    if (!wanted || call_.known < 0 || call_.known > longest_kept_value) return;
    std::span<const char> from(call_.pointer<const char>(i), static_cast<size_t>(call_.known));
    if (std::string text = kept_value(static_cast<Identifier>(call_.words[1]), from); !text.empty())
      v_.text(text.c_str());
  }

  /// A single number of `known` bytes; anything larger leaves its size.
  void value(size_t i, Identifier type) const {
    auto* from = call_.pointer<const void>(i);
    if (from == nullptr) return v_.fixed("NULL");
    if (call_.known == 8 && is_float_known(type)) {
      uint64_t bits;
      std::memcpy(&bits, from, sizeof bits);
      return v_.name(Kind::h5_real, bits);
    }
    if (call_.known == 4 && is_float_known(type)) {
      float number;
      std::memcpy(&number, from, sizeof number);
      return v_.name(Kind::h5_real, bit_cast<uint64_t>(static_cast<double>(number)));
    }
    switch (call_.known) {
      case 1:
        return whole<int8_t>(from);
      case 2:
        return whole<int16_t>(from);
      case 4:
        return whole<int32_t>(from);
      case 8:
        return whole<int64_t>(from);
      default:
        return call_.known < 0 ? v_.fixed("data")
                               : v_.sized_data(Role::size, static_cast<uint64_t>(call_.known));
    }
  }
  /// After a failure the library is not asked.
  bool is_float_known(Identifier type) const { return call_.outcome.error == 0 && is_float(type); }
  template <class T>
  void whole(const void* from) const {
    T number;
    std::memcpy(&number, from, sizeof number);
    v_.mark();  // unlike a value that leaves only its size
    v_.integer(Role::plain, number);
  }

  /// The struct begins with a version and the number of the filter, or, before there were versions, with the
  /// number.
  void registered_filter(size_t i) const {
    int words[2];
    auto* from = call_.pointer<const void>(i);
    if (from == nullptr) return v_.fixed("NULL");
    std::memcpy(words, from, sizeof words);
    v_.name(Kind::h5_filter, static_cast<uint32_t>(words[0] == 1 ? words[1] : words[0]));
  }

  V& v_;
  const LibraryCall& call_;
};

}  // namespace refrain::record::hdf5
