// MPI's handles. Predefined ones keep their names; the others are slots by their addresses, and one that was
// never seen made gets its slot when it is first used: a datatype with the call that would have made it.
#pragma once

#include <cstdint>
#include <cstring>

#include "api/mpi/mpi_library.hpp"
#include "record/recorder.hpp"

namespace refrain::record {

struct MpiHandle {
  const char* name = nullptr;  ///< of a predefined one
  Handle handle = {};          ///< of any other

  bool ignored() const { return handle.state() == Handle::State::ignored; }
};

/// What is known about the program's MPI library; nullptr if it is none that Refrain knows. Then its handles
/// must not be touched: calls are passed on, and the trace says so.
const api::MpiLibrary* find_mpi_library();
extern std::atomic<const api::MpiLibrary*> found_mpi_library;
inline const api::MpiLibrary* mpi_library() {
  const api::MpiLibrary* found = found_mpi_library.load(std::memory_order_relaxed);
  return found != nullptr ? found : find_mpi_library();
}

// Handles are known by a word that no address of another object equals: the address that a handle is, or,
// where handles are anything else, that with bits below it that no address has.
/// The word of a handle that is an argument.
inline uint64_t word_of_handle(const api::MpiLibrary& library, HandleClass c, uint64_t argument) {
  if (library.handles_are_addresses(c)) return argument;
  uint64_t handle = library.handle_bytes(c) == 4 ? argument & 0xffffffff : argument;
  return handle == 0 ? 0 : handle << 4 | 4;
}
/// The word of handle `index` in memory.
inline uint64_t word_of_handle_at(const api::MpiLibrary& library, HandleClass c, const void* place,
                                  size_t index = 0) {
  uint64_t argument = 0;
  size_t bytes = library.handle_bytes(c);
  std::memcpy(&argument, static_cast<const char*>(place) + index * bytes, bytes);
  return word_of_handle(library, c, argument);
}
/// The handle itself.
inline uint64_t own_handle(const api::MpiLibrary& library, HandleClass c, uint64_t word) {
  return library.handles_are_addresses(c) ? word : word >> 4;
}
/// The handle itself of a communicator or an info object that Fortran names.
uint64_t handle_of_fortran(HandleClass c, int handle);
/// A predefined handle itself, by its name; 0 if the library has none.
uint64_t own_predefined(const api::MpiLibrary& library, std::string_view name);

/// The name of a predefined handle of the class, or nullptr. Handles are words here and below.
const char* predefined_name(HandleClass c, uint64_t word);
/// What an argument stands for. Under Busy; may emit an event that introduces it.
MpiHandle look_at_mpi(Lane& lane, HandleClass c, uint64_t word);
/// Names what a call made, or told: `counted` for objects that may be known already, and are freed once for
/// each time.
MpiHandle name_mpi(Lane& lane, HandleClass c, uint64_t word, bool counted);
/// Leaves an object, with which processes have to do that are no part of this world, out of the trace. False
/// if it is predefined or known otherwise.
bool leave_out_mpi(HandleClass c, uint64_t word);
/// The same for the communicator of a call that met such processes, of which the trace will tell.
void meet_processes(uint64_t communicator);
/// Lets go of a handle that is about to be freed, and says what it was.
MpiHandle release_mpi(Lane& lane, HandleClass c, uint64_t word);

/// Whether a datatype stands in the trace with displacements of ours, or is made of one that does; see
/// mpi_addresses.hpp.
bool is_laid_out(uint64_t word);
void mark_laid_out(uint64_t word, bool laid_out);

/// Bytes of data in one element.
int64_t mpi_type_size(uint64_t word);

/// A datatype as transfers need it.
struct KnownType {
  MpiHandle handle = {};
  int64_t size_bytes = -1;  ///< of the data in one element; -1: something has to be asked first
};
KnownType find_known_type(Lane& lane, uint64_t word);
/// What is known about a datatype without asking.
inline KnownType known_type(Lane& lane, uint64_t word) {
  if (word == lane.recent_type.word) [[likely]]
    return {{.name = lane.recent_type.name}, lane.recent_type.size_bytes};
  return find_known_type(lane, word);
}

}  // namespace refrain::record
