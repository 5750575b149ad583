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

CLI::Option* add_picture_option(CLI::App& command, const std::string& name, std::string& file,
                                const std::string& about) {
  return command.add_option(name, file, about)->type_name("FILE.svg")->check([](const std::string& given) {
    return given.ends_with(".svg")
               ? ""
               : "'" + printable(given) + "': pictures are drawn as SVG; name a file that ends in .svg";
  });
}

std::string full_name(const CLI::App& command) {
  std::string name = command.get_name();
  for (const CLI::App* above = command.get_parent(); above != nullptr; above = above->get_parent()) {
    name = above->get_name() + " " + name;
  }
  return name;
}

std::string help_text(const CLI::App& command) {
  return command.get_formatter()->make_help(&command, full_name(command), CLI::AppFormatMode::Normal);
}

Result<const CLI::App*> find_command(const CLI::App& root, std::span<const std::string> words) {
  const CLI::App* group = &root;
  for (const std::string& word : words) {
    std::vector<const CLI::App*> commands = group->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty() || word.starts_with('-')) break;
    std::vector<std::string> names;
    const CLI::App* found = nullptr;
    for (const CLI::App* command : commands) {
      names.push_back(command->get_name());
      if (names.back() == word) found = command;
    }
    if (found == nullptr) {
      std::string meant = closest(word, names);
      std::string advice = meant.empty() ? "Try 'refrain --help'" : "Did you mean '" + meant + "'?";
      return fail(ErrorKind::usage, "no command is named '" + printable(word) + "'. " + advice);
    }
    group = found;
  }
  return group;
}

void say(const std::string& message) { fmt::print(stderr, "refrain: {}\n", message); }

}  // namespace refrain::cli
