// `refrain help [COMMAND]`: the same text as `refrain COMMAND --help`.
#include <memory>

#include "cli/command.hpp"

namespace refrain::cli {

void add_help(CLI::App& root, Action& action) {
  CLI::App* command = add_command(root, "help", "Show the help of a command", "refrain help record");
  auto name = std::make_shared<std::string>();
  command->add_option("COMMAND", *name, "A command of refrain");
  command->callback([&root, &action, name] {
    action = [&root, name](Output& out) -> Result<int> {
      if (name->empty()) {
        out.write(root.help());
        return 0;
      }
      Result<const CLI::App*> wanted = find_command(root, *name);
      if (!wanted) return tl::unexpected(wanted.error());
      out.write((*wanted)->help());
      return 0;
    };
  });
}

}  // namespace refrain::cli
