// `refrain help [COMMAND]`: the same text as `refrain COMMAND --help`.
#include "cli/command.hpp"

namespace refrain::cli {

void add_help(CLI::App& root, Action& action, const std::vector<std::string>& rest) {
  CLI::App* command = add_command(root, "help", "Show the help of a command", "refrain help record");
  set_usage(*command, "[COMMAND]");
  command->callback([&] {
    action = [&](Output& out) -> Result<int> {
      Result<const CLI::App*> wanted = find_command(root, rest);
      if (!wanted) return tl::unexpected(wanted.error());
      out.write(help_text(**wanted));
      return 0;
    };
  });
}

}  // namespace refrain::cli
