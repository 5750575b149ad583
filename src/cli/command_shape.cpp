// See command_shape.hpp.
#include "cli/command_shape.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <sstream>

#include "cli/command.hpp"

namespace refrain::cli {
namespace {

/// The words in braces at the end of `HOW:{fitted,none}`, as the parser describes a choice.
std::vector<std::string> choices_in(const std::string& type) {
  std::vector<std::string> choices;
  size_t open = type.rfind('{');
  if (open == std::string::npos || !type.ends_with('}')) return choices;
  std::istringstream list(type.substr(open + 1, type.size() - open - 2));
  for (std::string word; std::getline(list, word, ',');) choices.push_back(word);
  return choices;
}

OptionShape shape_of(const CLI::Option& option) {
  OptionShape shape{option.get_snames(), option.get_lnames(), {}, {}, option.get_description()};
  if (option.get_positional()) shape.long_names = {option.get_name(true)};
  if (option.get_items_expected_min() == 0) return shape;
  const std::string type = option.get_type_name();
  shape.choices = choices_in(type);
  shape.value = type.substr(0, type.find(':'));
  if (shape.value.empty() || shape.value.starts_with('{')) shape.value = "VALUE";
  return shape;
}

/// The usage line of the help, without the name.
std::string usage_of(const CLI::App& command) {
  const std::string help = help_text(command), begin = "Usage: " + full_name(command);
  size_t at = help.find(begin);
  if (at == std::string::npos) return {};
  at = std::min(help.find_first_not_of(' ', at + begin.size()), help.size());
  return help.substr(at, help.find('\n', at) - at);
}

std::string examples_of(const CLI::App& command) {
  std::string text = command.get_footer();
  constexpr std::string_view heading = "Example:\n";
  if (!text.starts_with(heading)) return {};
  std::istringstream lines(text.substr(heading.size()));
  text.clear();
  for (std::string line; std::getline(lines, line);)
    text += line.substr(std::min(line.find_first_not_of(' '), line.size())) + "\n";
  return text;
}

void collect(const CLI::App& command, const std::vector<std::string>& path, std::vector<CommandShape>& all) {
  CommandShape shape{.path = path,
                     .summary = command.get_description(),
                     .usage = usage_of(command),
                     .examples = examples_of(command)};
  for (const CLI::Option* option : command.get_options([](const CLI::Option*) { return true; })) {
    if (option->get_group().empty()) continue;  // hidden
    (option->get_positional() ? shape.words : shape.options).push_back(shape_of(*option));
  }
  shape.takes_command = shape.usage.find("-- COMMAND") != std::string::npos;
  std::vector<const CLI::App*> inner = command.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* sub : inner) shape.subcommands.push_back(sub->get_name());
  all.push_back(std::move(shape));
  for (const CLI::App* sub : inner) {
    std::vector<std::string> below = path;
    below.push_back(sub->get_name());
    collect(*sub, below, all);
  }
}

}  // namespace

std::string OptionShape::names() const {
  std::string text;
  for (const std::string& name : short_names) text += (text.empty() ? "-" : ", -") + name;
  for (const std::string& name : long_names) text += (text.empty() ? "--" : ", --") + name;
  return text;
}

std::string CommandShape::name(const std::string& between) const {
  std::string text = "refrain";
  for (const std::string& word : path) text += between + word;
  return text;
}

std::vector<CommandShape> command_shapes(const CLI::App& root) {
  std::vector<CommandShape> all;
  collect(root, {}, all);
  return all;
}

}  // namespace refrain::cli
