// What was built and where it is. The other files of Refrain are found relative to the program itself, so
// that a build or install tree can be moved as a whole: bin/refrain, lib/librefrain.so,
// lib/librefrain_gate.so, lib/librefrain_wrap.a, share/refrain/.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace refrain::cli {

/// The absolute path of lib/`name` beside our bin/; an error if it isn't there.
Result<std::filesystem::path> library_path(const std::string& name);

/// The same for a library that programs are to load first (LD_PRELOAD); an error if the dynamic loader can't
/// take its path.
Result<std::filesystem::path> preload_path(const std::string& name);

/// The same for share/refrain/`name`.
Result<std::filesystem::path> shared_path(const std::string& name);

/// Whether the recorder has the functions of a layer. Those of MPI and of HDF5 are there if their headers
/// were when it was built.
bool can_record(std::string_view layer);

/// Which of the libraries that it can do without are in this build, a line each.
std::string build_text();

}  // namespace refrain::cli
