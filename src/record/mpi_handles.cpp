// Handles of MPI; see mpi_handles.hpp.
#include "record/mpi_handles.hpp"

#include "base/hash.hpp"
#include "record/look.hpp"
#include "record/mpi_real.hpp"
#include "record/mpi_types.hpp"

namespace refrain::record {
namespace {

RF_OWN_MPI(MPI_Type_size)

// A predefined handle of Open MPI is the address of a variable; this turns the header's spelling of that
// address into the variable's name, by which it is found.
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) global

struct Spelling {
  HandleClass handle_class;
  const char* name;
  const char* variable;
};
constexpr Spelling spellings[] = {
#define PREDEFINED(c, name) {HandleClass::c, #name, RF_STRING(name)},
#include "api/mpi/predefined.def"
#undef PREDEFINED
};

#ifdef REFRAIN_WRAP
#pragma weak ompi_mpi_comm_world
bool is_open_mpi() { return &ompi_mpi_comm_world != nullptr; }
#else
bool is_open_mpi() { return find_variable("ompi_mpi_comm_world") != nullptr; }
#endif

/// The predefined handles by address. Every thread that finds the table unfinished fills it in, all with the
/// same.
struct Predefined {
  std::atomic<uint64_t> word;  ///< 0: free
  std::atomic<const Spelling*> spelling;
  std::atomic<uint64_t> size_bytes;  ///< of a datatype's element, plus one; 0 not asked yet
};
constexpr size_t table_size = 512;
static_assert(std::size(spellings) < table_size / 2);
Predefined table[table_size];
std::atomic<bool> table_filled{false};

void insert(const Spelling& spelling) {
  auto word = reinterpret_cast<uint64_t>(find_variable(spelling.variable));
  if (word == 0) return;
  for (size_t i = mix64(word) & (table_size - 1);; i = (i + 1) & (table_size - 1)) {
    uint64_t free = 0;
    bool taken = table[i].word.compare_exchange_strong(free, word, std::memory_order_acq_rel);
    if (!taken && free != word) continue;
    const Spelling* none = nullptr;  // of two names for one thing the first counts
    table[i].spelling.compare_exchange_strong(none, &spelling, std::memory_order_release);
    return;
  }
}

Predefined* find_predefined(uint64_t word) {
  if (!table_filled.load(std::memory_order_acquire)) [[unlikely]] {
    for (const Spelling& spelling : spellings) insert(spelling);
    table_filled.store(true, std::memory_order_release);
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
/// its own, as each would have its variable in a program. The last is known by the object's address, those
/// before it by what no address is: with a number in its upper bits.
uint64_t earlier_key(uint64_t word, uint64_t number) { return word | number << 48; }
/// How many there are is kept beside the object: none lies at an odd address.
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
  constexpr uint32_t most = 0xffff;
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

/// MPICH, and the libraries that agreed to its binary interface, have numbers as handles: an int, in a word
/// of which the rest may be anything. These are the ones that HDF5 is given.
const char* number_name(HandleClass c, uint64_t word) {
  switch (static_cast<uint32_t>(word)) {
    case 0x44000000:
      return c == HandleClass::communicator ? "MPI_COMM_WORLD" : nullptr;
    case 0x44000001:
      return c == HandleClass::communicator ? "MPI_COMM_SELF" : nullptr;
    case 0x1c000000:
      return c == HandleClass::info ? "MPI_INFO_NULL" : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

bool knows_mpi_library() {
  enum : int { open, known, other };
  static std::atomic<int> answer{open};
  int found = answer.load(std::memory_order_relaxed);
  if (found != open) [[likely]]
    return found == known;
  KeepErrno keep;
  int mine = is_open_mpi() ? known : other;
  bool first = answer.compare_exchange_strong(found, mine, std::memory_order_relaxed);
  if (SessionPage* page = session_page(); first && mine == other && page != nullptr)
    page->other_mpi.fetch_add(1, std::memory_order_relaxed);
  return mine == known;
}

const char* predefined_name(HandleClass c, uint64_t word) {
  if (!knows_mpi_library()) return number_name(c, word);
  Predefined* found = word == 0 ? nullptr : find_predefined(word);
  const Spelling* spelling = found == nullptr ? nullptr : found->spelling.load(std::memory_order_acquire);
  return spelling != nullptr && spelling->handle_class == c ? spelling->name : nullptr;
}

MpiHandle look_at_mpi(Lane& lane, HandleClass c, uint64_t word) {
  if (word == 0) return {.name = "NULL"};
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
  if (own_MPI_Type_size()(reinterpret_cast<MPI_Datatype>(word), &size) != MPI_SUCCESS) size = 0;
  if (known_size != nullptr) known_size->store(static_cast<uint64_t>(size) + 1, std::memory_order_relaxed);
  return size;
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
