// How a call of MPI is described: its arguments by kind, for the visitors, and what it made as the result.
// What calls do to handles is in mpi_call.cpp.
#include <algorithm>
#include <string>
#include <utility>

#include "record/mpi_addresses.hpp"
#include "record/mpi_call.hpp"
#include "record/mpi_transfer.hpp"
#include "record/put_lists.hpp"

namespace refrain::record {
namespace {

RF_OWN_MPI(MPI_Cartdim_get, int(uint64_t, int*))
RF_OWN_MPI(MPI_Type_get_extent, int(uint64_t, int64_t*, int64_t*))
RF_OWN_MPI(MPI_Type_get_true_extent, int(uint64_t, int64_t*, int64_t*))

/// Elements larger than that are not laid out anew.
constexpr int64_t largest_extent = int64_t{1} << 31;

/// What stands in the trace as the result.
bool is_result(Kind kind) { return api::form_of(kind) == api::Form::made_behind; }

template <class T>
const T* list_at(uint64_t word) {
  return reinterpret_cast<const T*>(word);
}

size_t sum_of(const int* values, size_t length) {
  int64_t sum = 0;
  for (size_t k = 0; k < length; ++k) sum += values[k];
  return length_of(sum);
}

/// What stands for weights that aren't there, in libraries where it is the content of a variable.
uint64_t variable_content(const char* name) {
  const auto* variable = static_cast<const uint64_t*>(find_variable(name));
  return variable == nullptr ? 0 : *variable;
}

const char* weights_name(const api::MpiLibrary& library, uint64_t word) {
  auto is = [&](uint64_t value, const char* name) {
    return word != 0 && word == (value != 0 ? value : variable_content(name));
  };
  if (is(library.unweighted, "MPI_UNWEIGHTED")) return "MPI_UNWEIGHTED";
  return is(library.weights_empty, "MPI_WEIGHTS_EMPTY") ? "MPI_WEIGHTS_EMPTY" : nullptr;
}

int64_t slot_of(const Lane& lane, Handle handle) {
  if (!handle.tracked()) return -1;
  bool own = handle.lane() == lane.number();
  return own ? handle.slot()
             : static_cast<int64_t>(uint64_t{handle.slot()} | (uint64_t{handle.lane()} + 1) << 32);
}

}  // namespace

template <class V>
void MpiCall::describe(V& v) const {
  size_t length = 0;
  for (size_t i = 0; i < count_; ++i) {
    if (row_.kinds[i] == Kind::list_size)
      length = length_of(integer(i));
    else if (!is_result(row_.kinds[i]))
      describe_argument(v, i, length);
  }
}

template <class V>
void MpiCall::describe_argument(V& v, size_t i, size_t length) const {
  Kind kind = row_.kinds[i];
  if (describe_usual(v, kind, words_[i], handles_[i], moved_)) return;
  switch (kind) {
    case Kind::implied:
    case Kind::out_flag:
    case Kind::seen_object:
      return;
    case Kind::integer:
      return v.integer(Role::plain, integer(i));
    case Kind::displacement:
      if (library_.to_named(kind, static_cast<int64_t>(words_[i])) == api::current_displacement)
        return v.name(kind, static_cast<uint32_t>(api::current_displacement));
      return v.integer(Role::offset, static_cast<int64_t>(words_[i]));
    case Kind::data_in:
    case Kind::data_out:
      return v.data();
    case Kind::path:
      return pointer<char>(i) == nullptr ? v.fixed("NULL") : v.path(pointer<char>(i));
    case Kind::string:
      return pointer<char>(i) == nullptr ? v.fixed("NULL") : v.text(pointer<char>(i));
    case Kind::text:
      return pointer<char>(i) == nullptr ? v.fixed("NULL") : v.word(pointer<char>(i));
    case Kind::out_text:
      return outcome_.error != 0 ? v.data() : v.word(pointer<char>(i));
    case Kind::request:
    case Kind::freed_request:
    case Kind::cancelled_request:
      return show(v, {.handle = request_count_ > 0 ? requests_[0].handle : Handle()});
    case Kind::seen_mpi_type:
      return outcome_.error != 0 ? v.data() : show(v, handles_[i]);
    default:
      break;
  }
  const api::KindFacts& facts = api::facts_of(kind);
  if (facts.use != Use::none && facts.use != Use::several) return show(v, handles_[i]);
  if (facts.form == api::Form::name) return v.name(kind, named(kind, static_cast<int>(words_[i])));
  describe_list(v, i, length);
}

template <class V>
void MpiCall::describe_list(V& v, size_t i, size_t length) const {
  const auto* ints = list_at<int>(words_[i]);
  switch (row_.kinds[i]) {
    case Kind::int_list:
      return put_list(v, Role::plain, ints, length);
    case Kind::count_list:
      return put_list(v, Role::plain, list_at<int64_t>(words_[i]), length);
    case Kind::distribution_arguments: {
      std::vector<int64_t> arguments(ints, ints + length);
      std::replace(arguments.begin(), arguments.end(), int64_t{library_.default_argument},
                   int64_t{api::default_distribution_argument});
      return put_list(v, Role::plain, arguments.data(), arguments.size());
    }
    case Kind::aint_list:
      return displacements_.empty() ? put_list(v, Role::plain, list_at<int64_t>(words_[i]), length)
                                    : put_list(v, Role::plain, displacements_.data(), length);
    case Kind::ranges:
      return put_list(v, Role::plain, ints, 3 * length);
    case Kind::last_list: {
      const auto* before = list_at<int>(words_[i - 1]);
      return put_list(v, Role::plain, ints, length == 0 ? 0 : length_of(before[length - 1]));
    }
    case Kind::sum_list:
      return put_list(v, Role::plain, ints, sum_of(list_at<int>(words_[i - 1]), length));
    case Kind::weights:
    case Kind::sum_weights:
      if (const char* name = weights_name(library_, words_[i])) return v.fixed(name);
      if (row_.kinds[i] == Kind::sum_weights) length = sum_of(list_at<int>(words_[i - 2]), length);
      return put_list(v, Role::plain, ints, length);
    case Kind::cart_list: {
      int dimensions = 0;
      if (outcome_.error == 0) own_MPI_Cartdim_get()(words_[0], &dimensions);
      return put_list(v, Role::plain, ints, length_of(dimensions));
    }
    case Kind::requests: {
      std::vector<int64_t> slots;
      for (size_t k = 0; k < request_count_; ++k) slots.push_back(slot_of(lane_, requests_[k].handle));
      return put_list(v, Role::plain, slots.data(), slots.size());
    }
    case Kind::distributions: {
      trace::NameList names;
      for (size_t k = 0; k < length; ++k)
        names.add(api::name_of(Kind::distribution, named(Kind::distribution, ints[k])));
      return put_names(v, names.finish());
    }
    case Kind::mpi_types:
      return put_types(v, lane_, words_[i] == 0 ? 0 : length,
                       [&](size_t k) { return handle_behind(HandleClass::mpi_type, i, k); });
    default:
      return v.data();
  }
}

template <class V>
void MpiCall::describe_result(V& v) const {
  for (size_t i = 0; i < count_; ++i) {
    Kind kind = row_.kinds[i];
    if (!is_result(kind)) continue;
    if (kind == Kind::out_int) return v.integer(Role::plain, *pointer<int>(i));
    if (kind == Kind::out_offset) return v.integer(Role::plain, *pointer<int64_t>(i));
    if (api::facts_of(kind).named_like != Kind::end) return v.name(kind, named(kind, *pointer<int>(i)));
    if (kind == Kind::out_indices)
      return put_list(v, Role::plain, pointer<int>(i), length_of(*pointer<int>(i - 1)));
    return show(v, made_);
  }
  if (made_.handle.tracked()) show(v, made_);
}

trace::Bracket MpiCall::bracket() const {
  bool makes = false, closes = false;
  for (size_t i = 0; i < count_; ++i) {
    Use use = api::facts_of(row_.kinds[i]).use;
    makes |= use == Use::made;
    closes |= use == Use::ends || row_.kinds[i] == Kind::requests;
  }
  if (makes == closes) return trace::Bracket::neither;
  return makes ? trace::Bracket::opens : trace::Bracket::closes;
}

/// The blocks of a datatype with displacements in bytes; none if they can't be told.
std::vector<MemoryBlock> MpiCall::blocks(size_t displacements, size_t length) const {
  std::vector<MemoryBlock> out;
  size_t types = find(Kind::mpi_types), type = find(Kind::mpi_type);
  Kind before = row_.kinds[displacements - 1];
  const auto* lengths = before == Kind::int_list ? pointer<int>(displacements - 1) : nullptr;
  const auto* wide_lengths = before == Kind::count_list ? pointer<int64_t>(displacements - 1) : nullptr;
  uint64_t last = 0;
  int64_t lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  for (size_t k = 0; k < length; ++k) {
    uint64_t word =
        types < count_ ? handle_behind(HandleClass::mpi_type, types, k) : handle(HandleClass::mpi_type, type);
    if (word != last) {
      uint64_t element = own_handle(library_, HandleClass::mpi_type, word);
      bool told = word != 0 && own_MPI_Type_get_extent()(element, &lower, &extent) == 0 &&
                  own_MPI_Type_get_true_extent()(element, &true_lower, &true_extent) == 0;
      if (!told || extent < 0 || extent > largest_extent) return {};
      last = word;
    }
    int64_t count = lengths != nullptr        ? lengths[k]
                    : wide_lengths != nullptr ? wide_lengths[k]
                                              : integer(displacements - 1);
    out.push_back({pointer<int64_t>(displacements)[k] + true_lower,
                   count <= 0 ? 0 : (count - 1) * extent + true_extent});
  }
  return out;
}

/// Displacements that are addresses, or distances between them, are those in a memory of their own.
void MpiCall::lay_out_memory() {
  size_t at = find(Kind::aint_list), length = at < count_ ? length_of(integer(find(Kind::list_size))) : 0;
  if (length == 0 || length > longest_kept_list || words_[at] == 0 || outcome_.error != 0) return;
  const auto* given = pointer<int64_t>(at);
  bool absolute = std::all_of(given, given + length, is_address);
  if (!absolute && (as_it_is_ || lane_.asked_addresses.none())) return;
  std::vector<MemoryBlock> memory = blocks(at, length);
  if (memory.empty()) return;
  std::vector<int64_t> distances;
  std::vector<MemoryBlock> from_there;
  for (size_t k = 0; k < length; ++k) {
    if (memory[k].bytes <= 0) continue;
    distances.push_back(given[k]);
    from_there.push_back({given[k], memory[k].start + memory[k].bytes - given[k]});
  }
  AskedAddresses& asked = lane_.asked_addresses;
  if (!absolute && !asked.explain(distances) && !asked.explain(run_starts(std::move(from_there)))) return;
  displacements_ = lay_out(memory);
  for (size_t k = 0; k < length; ++k) displacements_[k] -= memory[k].start - given[k];
  bool same = std::equal(given, given + length, displacements_.begin());
  if (!absolute && !same) mark_laid_out(handle_behind(HandleClass::mpi_type, find(Kind::new_mpi_type)), true);
}

void MpiCall::emit_event() {
  lay_out_memory();
  outcome_.bracket = bracket();
  emit(
      lane_, row_.id, outcome_, [&](auto& v) { describe(v); }, [&](auto& v) { describe_result(v); });
}

}  // namespace refrain::record
