// The commands as data: names, options and what they take, read from the parser itself. Manual pages and
// shell completion are made of it, so that neither can disagree with the program.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace refrain::cli {

struct OptionShape {
  std::vector<std::string> short_names{};  ///< "o"
  std::vector<std::string> long_names{};   ///< "output"
  std::string value{};                     ///< what it takes, as in FILE; empty: it is a flag
  std::vector<std::string> choices{};      ///< of which the value is one; empty: anything
  std::string meaning{};

  /// "-o, --output"
  std::string names() const;
};

struct CommandShape {
  std::vector<std::string> path{};  ///< {"schedule", "plan"}; empty for the program itself
  std::string summary{};
  std::string usage{};     ///< what follows its name
  std::string examples{};  ///< lines of shell
  std::vector<OptionShape> options{};
  std::vector<OptionShape> words{};  ///< that stand without a name; one long name each
  std::vector<std::string> subcommands{};
  bool takes_command = false;  ///< further words are a command line of its own

  /// "refrain schedule plan", joined by `between`.
  std::string name(const std::string& between = " ") const;
};

/// The program, then all commands and those of groups, in the order of the help.
std::vector<CommandShape> command_shapes(const CLI::App& root);

}  // namespace refrain::cli
