// Names that calls of the replay made up, where the recorded calls made up others; see trace/made_names.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace refrain::replay {

/// A path of the trace with made-up names replaced by those of this replay.
std::string with_made_names(std::string_view path);

/// A path for a call that makes up the last name in it; this ends with "XXXXXX" again.
std::string before_made_name(std::string_view path);

/// Keeps `made`, the six characters that the call has filled in.
void keep_made_name(std::string_view path, std::string_view made);

}  // namespace refrain::replay
