// See installation.hpp.
#include "cli/installation.hpp"

namespace refrain::cli {

Result<std::filesystem::path> library_path(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code problem;
  fs::path program = fs::read_symlink("/proc/self/exe", problem);
  if (problem) return fail(ErrorKind::io, problem.message(), "/proc/self/exe");
  fs::path library = program.parent_path().parent_path() / "lib" / name;
  if (!fs::exists(library, problem)) {
    return fail(ErrorKind::io, "not found; it belongs beside the bin folder of this program",
                library.string());
  }
  return library;
}

bool can_record(std::string_view layer) {
#ifdef REFRAIN_WITHOUT_MPI
  if (layer == "mpi" || layer == "mpiio") return false;
#endif
#ifdef REFRAIN_WITHOUT_HDF5
  if (layer == "hdf5") return false;
#endif
  return !layer.empty();
}

}  // namespace refrain::cli
