// Handles that MPI and HDF5 define themselves. Traces hold their names, which are those of the C constants.
#pragma once

#include <cstdint>
#include <string_view>

namespace refrain::api {

/// The C type of the predefined handle of this name; empty if there is none.
std::string_view predefined_type(std::string_view name);
/// How many bytes an element of the predefined datatype of MPI has; 0 if that is not known.
int64_t predefined_size(std::string_view name);

}  // namespace refrain::api
