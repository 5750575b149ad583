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

RF_OWN_MPI(MPI_Type_get_envelope)
RF_OWN_MPI(MPI_Type_get_contents)
RF_OWN_MPI(MPI_Type_free)

template <api::RowId id>
constexpr MpiRow mpi_row{id, RowOf<id>::kinds.data() + 1, api::traits_of_row<id>};

const MpiRow* row_of_combiner(int combiner) {
  switch (combiner) {
    case MPI_COMBINER_DUP:
      return &mpi_row<api::RowId::mpi_MPI_Type_dup>;
    case MPI_COMBINER_CONTIGUOUS:
      return &mpi_row<api::RowId::mpi_MPI_Type_contiguous>;
    case MPI_COMBINER_VECTOR:
      return &mpi_row<api::RowId::mpi_MPI_Type_vector>;
    case MPI_COMBINER_HVECTOR:
      return &mpi_row<api::RowId::mpi_MPI_Type_create_hvector>;
    case MPI_COMBINER_INDEXED:
      return &mpi_row<api::RowId::mpi_MPI_Type_indexed>;
    case MPI_COMBINER_HINDEXED:
      return &mpi_row<api::RowId::mpi_MPI_Type_create_hindexed>;
    case MPI_COMBINER_INDEXED_BLOCK:
      return &mpi_row<api::RowId::mpi_MPI_Type_create_indexed_block>;
    case MPI_COMBINER_HINDEXED_BLOCK:
      return &mpi_row<api::RowId::mpi_MPI_Type_create_hindexed_block>;
    case MPI_COMBINER_STRUCT:
      return &mpi_row<api::RowId::mpi_MPI_Type_create_struct>;
    case MPI_COMBINER_SUBARRAY:
      return &mpi_row<api::RowId::mpi_MPI_Type_create_subarray>;
    case MPI_COMBINER_DARRAY:
      return &mpi_row<api::RowId::mpi_MPI_Type_create_darray>;
    case MPI_COMBINER_RESIZED:
      return &mpi_row<api::RowId::mpi_MPI_Type_create_resized>;
    case MPI_COMBINER_F90_INTEGER:
      return &mpi_row<api::RowId::mpi_MPI_Type_create_f90_integer>;
    case MPI_COMBINER_F90_REAL:
      return &mpi_row<api::RowId::mpi_MPI_Type_create_f90_real>;
    case MPI_COMBINER_F90_COMPLEX:
      return &mpi_row<api::RowId::mpi_MPI_Type_create_f90_complex>;
    default:
      return nullptr;
  }
}

struct Contents {
  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;
};

bool read_contents(MPI_Datatype type, Contents& out) {
  int integers = 0, addresses = 0, types = 0;
  if (own_MPI_Type_get_envelope()(type, &integers, &addresses, &types, &out.combiner) != MPI_SUCCESS)
    return false;
  if (out.combiner == MPI_COMBINER_NAMED || integers < 0 || addresses < 0 || types < 0) return false;
  // One more of each, so that there is somewhere to point to.
  out.integers.resize(static_cast<size_t>(integers) + 1);
  out.addresses.resize(static_cast<size_t>(addresses) + 1);
  out.types.resize(static_cast<size_t>(types) + 1);
  return own_MPI_Type_get_contents()(type, integers, addresses, types, out.integers.data(),
                                     out.addresses.data(), out.types.data()) == MPI_SUCCESS;
}

/// The types that were told are ours to free, unless they are predefined.
void give_back(Contents& contents) {
  contents.types.pop_back();
  for (MPI_Datatype& type : contents.types) {
    int integers, addresses, types, combiner = MPI_COMBINER_NAMED;
    own_MPI_Type_get_envelope()(type, &integers, &addresses, &types, &combiner);
    if (combiner == MPI_COMBINER_NAMED) continue;
    // Who makes the calls again never frees them: their slots are not used again.
    shared.addresses.take(reinterpret_cast<uint64_t>(type));
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
        return reinterpret_cast<uint64_t>(contents_.types.front());
      case Kind::mpi_types:
        return reinterpret_cast<uint64_t>(contents_.types.data());
      case Kind::aint_list:
        return reinterpret_cast<uint64_t>(contents_.addresses.data());
      case Kind::int_list:
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
  if (!layer_enabled(layer_of(api::RowId::mpi_inherited_object))) return name();
  Contents contents;
  bool told = c == HandleClass::mpi_type && read_contents(reinterpret_cast<MPI_Datatype>(word), contents);
  const MpiRow* row = told ? row_of_combiner(contents.combiner) : nullptr;
  if (row == nullptr) {
    Handle handle = name();
    if (handle.tracked()) introduce_plainly(lane, handle);
    return handle;
  }
  // Those it is made of come first, as they do for who makes the calls again.
  for (size_t k = 0; k + 1 < contents.types.size(); ++k)
    look_at_mpi(lane, c, reinterpret_cast<uint64_t>(contents.types[k]));
  Handle handle = name();
  Arguments arguments(*row, contents, word);
  if (handle.tracked())
    MpiCall(lane, *row, arguments.words(), arguments.count(), nullptr).emit_as_made(handle);
  give_back(contents);
  return handle;
}

void introduce_as_it_is(Lane& lane, uint64_t word) {
  shared.addresses.take(word);  // its slot stands for what was recorded so far
  mark_laid_out(word, false);
  if (!introduce_mpi(lane, HandleClass::mpi_type, word).tracked()) return;
  const uint64_t words[] = {reinterpret_cast<uint64_t>(&word)};
  MpiCall(lane, mpi_row<api::RowId::mpi_MPI_Type_commit>, words, 1, nullptr).emit_ahead();
}

}  // namespace refrain::record
