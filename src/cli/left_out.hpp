// What was left out of a trace that only the larger files are kept of, in one line.
#pragma once

#include <string>

#include "plan/only_data.hpp"

namespace refrain::cli {

std::string left_out_line(const plan::LeftOut& left_out);

}  // namespace refrain::cli
