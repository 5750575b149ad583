// Recording calls of MPI; see mpi_call.hpp.
#include "record/mpi_call.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "api/mpi_names.hpp"
#include "record/look.hpp"
#include "record/mpi_real.hpp"

namespace refrain::record {
namespace {

RF_OWN_MPI(MPI_Error_class)
RF_OWN_MPI(MPI_Cartdim_get)

/// Requests of file functions that are not done yet, in this process. While there are none, waiting is
/// communication.
std::atomic<int64_t> live_requests{0};

/// Longer lists are not kept: memory in the application is bounded.
constexpr size_t longest_list = size_t{1} << 22;

struct Meaning {
  HandleClass handle_class = HandleClass::end;
  enum class Use : uint8_t { none, given, behind, freed, made, told } use = Use::none;
};

/// What a kind of handle means for its argument: given by value, behind a pointer, freed, made by the call,
/// or told.
constexpr Meaning spell_meaning(Kind kind) {
  using Use = Meaning::Use;
  switch (kind) {
    case Kind::mpi_file:
      return {HandleClass::mpi_file, Use::given};
    case Kind::new_mpi_file:
      return {HandleClass::mpi_file, Use::made};
    case Kind::closed_mpi_file:
      return {HandleClass::mpi_file, Use::freed};
    case Kind::comm:
      return {HandleClass::communicator, Use::given};
    case Kind::new_comm:
      return {HandleClass::communicator, Use::made};
    case Kind::freed_comm:
      return {HandleClass::communicator, Use::freed};
    case Kind::mpi_group:
      return {HandleClass::mpi_group, Use::given};
    case Kind::new_mpi_group:
      return {HandleClass::mpi_group, Use::made};
    case Kind::freed_mpi_group:
      return {HandleClass::mpi_group, Use::freed};
    case Kind::mpi_type:
      return {HandleClass::mpi_type, Use::given};
    case Kind::new_mpi_type:
      return {HandleClass::mpi_type, Use::made};
    case Kind::seen_mpi_type:
      return {HandleClass::mpi_type, Use::told};
    case Kind::committed_mpi_type:
      return {HandleClass::mpi_type, Use::behind};
    case Kind::freed_mpi_type:
      return {HandleClass::mpi_type, Use::freed};
    case Kind::mpi_info:
      return {HandleClass::info, Use::given};
    case Kind::new_mpi_info:
      return {HandleClass::info, Use::made};
    case Kind::freed_mpi_info:
      return {HandleClass::info, Use::freed};
    case Kind::errhandler:
      return {HandleClass::errhandler, Use::given};
    case Kind::new_errhandler:
      return {HandleClass::errhandler, Use::made};
    case Kind::freed_errhandler:
      return {HandleClass::errhandler, Use::freed};
    case Kind::new_mpi_op:
      return {HandleClass::mpi_op, Use::made};
    case Kind::freed_mpi_op:
      return {HandleClass::mpi_op, Use::freed};
    case Kind::new_request:
      return {HandleClass::request, Use::made};
    default:
      return {};
  }
}

/// The same as a table: it is asked several times per call.
constexpr auto meanings = [] {
  std::array<Meaning, 256> table{};
  for (size_t kind = 0; kind < table.size(); ++kind) table[kind] = spell_meaning(static_cast<Kind>(kind));
  return table;
}();
inline const Meaning& meaning_of(Kind kind) { return meanings[static_cast<size_t>(kind)]; }

/// Objects that the library counts: a getter may tell one that is known already.
bool counted(HandleClass c) { return c == HandleClass::mpi_group || c == HandleClass::errhandler; }

bool is_result(Kind kind) {
  if (meaning_of(kind).use == Meaning::Use::made) return true;
  return kind == Kind::out_int || kind == Kind::out_offset || kind == Kind::out_amode ||
         kind == Kind::out_thread_level || kind == Kind::out_indices;
}

int class_of(int error) {
  int error_class = 0;
  return own_MPI_Error_class()(error, &error_class) == MPI_SUCCESS ? error_class : error;
}

/// `[MPI_INT, 2 x MPI_DOUBLE]` from its elements, one by one.
class BracketedNames {
 public:
  void add(const std::string& name) {
    if (name != last_) flush();
    last_ = name;
    ++repeats_;
  }
  std::string finish() {
    flush();
    return text_ + "]";
  }

 private:
  void flush() {
    if (repeats_ == 0) return;
    if (text_.size() > 1) text_ += ", ";
    if (repeats_ > 1) text_ += std::to_string(repeats_) + " x ";
    text_ += last_;
    repeats_ = 0;
  }
  std::string text_ = "[";
  std::string last_;
  size_t repeats_ = 0;
};

/// Part of the signature if it is short; as a template otherwise.
template <class V>
void put_names(V& v, const std::string& text) {
  if (text.size() < KeyVisitor::longest_word)
    v.word(text.c_str());
  else
    v.text(text.c_str());
}

template <class T>
const T* list_at(uint64_t word) {
  return reinterpret_cast<const T*>(word);
}

template <class V, class T>
void put_list(V& v, Role role, const T* values, size_t length) {
  if (values == nullptr && length > 0) return v.fixed("NULL");
  if (length > longest_list) return v.fixed("too long");
  int64_t few[trace::Operand::max_width];
  if (length <= trace::Operand::max_width) {
    for (size_t k = 0; k < length; ++k) few[k] = static_cast<int64_t>(values[k]);
    return v.list(role, few, length);
  }
  std::vector<int64_t> many(values, values + length);
  v.list(role, many.data(), length);
}

size_t length_of(int64_t number) { return number < 0 ? 0 : static_cast<size_t>(number); }

size_t sum_of(const int* values, size_t length) {
  int64_t sum = 0;
  for (size_t k = 0; k < length; ++k) sum += values[k];
  return length_of(sum);
}

int64_t slot_of(const Lane& lane, Handle handle) {
  if (!handle.tracked()) return -1;
  bool own = handle.lane == lane.number();
  return own ? handle.slot : static_cast<int64_t>(uint64_t{handle.slot} | (uint64_t{handle.lane} + 1) << 32);
}

}  // namespace

size_t MpiCall::find(Kind kind) const {
  for (size_t i = 0; i < count_; ++i)
    if (row_.kinds[i] == kind) return i;
  return count_;
}

// --- before the call
// -----------------------------------------------------------------------------------------

MpiCall::Plan MpiCall::before() noexcept {
  try {
    return plan();
  } catch (const std::exception&) {
    count_lost();
    return Plan::pass;
  }
}

void MpiCall::count_lost() { lane_.header().lost_unknown.fetch_add(1, std::memory_order_relaxed); }

MpiCall::Plan MpiCall::plan() {
  bool makes = false;
  for (size_t i = 0; i < count_; ++i) {
    makes |= meaning_of(row_.kinds[i]).use >= Meaning::Use::freed;
    look(i);
  }
  if (!of_files_) return Plan::time;
  if (!layer_enabled(layer_of(row_.id))) wanted_ = false;
  if (wanted_) return Plan::record;
  return makes || request_count_ > 0 ? Plan::track : Plan::pass;
}

void MpiCall::look(size_t i) {
  Kind kind = row_.kinds[i];
  switch (kind) {
    case Kind::path:
      if (pointer<char>(i) == nullptr || judge_path(pointer<char>(i), Handle()) == Filter::Verdict::excluded)
        wanted_ = false;
      return;
    case Kind::request:
      requests_at_ = i;
      return look_at_requests(&words_[i], 1);
    case Kind::freed_request:
    case Kind::cancelled_request:
      requests_at_ = i;
      return look_at_requests(pointer<uint64_t>(i), 1);
    case Kind::requests:
      requests_at_ = i;
      return look_at_requests(pointer<uint64_t>(i), length_of(integer(i - 1)));
    case Kind::mpi_types:
    case Kind::mpi_infos: {
      HandleClass c = kind == Kind::mpi_types ? HandleClass::mpi_type : HandleClass::info;
      size_t length = length_of(integer(find(Kind::list_size)));
      for (size_t k = 0; pointer<uint64_t>(i) != nullptr && k < length; ++k)
        look_at_mpi(lane_, c, pointer<uint64_t>(i)[k]);
      return;
    }
    default:
      break;
  }
  Meaning meaning = meaning_of(kind);
  if (meaning.use == Meaning::Use::given)
    handles_[i] = look_at_mpi(lane_, meaning.handle_class, words_[i]);
  else if (meaning.use == Meaning::Use::behind && words_[i] != 0)
    handles_[i] = look_at_mpi(lane_, meaning.handle_class, *pointer<uint64_t>(i));
  else if (meaning.use == Meaning::Use::freed && words_[i] != 0)
    handles_[i] = release_mpi(lane_, meaning.handle_class, *pointer<uint64_t>(i));
  if (meaning.handle_class == HandleClass::mpi_file && handles_[i].ignored()) wanted_ = false;
}

void MpiCall::look_at_requests(const uint64_t* words, size_t count) {
  of_files_ = false;
  if (words == nullptr || count == 0 || live_requests.load(std::memory_order_relaxed) <= 0) return;
  for (size_t k = 0; k < count && !of_files_; ++k) {
    Handle handle = shared.addresses.get(words[k]);
    of_files_ = handle.tracked() && handle.handle_class == HandleClass::request;
  }
  if (!of_files_) return;
  requests_ = static_cast<Request*>(lane_.arena().allocate(count * sizeof(Request)));
  if (requests_ == nullptr) {
    of_files_ = false;
    return;
  }
  request_count_ = count;
  for (size_t k = 0; k < count; ++k) {
    Handle handle = shared.addresses.get(words[k]);
    bool file = handle.tracked() && handle.handle_class == HandleClass::request;
    requests_[k] = {words[k], file ? handle : Handle()};
  }
}

// --- after the call
// ------------------------------------------------------------------------------------------

void MpiCall::after(int result, bool outer, uint64_t start_ticks, uint64_t end_ticks) noexcept {
  outcome_.outer = outer;
  outcome_.start_ticks = start_ticks;
  outcome_.end_ticks = end_ticks;
  outcome_.error = result == MPI_SUCCESS ? 0 : class_of(result);
  outcome_.error_name = api::mpi_error_name;
  try {
    conclude();
  } catch (const std::exception&) {
    count_lost();
  }
}

void MpiCall::conclude() {
  if (request_count_ > 0) forget_done_requests();
  if (outcome_.error == 0)
    for (size_t i = 0; i < count_; ++i) name_made(i);
  if (!wanted_) return;
  if (came_back_empty()) {
    lane_.header().empty_tests.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  moved_ = bytes_moved();
  emit_event();
}

void MpiCall::forget_done_requests() {
  Kind kind = row_.kinds[requests_at_];
  if (kind == Kind::request || kind == Kind::cancelled_request) return;
  const auto* now = pointer<uint64_t>(requests_at_);
  for (size_t k = 0; k < request_count_; ++k) {
    const Request& request = requests_[k];
    if (!request.handle.tracked() || now[k] == request.word) continue;
    live_requests.fetch_sub(1, std::memory_order_relaxed);
    // Another thread may have got a request at the same address meanwhile.
    if (shared.addresses.get(request.word).pack() == request.handle.pack())
      forget_address(reinterpret_cast<const void*>(request.word));
  }
}

/// Asking whether a request is done, and hearing that it isn't, depends on timing: such calls are only
/// counted.
bool MpiCall::came_back_empty() const {
  if (size_t flag = find(Kind::out_flag); flag < count_) return *pointer<int>(flag) == 0;
  size_t indices = find(Kind::out_indices);
  return indices < count_ && row_.id == api::RowId::mpiio_MPI_Testsome && *pointer<int>(indices - 1) == 0;
}

void MpiCall::name_made(size_t i) {
  Meaning meaning = meaning_of(row_.kinds[i]);
  bool made = meaning.use == Meaning::Use::made, told = meaning.use == Meaning::Use::told;
  if ((!made && !told) || words_[i] == 0) return;
  uint64_t word = *pointer<uint64_t>(i);
  if (told) {
    handles_[i] = name_mpi(lane_, meaning.handle_class, word, false);
    return;
  }
  bool is_file = meaning.handle_class == HandleClass::mpi_file;
  bool is_request = meaning.handle_class == HandleClass::request;
  if (is_file && wanted_ == false && find(Kind::path) < count_ &&
      judge_path(pointer<char>(find(Kind::path)), Handle()) == Filter::Verdict::excluded) {
    shared.addresses.set(word, Handle::ignored());
    return;
  }
  if (is_request && handles_[find(Kind::mpi_file)].ignored()) return;
  made_ = name_mpi(lane_, meaning.handle_class, word, counted(meaning.handle_class));
  if (is_request && made_.handle.tracked()) live_requests.fetch_add(1, std::memory_order_relaxed);
}

int64_t MpiCall::bytes_moved() const {
  size_t buffer = std::min(find(Kind::moved_in), find(Kind::moved_out));
  if (buffer == count_ || outcome_.error != 0) return 0;
  size_t status = find(Kind::io_status);
  if (status < count_ && pointer<MPI_Status>(status) != MPI_STATUS_IGNORE)
    return static_cast<int64_t>(pointer<MPI_Status>(status)->_ucount);
  return integer(find(Kind::size)) * mpi_type_size(words_[find(Kind::mpi_type)]);
}

trace::Bracket MpiCall::bracket() const {
  bool makes = false, closes = false;
  for (size_t i = 0; i < count_; ++i) {
    auto use = meaning_of(row_.kinds[i]).use;
    makes |= use == Meaning::Use::made;
    closes |=
        use == Meaning::Use::freed || row_.kinds[i] == Kind::freed_request || row_.kinds[i] == Kind::requests;
  }
  if (makes == closes) return trace::Bracket::neither;
  return makes ? trace::Bracket::opens : trace::Bracket::closes;
}

void MpiCall::emit_event() {
  outcome_.bracket = bracket();
  emit(
      lane_, row_.id, outcome_, [&](auto& v) { describe(v); }, [&](auto& v) { describe_result(v); });
}

void MpiCall::emit_ahead() noexcept {
  if (before() != Plan::record) return;
  outcome_.outer = lane_.depth == 0;
  outcome_.start_ticks = outcome_.end_ticks = ticks();
  emit_event();
}

void MpiCall::emit_as_made(Handle handle) {
  made_.handle = handle;
  emit_ahead();
}

// --- description
// ---------------------------------------------------------------------------------------------

template <class V>
void MpiCall::show(V& v, const MpiHandle& h) {
  if (h.name != nullptr)
    v.fixed(h.name);
  else if (h.handle.tracked())
    v.slot(h.handle);
  else
    v.fixed("other");
}

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
  switch (kind) {
    case Kind::implied:
    case Kind::io_status:
    case Kind::out_flag:
    case Kind::seen_object:
      return;
    case Kind::offset:
      return v.integer(Role::offset, integer(i));
    case Kind::size:
      return v.integer(Role::size, integer(i));
    case Kind::integer:
      return v.integer(Role::plain, integer(i));
    case Kind::moved_in:
      return v.sized_data(Role::bytes_written, static_cast<uint64_t>(moved_));
    case Kind::moved_out:
      return v.sized_data(Role::bytes_read, static_cast<uint64_t>(moved_));
    case Kind::data_in:
    case Kind::data_out:
      return v.data();
    case Kind::path:
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
  if (meaning_of(kind).use != Meaning::Use::none) return show(v, handles_[i]);
  switch (kind) {
    case Kind::amode:
    case Kind::mpi_whence:
    case Kind::mpi_order:
    case Kind::thread_level:
    case Kind::split_type:
    case Kind::type_class:
      return v.name(kind, static_cast<uint32_t>(words_[i]));
    default:
      return describe_list(v, i, length);
  }
}

template <class V>
void MpiCall::describe_list(V& v, size_t i, size_t length) const {
  const auto* ints = list_at<int>(words_[i]);
  switch (row_.kinds[i]) {
    case Kind::int_list:
      return put_list(v, Role::plain, ints, length);
    case Kind::aint_list:
      return put_list(v, Role::plain, list_at<MPI_Aint>(words_[i]), length);
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
      if (ints == MPI_UNWEIGHTED) return v.fixed("MPI_UNWEIGHTED");
      if (ints == MPI_WEIGHTS_EMPTY) return v.fixed("MPI_WEIGHTS_EMPTY");
      if (row_.kinds[i] == Kind::sum_weights) length = sum_of(list_at<int>(words_[i - 2]), length);
      return put_list(v, Role::plain, ints, length);
    case Kind::cart_list: {
      int dimensions = 0;
      if (outcome_.error == 0) own_MPI_Cartdim_get()(reinterpret_cast<MPI_Comm>(words_[0]), &dimensions);
      return put_list(v, Role::plain, ints, length_of(dimensions));
    }
    case Kind::requests: {
      std::vector<int64_t> slots;
      for (size_t k = 0; k < request_count_; ++k) slots.push_back(slot_of(lane_, requests_[k].handle));
      return put_list(v, Role::plain, slots.data(), slots.size());
    }
    case Kind::distributions: {
      BracketedNames names;
      for (size_t k = 0; k < length; ++k)
        names.add(api::name_of(Kind::distribution, static_cast<uint32_t>(ints[k])));
      return put_names(v, names.finish());
    }
    case Kind::mpi_types:
    case Kind::mpi_infos:
      return describe_types(v, i, length);
    case Kind::words:
    case Kind::word_list: {
      const auto* words = list_at<const char*>(words_[i]);
      if (words == nullptr) return v.fixed("MPI_ARGV_NULL");
      std::string text;
      size_t most = row_.kinds[i] == Kind::words ? 4096 : length;
      for (size_t k = 0; k < most && words[k] != nullptr && text.size() < 4000; ++k)
        text += (k == 0 ? "" : " ") + std::string(words[k]);
      return v.text(text.c_str());
    }
    default:
      return v.data();
  }
}

/// Two operands: `[MPI_INT, 2 x mpitype]` names the predefined ones and says where the others stand, whose
/// slots follow.
template <class V>
void MpiCall::describe_types(V& v, size_t i, size_t length) const {
  HandleClass c = row_.kinds[i] == Kind::mpi_types ? HandleClass::mpi_type : HandleClass::info;
  BracketedNames names;
  std::vector<int64_t> slots;
  for (size_t k = 0; pointer<uint64_t>(i) != nullptr && k < length; ++k) {
    MpiHandle found = look_at_mpi(lane_, c, pointer<uint64_t>(i)[k]);
    std::string name = found.name != nullptr ? found.name : handle_class_name(c);
    if (found.name == nullptr) {
      if (found.handle.lane != lane_.number()) name += "@" + std::to_string(found.handle.lane);
      slots.push_back(found.handle.slot);
    }
    names.add(name);
  }
  put_names(v, names.finish());
  put_list(v, Role::plain, slots.data(), slots.size());
}

template <class V>
void MpiCall::describe_result(V& v) const {
  for (size_t i = 0; i < count_; ++i) {
    Kind kind = row_.kinds[i];
    if (!is_result(kind)) continue;
    if (kind == Kind::out_int) return v.integer(Role::plain, *pointer<int>(i));
    if (kind == Kind::out_offset) return v.integer(Role::plain, *pointer<int64_t>(i));
    if (kind == Kind::out_amode || kind == Kind::out_thread_level)
      return v.name(kind, static_cast<uint32_t>(*pointer<int>(i)));
    if (kind == Kind::out_indices)
      return put_list(v, Role::plain, pointer<int>(i), length_of(*pointer<int>(i - 1)));
    return show(v, made_);
  }
  if (made_.handle.tracked()) show(v, made_);
}

}  // namespace refrain::record
