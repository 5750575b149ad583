// Why a program can't be recorded by preloading a library into it, for the user who wonders about an empty
// recording.
#pragma once

#include <string>

namespace refrain::cli {

/// A reason in words if the program `name` (searched in PATH unless it holds a slash) is known to ignore
/// LD_PRELOAD: statically linked, privileged, for another machine. Empty if nothing speaks against it.
std::string why_not_preloadable(const std::string& name);

}  // namespace refrain::cli
