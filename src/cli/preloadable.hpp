// Why a program can't be recorded by preloading a library into it, for the user who wonders about an empty
// recording.
#pragma once

#include <string>
#include <vector>

namespace refrain::cli {

/// A reason in words if the program `name` (searched in PATH unless it holds a slash) is known to ignore
/// LD_PRELOAD, or not to cope with it: statically linked, privileged, for another machine, for another C
/// library. Empty if nothing speaks against it.
std::string why_not_preloadable(const std::string& name);

/// What won't be seen of the programs that a command names, one line for each.
std::vector<std::string> unseen_in(const std::vector<std::string>& command);

/// Changes what LD_PRELOAD says in `environment` ("NAME=value") so that the program can live with it: the
/// runtime of a sanitizer stands first, and a program that can't load `library` isn't asked to.
void suit_preload(const std::string& name, const std::string& library, std::vector<std::string>& environment);

}  // namespace refrain::cli
