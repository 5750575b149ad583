// See completion.hpp. What follows an option is completed by what it takes: FILE and the like with files, DIR
// with folders, choices with themselves; words without an option with files.
#include "cli/completion.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace refrain::cli {
namespace {

enum class Takes : uint8_t { nothing, file, folder, choice, text };

Takes takes(const OptionShape& option) {
  if (option.value.empty()) return Takes::nothing;
  if (!option.choices.empty()) return Takes::choice;
  for (const char* name : {"DIR", "FOLDER"})
    if (option.value.starts_with(name)) return Takes::folder;
  for (const char* name : {"FILE", "TRACE", "PATH", "RUNS", "JOBS"})
    if (option.value.starts_with(name)) return Takes::file;
  return Takes::text;
}

/// As option of a command line: "-o", "--output".
std::vector<std::string> dashed(const OptionShape& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.short_names) names.push_back("-" + name);
  for (const std::string& name : option.long_names) names.push_back("--" + name);
  return names;
}

/// In single quotes; how these are written inside depends on the shell.
std::string quoted(std::string_view text, std::string_view quote_inside) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'')
      out += quote_inside;
    else
      out += c;
  }
  return out + "'";
}

std::string path_of(const CommandShape& command) { return fmt::format("{}", fmt::join(command.path, " ")); }

/// What bash offers after an option, as a command that prints it.
std::string bash_values(const OptionShape& option) {
  switch (takes(option)) {
    case Takes::file:
      return "compgen -f -- \"$word\"";
    case Takes::folder:
      return "compgen -d -- \"$word\"";
    case Takes::choice:
      return fmt::format("compgen -W '{}' -- \"$word\"", fmt::join(option.choices, " "));
    default:
      return ":";
  }
}

std::string bash_command(const CommandShape& command) {
  std::vector<std::string> names = command.subcommands;
  std::string values;
  for (const OptionShape& option : command.options) {
    std::vector<std::string> own = dashed(option);
    names.insert(names.end(), own.begin(), own.end());
    if (!option.value.empty())
      values += fmt::format("        {}) values=$({}) ;;\n", fmt::join(own, "|"), bash_values(option));
  }
  std::string text = fmt::format("    '{}')\n      names='{}'\n", path_of(command), fmt::join(names, " "));
  if (!values.empty())
    text +=
        "      case $before in\n" + values + "        *) given=no ;;\n      esac\n      : ${given:=yes}\n";
  return text + "      ;;\n";
}

/// Text inside [..] of a zsh description.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_values(const OptionShape& option) {
  switch (takes(option)) {
    case Takes::nothing:
      return "";
    case Takes::file:
      return ":" + option.value + ":_files";
    case Takes::folder:
      return ":" + option.value + ":_files -/";
    case Takes::choice:
      return fmt::format(":{}:({})", zsh_text(option.value), fmt::join(option.choices, " "));
    default:
      return ":" + zsh_text(option.value) + ": ";
  }
}

std::string zsh_command(const CommandShape& command, const std::vector<CommandShape>& all) {
  std::string text = fmt::format("    '{}')\n", path_of(command));
  if (!command.subcommands.empty()) {
    text += "      commands=(\n";
    for (const CommandShape& sub : all)
      if (sub.path.size() == command.path.size() + 1 &&
          std::equal(command.path.begin(), command.path.end(), sub.path.begin()))
        text += "        " + quoted(sub.path.back() + ":" + zsh_text(sub.summary), "'\\''") + "\n";
    text += "      )\n      _describe command commands\n";
  }
  text += "      _arguments -s";
  for (const OptionShape& option : command.options)
    for (const std::string& name : dashed(option))
      text += " \\\n        " +
              quoted("*" + name + "[" + zsh_text(option.meaning) + "]" + zsh_values(option), "'\\''");
  if (command.takes_command)
    text += " \\\n        '*:::command:_normal'";
  else if (command.subcommands.empty())
    text += " \\\n        '*:file:_files'";
  return text + "\n      ;;\n";
}

/// When fish is to offer what a command has.
std::string fish_condition(const CommandShape& command) {
  if (command.path.empty()) return "__fish_use_subcommand";
  std::string text = "__fish_seen_subcommand_from " + command.path[0];
  if (command.path.size() > 1) return text + "; and __fish_seen_subcommand_from " + command.path[1];
  if (!command.subcommands.empty())
    text += fmt::format("; and not __fish_seen_subcommand_from {}", fmt::join(command.subcommands, " "));
  return text;
}

}  // namespace

std::string bash_completion(const std::vector<CommandShape>& commands) {
  std::vector<std::string> groups, launching;
  std::string cases;
  for (const CommandShape& command : commands) {
    if (!command.path.empty() && !command.subcommands.empty()) groups.push_back(command.path[0]);
    if (command.takes_command) launching.push_back(command.path[0]);
    cases += bash_command(command);
  }
  return fmt::format(R"(# Completion of refrain's command line for bash, made by: refrain completion bash
_refrain() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command= names= values= given= i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${{COMP_WORDS[i]}} in
      --)
        case $command in
          {}) declare -F _command_offset >/dev/null && _command_offset $((i + 1)); return ;;
        esac
        ;;
      -*) ;;
      *)
        case $command in
          '') command=${{COMP_WORDS[i]}} ;;
          {}) command+=" ${{COMP_WORDS[i]}}"; break ;;
        esac
        ;;
    esac
  done
  case $command in
{}  esac
  COMPREPLY=()
  if [ "$given" = yes ]; then
    mapfile -t COMPREPLY <<<"$values"
  elif [[ $word == -* || -z $command || " {} " == *" $command "* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
  fi
}}
complete -o default -F _refrain refrain
)",
                     fmt::join(launching, "|"), fmt::join(groups, "|"), cases, fmt::join(groups, " "));
}

std::string zsh_completion(const std::vector<CommandShape>& commands) {
  std::vector<std::string> groups;
  std::string cases;
  for (const CommandShape& command : commands) {
    if (!command.path.empty() && !command.subcommands.empty()) groups.push_back(command.path[0]);
    cases += zsh_command(command, commands);
  }
  return fmt::format(R"(#compdef refrain
# Completion of refrain's command line for zsh, made by: refrain completion zsh
_refrain() {{
  local command= i
  local -a commands
  for ((i = 2; i < CURRENT; ++i)); do
    case $words[i] in
      -*) ;;
      *)
        case $command in
          '') command=$words[i] ;;
          {}) command+=" $words[i]"; break ;;
        esac
        ;;
    esac
  done
  case $command in
{}  esac
}}
if [ "$funcstack[1]" = _refrain ]; then _refrain "$@"; else compdef _refrain refrain; fi
)",
                     fmt::join(groups, "|"), cases);
}

std::string fish_completion(const std::vector<CommandShape>& commands) {
  std::string text = "# Completion of refrain's command line for fish, made by: refrain completion fish\n";
  for (const CommandShape& command : commands) {
    std::string begin = "complete -c refrain -n " + quoted(fish_condition(command), "\\'");
    for (const CommandShape& sub : commands)
      if (sub.path.size() == command.path.size() + 1 &&
          std::equal(command.path.begin(), command.path.end(), sub.path.begin()))
        text += begin + " -f -a " + sub.path.back() + " -d " + quoted(sub.summary, "\\'") + "\n";
    for (const OptionShape& option : command.options) {
      text += begin;
      for (const std::string& name : option.short_names) text += " -s " + name;
      for (const std::string& name : option.long_names) text += " -l " + name;
      if (takes(option) == Takes::choice)
        text += fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
      else if (takes(option) == Takes::folder)
        text += " -x -a '(__fish_complete_directories)'";
      else if (!option.value.empty())
        text += takes(option) == Takes::file ? " -r -F" : " -x";
      text += " -d " + quoted(option.meaning, "\\'") + "\n";
    }
  }
  return text;
}

}  // namespace refrain::cli
