// The parts of a command that don't depend on which one it is.
#include "cli/command.hpp"

#include <fmt/core.h>

#include "cli/readable.hpp"

namespace refrain::cli {

CLI::App* add_command(CLI::App& root, const std::string& name, const std::string& summary,
                      const std::string& example) {
  CLI::App* command = root.add_subcommand(name, summary);
  command->footer("Example:\n  " + example);
  command->get_formatter()->column_width(28);
  return command;
}

Result<const CLI::App*> find_command(const CLI::App& root, const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::App* command : root.get_subcommands({})) {
    if (command->get_name() == name) return command;
    names.push_back(command->get_name());
  }
  std::string meant = closest(name, names);
  std::string advice = meant.empty() ? "Try 'refrain --help'" : "Did you mean '" + meant + "'?";
  return fail(ErrorKind::usage, "no command is named '" + printable(name) + "'. " + advice);
}

void say(const std::string& message) { fmt::print(stderr, "refrain: {}\n", message); }

}  // namespace refrain::cli
