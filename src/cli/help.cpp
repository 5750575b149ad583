// `refrain help [COMMAND]`: the same text as `refrain COMMAND --help`, or a manual page; `refrain help
// environment`: the variables.
#include <algorithm>
#include <fstream>
#include <memory>

#include "base/version.hpp"
#include "cli/command.hpp"
#include "cli/man_page.hpp"

namespace refrain::cli {
namespace {

std::string this_version() { return std::string("refrain ") + version(); }

Result<int> write_man_pages(const CLI::App& root, const std::string& folder) {
  std::vector<CommandShape> all = command_shapes(root);
  for (const CommandShape& command : all) {
    std::string path = folder + "/" + command.name("-") + ".1";
    std::ofstream page(path);
    page << man_page(command, all, this_version());
    if (!page.flush()) return fail(ErrorKind::io, "can't be written", path);
  }
  return 0;
}

}  // namespace

void add_help(CLI::App& root, Action& action, const std::vector<std::string>& rest) {
  CLI::App* command = add_command(root, "help", "Show the help of a command",
                                  "refrain help record\n  refrain help environment");
  set_usage(*command, "[--man] [COMMAND | environment]");
  auto man = std::make_shared<bool>(false);
  auto folder = std::make_shared<std::string>();
  command->add_flag("--man", *man, "Print it as the source of a manual page");
  command->add_option("--man-pages", *folder, "Write all manual pages to a folder")->group("");
  command->callback([&root, &action, &rest, man, folder] {
    action = [&root, &rest, man, folder](Output& out) -> Result<int> {
      if (!folder->empty()) return write_man_pages(root, *folder);
      if (rest == std::vector<std::string>{"environment"}) {
        out.write(environment_text());
        return 0;
      }
      Result<const CLI::App*> wanted = find_command(root, rest);
      if (!wanted) return tl::unexpected(wanted.error());
      if (!*man) {
        out.write(help_text(**wanted));
        return 0;
      }
      std::vector<CommandShape> all = command_shapes(root);
      auto shape = std::find_if(all.begin(), all.end(),
                                [&](const CommandShape& c) { return c.name() == full_name(**wanted); });
      out.write(man_page(*shape, all, this_version()));
      return 0;
    };
  });
}

}  // namespace refrain::cli
