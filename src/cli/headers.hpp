// The public functions of the MPI and HDF5 that are installed, read from their headers: what there is to
// record, as opposed to what we record.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace refrain::cli {

/// The functions that a header declares (not defines), of those whose names begin with `prefix`, sorted. A
/// simple reader: comments and preprocessor lines don't count, and both branches of a condition do.
std::vector<std::string> declared_functions(std::string_view text, std::string_view prefix);

struct Library {
  std::string name;  ///< "MPI", "HDF5"
  std::filesystem::path header;
  std::vector<std::string> functions;  ///< sorted
};

/// The libraries whose main headers lie in one of the folders; the first folder counts. Headers that the main
/// header includes from its own folder belong to it.
std::vector<Library> installed_libraries(const std::vector<std::filesystem::path>& folders);

/// Where a compiler would look: what mpicc and pkg-config say, then the usual places.
std::vector<std::filesystem::path> header_folders();

}  // namespace refrain::cli
