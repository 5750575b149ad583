// MPI's handles. Predefined ones keep their names; the others are slots by their addresses, and one that was
// never seen made gets its slot when it is first used: a datatype with the call that would have made it.
#pragma once

#include <cstdint>

#include "record/recorder.hpp"

namespace refrain::record {

struct MpiHandle {
  const char* name = nullptr;  ///< of a predefined one
  Handle handle = {};          ///< of any other

  bool ignored() const { return handle.state() == Handle::State::ignored; }
};

/// Whether the program's MPI library has the handles that this was compiled for. If not, its handles must not
/// be touched: calls are passed on, and the trace says so.
bool knows_mpi_library();

/// The name of a predefined handle of the class, or nullptr.
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
