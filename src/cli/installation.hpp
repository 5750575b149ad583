// Where the other files of Refrain are, relative to the program itself, so that a build or install tree can
// be moved as a whole: bin/refrain, lib/librefrain.so, lib/librefrain_wrap.a.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.hpp"

namespace refrain::cli {

/// The absolute path of lib/`name` beside our bin/; an error if it isn't there.
Result<std::filesystem::path> library_path(const std::string& name);

}  // namespace refrain::cli
