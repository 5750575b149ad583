// Handles of MPI; see mpi_handles.hpp.
#include "record/mpi_handles.hpp"

#include "base/hash.hpp"
#include "record/look.hpp"
#include "record/mpi_real.hpp"
#include "record/mpi_transfer.hpp"
#include "record/mpi_types.hpp"

namespace refrain::record {
namespace {

RF_OWN_MPI(MPI_Type_size, int(uint64_t, int*))
RF_OWN_MPI(MPI_Comm_f2c, uint64_t(int))
RF_OWN_MPI(MPI_Info_f2c, uint64_t(int))
RF_OWN_MPI(MPI_Get_library_version, int(char*, int*))
RF_OWN_MPI(MPI_Get_elements_x, int(const void*, uint64_t, int64_t*))

/// The predefined handles by word. Every thread that finds the table unfinished fills it in, all with the
/// same.
struct Predefined {
  std::atomic<uint64_t> word;  ///< 0: free
  std::atomic<const api::MpiHandleName*> spelling;
  std::atomic<uint64_t> size_bytes;  ///< of a datatype's element, plus one; 0 not asked yet
};
constexpr size_t table_size = 512;
Predefined table[table_size];
std::atomic<bool> table_filled{false};

uint64_t handle_at(const api::MpiLibrary::Place& place) {
  if (place.is_value) return place.value;
  return place.variable == nullptr ? 0 : reinterpret_cast<uint64_t>(find_variable(place.variable));
}

void insert(const api::MpiLibrary& library, size_t at) {
  const api::MpiHandleName& spelling = api::mpi_handle_names()[at];
  uint64_t handle = handle_at(library.places[at]);
  if (handle == 0) return;
  uint64_t word = word_of_handle(library, spelling.handle_class, handle);
  for (size_t i = mix64(word) & (table_size - 1);; i = (i + 1) & (table_size - 1)) {
    uint64_t free = 0;
    bool taken = table[i].word.compare_exchange_strong(free, word, std::memory_order_acq_rel);
    if (!taken && free != word) continue;
    const api::MpiHandleName* none = nullptr;  // of two names for one thing the first counts
    table[i].spelling.compare_exchange_strong(none, &spelling, std::memory_order_release);
    return;
  }
}

void fill_table() {
  if (const api::MpiLibrary* library = mpi_library())
    for (size_t i = 0; i < library->places.size() && i < table_size / 2; ++i) insert(*library, i);
  table_filled.store(true, std::memory_order_release);
}

Predefined* find_predefined(uint64_t word) {
  if (!table_filled.load(std::memory_order_acquire)) [[unlikely]] {
    fill_table();
  }
  for (size_t i = mix64(word) & (table_size - 1);; i = (i + 1) & (table_size - 1)) {
    uint64_t there = table[i].word.load(std::memory_order_relaxed);
    if (there == word) return &table[i];
    if (there == 0) return nullptr;
  }
}

Handle known(HandleClass c, uint64_t word) {
  Handle handle = shared.addresses.get(word);
  bool other = handle.tracked() && handle.handle_class() != c;  // its place was used again behind our back
  return other ? Handle() : handle;
}

/// Objects that MPI counts, as groups, may be given out again while they are held: each time has a slot of
/// its own, as each would have its variable in a program. The last is known by the object's word, those
/// before it by what no word is: with a number in its upper bits.
uint64_t earlier_key(uint64_t word, uint64_t number) { return word | number << 52; }
/// How many there are is kept beside the object: no word is odd.
uint64_t times_key(uint64_t word) { return word + 1; }

uint32_t times_held_before(uint64_t word) { return shared.addresses.get(times_key(word)).slot(); }
void set_times(uint64_t word, uint32_t times) {
  if (times > 0)
    shared.addresses.set(times_key(word), {Handle::State::ignored, HandleClass::fd, 0, times});
  else
    shared.addresses.take(times_key(word));
}

/// Makes room for another slot.
void hold_again(uint64_t word) {
  constexpr uint32_t most = 0xfff;
  uint32_t times = times_held_before(word) + 1;
  if (times > most || !shared.addresses.set(earlier_key(word, times), shared.addresses.get(word))) return;
  shared.addresses.take(word);
  set_times(word, times);
}

/// Frees the last slot; the one before it, if there is one, takes its place.
void let_go(uint64_t word) {
  forget_address(reinterpret_cast<const void*>(word));
  uint32_t times = times_held_before(word);
  if (times == 0) return;
  shared.addresses.set(word, shared.addresses.take(earlier_key(word, times)));
  set_times(word, times - 1);
}

constexpr api::MpiLibrary no_library{};

/// The program's library as it describes itself; one that is not known is noted.
const api::MpiLibrary* ask_library() {
  auto* get_version = own_MPI_Get_library_version();
  if (get_version == nullptr) return &no_library;
  const api::MpiLibrary* known = api::identify_mpi_library(get_version).table;
  if (SessionPage* page = session_page(); known == nullptr && page != nullptr)
    page->other_mpi.fetch_add(1, std::memory_order_relaxed);
  return known == nullptr ? &no_library : known;
}

/// What zero stands for: MPI_FILE_NULL in some libraries, elsewhere a mistake.
const char* zero_name(HandleClass c) {
  const api::MpiLibrary* library = mpi_library();
  for (size_t i = 0; library != nullptr && i < library->places.size(); ++i) {
    const api::MpiHandleName& spelling = api::mpi_handle_names()[i];
    if (spelling.handle_class == c && library->places[i].is_value && library->places[i].value == 0)
      return spelling.name;
  }
  return "NULL";
}

}  // namespace

std::atomic<const api::MpiLibrary*> found_mpi_library{nullptr};

const api::MpiLibrary* find_mpi_library() {
  static std::atomic<const api::MpiLibrary*> answer{nullptr};
  const api::MpiLibrary* known = answer.load(std::memory_order_acquire);
  if (known == nullptr) {
    KeepErrno keep;
    answer.compare_exchange_strong(known, ask_library());
    known = answer.load(std::memory_order_acquire);
  }
  if (known == &no_library) return nullptr;
  found_mpi_library.store(known, std::memory_order_relaxed);
  return known;
}

uint64_t handle_of_fortran(HandleClass c, int handle) {
  const api::MpiLibrary* library = mpi_library();
  if (library == nullptr || library->handle_bytes(c) == 4) return static_cast<uint32_t>(handle);
  return c == HandleClass::communicator ? own_MPI_Comm_f2c()(handle) : own_MPI_Info_f2c()(handle);
}

uint64_t own_predefined(const api::MpiLibrary& library, std::string_view name) {
  for (size_t i = 0; i < library.places.size(); ++i)
    if (api::mpi_handle_names()[i].name == name) return handle_at(library.places[i]);
  return 0;
}

const char* predefined_name(HandleClass c, uint64_t word) {
  Predefined* found = word == 0 ? nullptr : find_predefined(word);
  const api::MpiHandleName* spelling =
      found == nullptr ? nullptr : found->spelling.load(std::memory_order_acquire);
  return spelling != nullptr && spelling->handle_class == c ? spelling->name : nullptr;
}

MpiHandle look_at_mpi(Lane& lane, HandleClass c, uint64_t word) {
  if (word == 0) return {.name = zero_name(c)};
  if (c != HandleClass::mpi_file && c != HandleClass::request)
    if (const char* name = predefined_name(c, word)) return {.name = name};
  Handle handle = known(c, word);
  if (handle.state() != Handle::State::unknown) [[likely]]
    return {.handle = handle};
  if (const char* name = predefined_name(c, word)) return {.name = name};
  return {.handle = introduce_mpi(lane, c, word)};
}

MpiHandle name_mpi(Lane& lane, HandleClass c, uint64_t word, bool counted) {
  if (const char* name = predefined_name(c, word)) return {.name = name};
  if (counted && known(c, word).tracked()) hold_again(word);
  return {.handle = name_address(lane, c, reinterpret_cast<const void*>(word))};
}

bool leave_out_mpi(HandleClass c, uint64_t word) {
  if (word == 0 || predefined_name(c, word) != nullptr || known(c, word).tracked()) return false;
  forget_address(reinterpret_cast<const void*>(word));
  return shared.addresses.set(word, Handle::ignored());
}

void meet_processes(uint64_t communicator) {
  bool met = leave_out_mpi(HandleClass::communicator, communicator);
  if (SessionPage* page = session_page(); met && page != nullptr)
    page->meetings.fetch_add(1, std::memory_order_relaxed);
}

MpiHandle release_mpi(Lane& lane, HandleClass c, uint64_t word) {
  MpiHandle found = look_at_mpi(lane, c, word);
  if (found.name == nullptr) let_go(word);
  return found;
}

namespace {
/// Kept beside the type, like times_key().
uint64_t laid_out_key(uint64_t word) { return word + 2; }
std::atomic<bool> any_laid_out{false};
}  // namespace

bool is_laid_out(uint64_t word) {
  return any_laid_out.load(std::memory_order_relaxed) && word != 0 &&
         shared.addresses.get(laid_out_key(word)).state() == Handle::State::ignored;
}

void mark_laid_out(uint64_t word, bool laid_out) {
  if (laid_out) {
    any_laid_out.store(true, std::memory_order_relaxed);
    shared.addresses.set(laid_out_key(word), Handle::ignored());
  } else if (any_laid_out.load(std::memory_order_relaxed)) {
    shared.addresses.take(laid_out_key(word));
  }
}

int64_t mpi_type_size(uint64_t word) {
  // Plus one, 0 if not asked yet: beside the names of predefined types, for others in the table of handles.
  Predefined* found = find_predefined(word);
  AddressTable::Place place = found != nullptr ? AddressTable::Place() : shared.addresses.look(word);
  std::atomic<uint64_t>* known_size = found != nullptr ? &found->size_bytes : place.fact;
  if (known_size != nullptr)
    if (uint64_t known_bytes = known_size->load(std::memory_order_relaxed))
      return static_cast<int64_t>(known_bytes - 1);
  int size = 0;
  const api::MpiLibrary* library = mpi_library();
  if (library == nullptr ||
      own_MPI_Type_size()(own_handle(*library, HandleClass::mpi_type, word), &size) != 0)
    size = 0;
  if (known_size != nullptr) known_size->store(static_cast<uint64_t>(size) + 1, std::memory_order_relaxed);
  return size;
}

int64_t ask_status(const api::MpiLibrary& library, const void* status, int64_t otherwise) {
  int64_t bytes = -1;
  if (own_MPI_Get_elements_x()(status, own_predefined(library, "MPI_BYTE"), &bytes) != 0) return otherwise;
  return bytes >= 0 ? bytes : otherwise;
}

KnownType find_known_type(Lane& lane, uint64_t word) {
  AddressTable::Place place = shared.addresses.look(word);
  if (place.handle.tracked() && place.handle.handle_class() == HandleClass::mpi_type) {
    uint64_t size = place.fact->load(std::memory_order_relaxed);
    return {{.handle = place.handle}, static_cast<int64_t>(size) - 1};
  }
  bool filled = word != 0 && table_filled.load(std::memory_order_acquire);
  const char* name = filled ? predefined_name(HandleClass::mpi_type, word) : nullptr;
  if (name == nullptr) return {};
  uint64_t size = find_predefined(word)->size_bytes.load(std::memory_order_relaxed);
  if (size != 0) lane.recent_type = {word, name, static_cast<int64_t>(size) - 1};
  return {{.name = name}, static_cast<int64_t>(size) - 1};
}

}  // namespace refrain::record
