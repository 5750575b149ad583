// The value of options --think.
#pragma once

#include <string>

#include "base/result.hpp"

namespace refrain::cli {

/// What recorded gaps are multiplied by: "none", "recorded", or a factor.
Result<double> think_factor(const std::string& text);

}  // namespace refrain::cli
