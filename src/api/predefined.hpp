// Handles that MPI and HDF5 define themselves. Traces hold their names, which are those of the C constants.
#pragma once

#include <string_view>

namespace refrain::api {

/// The C type of the predefined handle of this name; empty if there is none.
std::string_view predefined_type(std::string_view name);

}  // namespace refrain::api
