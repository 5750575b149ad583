// Scripts that let shells complete the command line, made of the commands themselves.
#pragma once

#include <string>
#include <vector>

#include "cli/command_shape.hpp"

namespace refrain::cli {

struct Shell {
  const char* name;
  std::string (*script)(const std::vector<CommandShape>& commands);
};
std::string bash_completion(const std::vector<CommandShape>& commands);
std::string zsh_completion(const std::vector<CommandShape>& commands);
std::string fish_completion(const std::vector<CommandShape>& commands);

constexpr Shell shells[] = {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

}  // namespace refrain::cli
