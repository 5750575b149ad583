// Names that calls of the replay made up, where the recorded calls made up others; see trace/made_names.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace refrain::replay {

/// A path of the trace with the names that were made here.
std::string with_made_names(std::string_view path);

/// A path for a call that makes up the last name in it: that is "XXXXXX" again.
std::string before_made_name(std::string_view path);

/// The call filled in `made`, six characters.
void keep_made_name(std::string_view path, std::string_view made);

}  // namespace refrain::replay
