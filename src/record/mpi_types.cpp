// Introducing objects; see mpi_types.hpp. A datatype tells how it was made (envelope and contents), in the
// order of the arguments of the function that makes such types. So the arguments can be put together from the
// row alone: numbers and lists are taken one after another, integers from the integers and addresses from the
// addresses.
#include "record/mpi_types.hpp"

#include <vector>

#include "record/look.hpp"
#include "record/mpi_call.hpp"
#include "record/mpi_real.hpp"
#include "record/row_traits.hpp"

namespace refrain::record {
namespace {

RF_OWN_MPI(MPI_Type_get_envelope, int(uint64_t, int*, int*, int*, int*))
RF_OWN_MPI(MPI_Type_get_contents, int(uint64_t, int, int, int, int*, int64_t*, void*))
RF_OWN_MPI(MPI_Type_free, int(void*))

template <api::RowId id>
constexpr MpiRow mpi_row{id, RowOf<id>::kinds.data() + 1, api::traits_of_row<id>};

#define RF_MAKER(name) mpi_row<api::RowId::mpi_MPI_##name>
constexpr MpiRow maker_rows[] = {
    RF_MAKER(Type_dup),
    RF_MAKER(Type_contiguous),
    RF_MAKER(Type_vector),
    RF_MAKER(Type_create_hvector),
    RF_MAKER(Type_indexed),
    RF_MAKER(Type_create_hindexed),
    RF_MAKER(Type_create_indexed_block),
    RF_MAKER(Type_create_hindexed_block),
    RF_MAKER(Type_create_struct),
    RF_MAKER(Type_create_subarray),
    RF_MAKER(Type_create_darray),
    RF_MAKER(Type_create_resized),
    RF_MAKER(Type_create_f90_integer),
    RF_MAKER(Type_create_f90_real),
    RF_MAKER(Type_create_f90_complex),
};
#undef RF_MAKER

/// The row of the function that makes datatypes like this; nullptr if there is none.
const MpiRow* row_of_combiner(const api::MpiLibrary& library, int combiner) {
  for (const api::MpiLibrary::Maker& maker : library.makers)
    if (maker.combiner == combiner)
      for (const MpiRow& row : maker_rows)
        if (row.id == maker.function) return &row;
  return nullptr;
}

struct Contents {
  int combiner = 0;
  std::vector<int> integers;
  std::vector<int64_t> addresses;
  std::vector<uint64_t> types;  ///< handles one behind the other, as the library has them
  size_t type_count = 0;
};

/// Whether a datatype is predefined, and so neither made by a call nor freed.
bool is_named(const api::MpiLibrary& library, uint64_t word) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  uint64_t type = own_handle(library, HandleClass::mpi_type, word);
  return own_MPI_Type_get_envelope()(type, &integers, &addresses, &types, &combiner) != 0 ||
         combiner == library.named_combiner;
}

bool read_contents(const api::MpiLibrary& library, uint64_t word, Contents& out) {
  int integers = 0, addresses = 0, types = 0;
  uint64_t type = own_handle(library, HandleClass::mpi_type, word);
  if (own_MPI_Type_get_envelope()(type, &integers, &addresses, &types, &out.combiner) != 0) return false;
  if (out.combiner == library.named_combiner || integers < 0 || addresses < 0 || types < 0) return false;
  // One more of each, so that there is somewhere to point to.
  out.integers.resize(static_cast<size_t>(integers) + 1);
  out.addresses.resize(static_cast<size_t>(addresses) + 1);
  out.types.resize(static_cast<size_t>(types) + 1);
  out.type_count = static_cast<size_t>(types);
  return own_MPI_Type_get_contents()(type, integers, addresses, types, out.integers.data(),
                                     out.addresses.data(), out.types.data()) == 0;
}

uint64_t type_of(const api::MpiLibrary& library, const Contents& contents, size_t k) {
  return word_of_handle_at(library, HandleClass::mpi_type, contents.types.data(), k);
}

/// The types that were told are ours to free, unless they are predefined.
void give_back(const api::MpiLibrary& library, Contents& contents) {
  for (size_t k = 0; k < contents.type_count; ++k) {
    uint64_t word = type_of(library, contents, k);
    if (is_named(library, word)) continue;
    // Who makes the calls again never frees them: their slots are not used again.
    shared.addresses.take(word);
    uint64_t type = own_handle(library, HandleClass::mpi_type, word);
    own_MPI_Type_free()(&type);
  }
}

/// The arguments of the call that made the type.
class Arguments {
 public:
  Arguments(const MpiRow& row, Contents& contents, uint64_t& made) : contents_(contents) {
    auto arguments = api::row(row.id).arguments;
    for (size_t i = 0; i < arguments.size(); ++i) {
      bool address = arguments[i].type == "MPI_Aint";
      words_[i] = row.kinds[i] == Kind::new_mpi_type ? reinterpret_cast<uint64_t>(&made)
                                                     : next(row.kinds[i], address);
    }
    count_ = arguments.size();
  }
  const uint64_t* words() const { return words_; }
  size_t count() const { return count_; }

 private:
  uint64_t next(Kind kind, bool address) {
    switch (kind) {
      case Kind::mpi_type:
        return contents_.types.front();
      case Kind::mpi_types:
        return reinterpret_cast<uint64_t>(contents_.types.data());
      case Kind::aint_list:
        return reinterpret_cast<uint64_t>(contents_.addresses.data());
      case Kind::int_list:
      case Kind::distribution_arguments:
      case Kind::distributions: {
        auto* list = contents_.integers.data() + std::min(integer_, contents_.integers.size() - 1);
        integer_ += length_;
        return reinterpret_cast<uint64_t>(list);
      }
      default:
        break;
    }
    uint64_t value = address ? static_cast<uint64_t>(at(contents_.addresses, address_))
                             : static_cast<uint64_t>(int64_t{at(contents_.integers, integer_)});
    if (kind == Kind::list_size) length_ = value;
    return value;
  }
  template <class T>
  static T at(const std::vector<T>& values, size_t& place) {
    return place < values.size() ? values[place++] : T{};
  }

  Contents& contents_;
  uint64_t words_[MpiCall::max_arguments] = {};
  size_t count_ = 0;
  size_t integer_ = 0, address_ = 0, length_ = 0;
};

void introduce_plainly(Lane& lane, Handle handle) {
  emit(
      lane, api::RowId::mpi_inherited_object, trace::Bracket::opens, [](auto&) {},
      [&](auto& v) { v.slot(handle); });
}

}  // namespace

Handle introduce_mpi(Lane& lane, HandleClass c, uint64_t word) {
  auto name = [&] { return name_address(lane, c, reinterpret_cast<const void*>(word)); };
  const api::MpiLibrary* library = mpi_library();
  if (library == nullptr || !layer_enabled(layer_of(api::RowId::mpi_inherited_object))) return name();
  Contents contents;
  bool told = c == HandleClass::mpi_type && read_contents(*library, word, contents);
  const MpiRow* row = told ? row_of_combiner(*library, contents.combiner) : nullptr;
  if (row == nullptr) {
    Handle handle = name();
    if (handle.tracked()) introduce_plainly(lane, handle);
    return handle;
  }
  // Those it is made of come first, as they do for who makes the calls again.
  for (size_t k = 0; k < contents.type_count; ++k) look_at_mpi(lane, c, type_of(*library, contents, k));
  Handle handle = name();
  uint64_t made = own_handle(*library, c, word);
  Arguments arguments(*row, contents, made);
  if (handle.tracked())
    MpiCall(lane, *library, *row, arguments.words(), arguments.count(), nullptr).emit_as_made(handle);
  give_back(*library, contents);
  return handle;
}

void introduce_as_it_is(Lane& lane, const api::MpiLibrary& library, uint64_t word) {
  shared.addresses.take(word);  // its slot stands for what was recorded so far
  mark_laid_out(word, false);
  if (!introduce_mpi(lane, HandleClass::mpi_type, word).tracked()) return;
  uint64_t type = own_handle(library, HandleClass::mpi_type, word);
  const uint64_t words[] = {reinterpret_cast<uint64_t>(&type)};
  MpiCall(lane, library, mpi_row<api::RowId::mpi_MPI_Type_commit>, words, 1, nullptr).emit_ahead();
}

}  // namespace refrain::record
