// `refrain completion SHELL`: what makes a shell complete refrain's command line.
#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "cli/completion.hpp"

namespace refrain::cli {

void add_completion(CLI::App& root, Action& action) {
  CLI::App* command = add_command(root, "completion", "Print what lets a shell complete these commands",
                                  "source <(refrain completion bash)");
  auto name = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const Shell& shell : shells) names.emplace_back(shell.name);
  command->add_option("SHELL", *name, "Which one: bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(names));
  command->callback([&root, &action, name] {
    action = [&root, name](Output& out) -> Result<int> {
      for (const Shell& shell : shells)
        if (*name == shell.name) out.write(shell.script(command_shapes(root)));
      return 0;
    };
  });
}

}  // namespace refrain::cli
