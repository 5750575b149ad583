// Libraries whose calls would be recorded and that are part of a program's own file, where no preloaded
// recorder sees them called. Found by what only they hold, which stripping leaves. Read by the tool, before a
// recording and after it; the file is untrusted.
#pragma once

#include <string>
#include <vector>

namespace refrain::record {

/// Their names, as in "HDF5"; none if the program can't be read, is no dynamic one, or carries the recorder
/// itself.
std::vector<std::string> static_libraries(const std::string& program);

/// The same in words, with what helps; empty if there are none.
std::string unseen_libraries(const std::string& program);

}  // namespace refrain::record
