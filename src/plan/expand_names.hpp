// Lists of names of a trace, name by name: `[MPI_INT, 2 x mpitype]` has three.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace refrain::plan {

/// The names one by one; an error if the text is not such a list.
Result<std::vector<std::string>> names_of(std::string_view text);

}  // namespace refrain::plan
