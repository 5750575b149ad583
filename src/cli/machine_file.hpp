// Machines by the name of a file, or of one that comes with Refrain.
#pragma once

#include <string>

#include "base/result.hpp"
#include "simulate/machine.hpp"

namespace refrain::cli {

Result<simulate::Machine> load_machine(const std::string& name);

}  // namespace refrain::cli
