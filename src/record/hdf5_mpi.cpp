// With MPI; see hdf5_mpi.hpp.
#include "record/hdf5_mpi.hpp"

#include "record/mpi_handles.hpp"

namespace refrain::record::hdf5 {
namespace {

HandleClass mpi_class(const LibraryCall& call, size_t i) { return api::facts_of(call.kind(i)).handle; }

}  // namespace

void look_at_mpi_argument(LibraryCall& call, size_t i) {
  const api::MpiLibrary* library = mpi_library();
  if (library == nullptr) return;
  HandleClass c = mpi_class(call, i);
  call.handles[i] = look_at_mpi(call.lane, c, word_of_handle(*library, c, call.words[i])).handle;
}

void name_handed_out(LibraryCall& call, size_t i) {
  const api::MpiLibrary* library = mpi_library();
  if (library == nullptr || call.words[i] == 0) return;
  HandleClass c = mpi_class(call, i);
  uint64_t word = word_of_handle_at(*library, c, call.pointer<const void>(i));
  Handle known = shared.addresses.get(word);
  bool named = known.tracked() && known.handle_class() == c;
  call.handles[i] = named ? known : name_mpi(call.lane, c, word, false).handle;
}

const char* mpi_constant(const LibraryCall& call, size_t i) {
  if (call.handles[i].state() == Handle::State::ignored) return "foreign";
  const api::MpiLibrary* library = mpi_library();
  if (library == nullptr) return "other";
  HandleClass c = mpi_class(call, i);
  bool behind = api::facts_of(call.kind(i)).use == api::Use::made;
  uint64_t word = behind ? word_of_handle_at(*library, c, call.pointer<const void>(i))
                         : word_of_handle(*library, c, call.words[i]);
  const char* name = record::predefined_name(c, word);
  return name == nullptr ? "other" : name;
}

}  // namespace refrain::record::hdf5
