// What a static library defines, as its index says.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace refrain::cli {

Result<std::vector<std::string>> archive_symbols(const std::string& path);

}  // namespace refrain::cli
