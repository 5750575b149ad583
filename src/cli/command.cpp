// The parts of a command that don't depend on which one it is.
#include "cli/command.hpp"

#include <fmt/core.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>
#include <utility>

#include "cli/readable.hpp"

namespace refrain::cli {

namespace {

class FixedUsage : public CLI::Formatter {
 public:
  explicit FixedUsage(std::string words) : words_(std::move(words)) {}
  std::string make_usage(const CLI::App*, std::string name) const override {
    return "Usage: " + name + " " + words_ + "\n";
  }

 private:
  std::string words_;
};

}  // namespace

void set_usage(CLI::App& command, const std::string& words) {
  command.formatter(std::make_shared<FixedUsage>(words));
}

CLI::App* add_command(CLI::App& root, const std::string& name, const std::string& summary,
                      const std::string& example) {
  CLI::App* command = root.add_subcommand(name, summary);
  command->group("Commands");
  command->footer("Example:\n  " + example);
  return command;
}

std::string help_text(const CLI::App& command) {
  const CLI::App* root = command.get_parent();
  std::string name = root == nullptr ? command.get_name() : root->get_name() + " " + command.get_name();
  return command.get_formatter()->make_help(&command, name, CLI::AppFormatMode::Normal);
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
