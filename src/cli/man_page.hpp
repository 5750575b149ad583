// Manual pages, made of the commands themselves.
#pragma once

#include <string>
#include <vector>

#include "cli/command_shape.hpp"

namespace refrain::cli {

/// The page of a command, or of the program if its path is empty, as source for man.
std::string man_page(const CommandShape& command, const std::vector<CommandShape>& all,
                     const std::string& version);

/// What `refrain help environment` prints.
std::string environment_text();

}  // namespace refrain::cli
