// What calls of MPI do to handles, before and after they are made; see mpi_call.hpp.
#include "record/mpi_call.hpp"

#include <algorithm>

#include "record/look.hpp"
#include "record/mpi_transfer.hpp"
#include "record/mpi_types.hpp"

namespace refrain::record {
namespace {

RF_OWN_MPI(MPI_Error_class, int(int, int*))

/// Requests of file functions that are not done yet, in this process. While there are none, waiting is
/// communication.
std::atomic<int64_t> live_requests{0};

int class_of(int error) {
  int error_class = 0;
  return own_MPI_Error_class()(error, &error_class) == 0 ? error_class : error;
}

}  // namespace

size_t MpiCall::find(Kind kind) const {
  for (size_t i = 0; i < count_; ++i)
    if (row_.kinds[i] == kind) return i;
  return count_;
}

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
    Use use = api::facts_of(row_.kinds[i]).use;
    makes |= use == Use::ends || use == Use::made || use == Use::reported;
    look(i);
  }
  if (apart_ && layer_of(row_.id) == Layer::mpi) return Plan::apart;
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
      return look_at_requests(&words_[i], 1);  // the lower half comes first
    case Kind::freed_request:
    case Kind::cancelled_request:
      requests_at_ = i;
      return look_at_requests(pointer<void>(i), 1);
    case Kind::requests:
      requests_at_ = i;
      return look_at_requests(pointer<void>(i), length_of(integer(i - 1)));
    case Kind::mpi_types: {
      size_t length = length_of(integer(find(Kind::list_size)));
      for (size_t k = 0; words_[i] != 0 && k < length; ++k)
        look_at_mpi(lane_, HandleClass::mpi_type, handle_behind(HandleClass::mpi_type, i, k));
      return;
    }
    default:
      break;
  }
  // For files, and for elements of arrays, distances count.
  if (row_.traits.has(api::Trait::keeps_distances) && kind == Kind::mpi_type) {
    uint64_t type = handle(HandleClass::mpi_type, i);
    if (is_laid_out(type)) introduce_as_it_is(lane_, library_, type);
  }
  const api::KindFacts& facts = api::facts_of(kind);
  if (facts.use == Use::given)
    handles_[i] = look_at_mpi(lane_, facts.handle, handle(facts.handle, i));
  else if (facts.use == Use::behind && words_[i] != 0)
    handles_[i] = look_at_mpi(lane_, facts.handle, handle_behind(facts.handle, i));
  else if (facts.use == Use::ends && words_[i] != 0)
    handles_[i] = release_mpi(lane_, facts.handle, handle_behind(facts.handle, i));
  if (!handles_[i].ignored()) return;
  if (facts.handle == HandleClass::mpi_file)
    wanted_ = false;
  else
    apart_ = true;
}

void MpiCall::look_at_requests(const void* requests, size_t count) {
  of_files_ = false;
  auto word = [&](size_t k) { return word_of_handle_at(library_, HandleClass::request, requests, k); };
  if (requests == nullptr || count == 0 || live_requests.load(std::memory_order_relaxed) <= 0) return;
  for (size_t k = 0; k < count && !of_files_; ++k) {
    Handle handle = shared.addresses.get(word(k));
    of_files_ = handle.tracked() && handle.handle_class() == HandleClass::request;
  }
  if (!of_files_) return;
  requests_ = static_cast<Request*>(lane_.arena().allocate(count * sizeof(Request)));
  if (requests_ == nullptr) {
    of_files_ = false;
    return;
  }
  request_count_ = count;
  for (size_t k = 0; k < count; ++k) {
    Handle handle = shared.addresses.get(word(k));
    bool file = handle.tracked() && handle.handle_class() == HandleClass::request;
    requests_[k] = {word(k), file ? handle : Handle()};
  }
}

void MpiCall::after(int result, bool outer, uint64_t start_ticks, uint64_t end_ticks) noexcept {
  outcome_.outer = outer;
  outcome_.start_ticks = start_ticks;
  outcome_.end_ticks = end_ticks;
  outcome_.error = result == 0 ? 0 : static_cast<int>(library_.to_named(Kind::mpi_error, class_of(result)));
  outcome_.error_name = api::mpi_error_name;
  try {
    conclude();
  } catch (const std::exception&) {
    count_lost();
  }
}

void MpiCall::record_failure(Lane& lane, const api::MpiLibrary& library, const MpiRow& row,
                             const uint64_t* words, size_t count, int result,
                             const Outcome& outcome) noexcept {
  MpiCall call(lane, library, row, words, count, outcome.site);
  if (call.before() == Plan::record)
    call.after(result, outcome.outer, outcome.start_ticks, outcome.end_ticks);
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
  for (size_t k = 0; k < request_count_; ++k) {
    const Request& request = requests_[k];
    if (!request.handle.tracked() || handle_behind(HandleClass::request, requests_at_, k) == request.word)
      continue;
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
  return indices < count_ && row_.traits.has(api::Trait::asks_for_some) && *pointer<int>(indices - 1) == 0;
}

void MpiCall::name_made(size_t i) {
  const api::KindFacts& facts = api::facts_of(row_.kinds[i]);
  HandleClass handle_class = facts.handle;
  bool made = facts.use == Use::made, told = facts.use == Use::reported;
  if ((!made && !told) || words_[i] == 0) return;
  uint64_t word = handle_behind(handle_class, i);
  if (told) {
    handles_[i] = name_mpi(lane_, handle_class, word, false);
    return;
  }
  bool is_file = handle_class == HandleClass::mpi_file;
  bool is_request = handle_class == HandleClass::request;
  if (is_file && wanted_ == false && find(Kind::path) < count_ &&
      judge_path(pointer<char>(find(Kind::path)), Handle()) == Filter::Verdict::excluded) {
    shared.addresses.set(word, Handle::ignored());
    return;
  }
  if (is_request && handles_[find(Kind::mpi_file)].ignored()) return;
  if (row_.traits.has(api::Trait::tells_parent) && leave_out_mpi(handle_class, word)) {
    wanted_ = false;
    return;
  }
  made_ = name_mpi(lane_, handle_class, word, api::facts_of(handle_class).may_be_known);
  if (handle_class == HandleClass::mpi_type) mark_laid_out(word, uses_laid_out());
  if (is_request && made_.handle.tracked()) live_requests.fetch_add(1, std::memory_order_relaxed);
}

/// Whether a datatype that the call is given has displacements of ours.
bool MpiCall::uses_laid_out() const {
  for (size_t i = 0; i < count_; ++i) {
    if (row_.kinds[i] == Kind::mpi_type && is_laid_out(handle(HandleClass::mpi_type, i))) return true;
    if (row_.kinds[i] != Kind::mpi_types || words_[i] == 0) continue;
    size_t length = length_of(integer(find(Kind::list_size)));
    for (size_t k = 0; k < length; ++k)
      if (is_laid_out(handle_behind(HandleClass::mpi_type, i, k))) return true;
  }
  return false;
}

void MpiCall::leave_out_made(int result) noexcept {
  for (size_t i = 0; result == 0 && i < count_; ++i) {
    const api::KindFacts& facts = api::facts_of(row_.kinds[i]);
    if (facts.use == Use::made && words_[i] != 0) leave_out_mpi(facts.handle, handle_behind(facts.handle, i));
  }
}

int64_t MpiCall::bytes_moved() const {
  size_t buffer = std::min(find(Kind::moved_in), find(Kind::moved_out));
  if (buffer == count_ || outcome_.error != 0) return 0;
  size_t status = find(Kind::io_status);
  return transferred(library_, status < count_ ? pointer<void>(status) : nullptr, integer(find(Kind::size)),
                     mpi_type_size(handle(HandleClass::mpi_type, find(Kind::mpi_type))));
}

void MpiCall::emit_ahead() noexcept {
  if (before() != Plan::record) return;
  outcome_.outer = lane_.depth == 0;
  outcome_.start_ticks = outcome_.end_ticks = ticks();
  emit_event();
}

void MpiCall::emit_as_made(Handle handle) {
  made_.handle = handle;
  as_it_is_ = true;
  emit_ahead();
}

}  // namespace refrain::record
