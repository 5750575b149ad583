// What `refrain generate` does, for other commands.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace refrain::cli {

/// Makes a kernel of a trace in a folder, for so many ranks (0: as the trace is), and says so.
Result<int> generate_kernel(const std::string& trace, const std::string& folder, uint32_t ranks);

}  // namespace refrain::cli
