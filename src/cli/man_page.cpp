// See man_page.hpp.
#include "cli/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/environment.hpp"

namespace refrain::cli {
namespace {

struct FileFact {
  const char* name;
  const char* commands;  ///< that it concerns, between blanks
  const char* meaning;
};

constexpr FileFact file_facts[] = {
    {"NAME.rfn", "", "A trace."},
    {"NAME.rfn.parts", " record merge ",
     "What the processes of a recording write while it is going on. It is removed at its end, and is the "
     "input "
     "of 'refrain merge' after a crash."},
    {"~/.config/refrain/coordinate", " run coordinate submit dispatch ",
     "Keys of the coordinator and of its clients, unless REFRAIN_KEYS names another folder."},
    {"PREFIX/share/refrain/machines/NAME.json", " simulate ", "Machines that '--machine NAME' finds."},
    {"PREFIX/lib/librefrain.so", " record ", "The recorder, which is loaded into the program."},
    {"PREFIX/lib/librefrain_wrap.a", " record link-flags ",
     "The recorder for programs that are linked statically."},
};

/// Text as roff prints it unchanged.
std::string literal(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    line_begins = c == '\n';
  }
  return out;
}

/// Whether something concerns a command: all of them if no commands are named.
bool concerns(std::string_view commands, const CommandShape& command) {
  return command.path.empty() || commands.empty() ||
         commands.find(" " + command.path[0] + " ") != std::string_view::npos;
}

std::string item(const std::string& head, std::string_view meaning) {
  return ".TP\n" + head + "\n" + literal(meaning) + "\n";
}

std::string options_text(const std::vector<OptionShape>& options) {
  std::string text;
  for (const OptionShape& o : options) {
    std::string meaning = o.meaning;
    std::string value = o.value.empty() ? "" : " \\fI" + literal(o.value) + "\\fR";
    if (!o.choices.empty()) meaning += fmt::format(". One of: {}", fmt::join(o.choices, ", "));
    text += item("\\fB" + literal(o.names()) + "\\fR" + value, meaning);
  }
  return text;
}

std::string exit_status(const CommandShape& command) {
  std::string text = ".SH EXIT STATUS\n";
  text += item("0", "Done.") + item("1", "The answer is no.") +
          item("2", "Wrong usage, bad input, or a result that could not be written.");
  if (command.path.empty() || command.takes_command)
    text +=
        ".PP\n.BR refrain\\-record (1)\nand\n.BR refrain\\-run (1)\nend with the exit status of their "
        "command; 128 plus the number of the signal that killed it; 126 or 127 if it could not be started.\n";
  return text;
}

std::string see_also(const CommandShape& command, const std::vector<CommandShape>& all) {
  std::vector<std::string> pages;
  for (const CommandShape& other : all) {
    bool near = command.path.empty()
                    ? other.path.size() == 1
                    : other.path.empty() || (other.path.size() == 2 && command.path.size() == 1 &&
                                             other.path[0] == command.path[0]);
    if (near) pages.push_back(".BR " + literal(other.name("-")) + " (1)");
  }
  return fmt::format(".SH SEE ALSO\n{}\n", fmt::join(pages, ",\n"));
}

}  // namespace

std::string man_page(const CommandShape& command, const std::vector<CommandShape>& all,
                     const std::string& version) {
  std::string title = command.name("-");
  std::string upper = title;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text = ".TH " + literal(upper) + " 1 \"\" \"" + version + "\" \"User Commands\"\n";
  text += ".SH NAME\n" + literal(title) + " \\- " + literal(command.summary) + "\n";
  text += ".SH SYNOPSIS\n.B " + literal(command.name()) + "\n" + literal(command.usage) + "\n";
  if (!command.subcommands.empty()) {
    text += ".SH COMMANDS\n";
    for (const CommandShape& sub : all) {
      bool below = sub.path.size() == command.path.size() + 1 &&
                   std::equal(command.path.begin(), command.path.end(), sub.path.begin());
      if (below) text += item(".BR " + literal(sub.name("-")) + " (1)", sub.summary);
    }
  }
  if (!command.words.empty()) {
    text += ".SH ARGUMENTS\n";
    for (const OptionShape& w : command.words)
      text += item("\\fI" + literal(w.long_names[0]) + "\\fR", w.meaning);
  }
  if (!command.options.empty()) text += ".SH OPTIONS\n" + options_text(command.options);
  text += exit_status(command);
  std::string environment;
  for (const environment::Variable* v : environment::all)
    if (concerns(v->commands, command) && (v->for_users || command.path.empty()))
      environment += item(std::string(".B ") + v->name, v->meaning);
  if (!environment.empty()) text += ".SH ENVIRONMENT\n" + environment;
  text += ".SH FILES\n";
  for (const FileFact& f : file_facts)
    if (concerns(f.commands, command)) text += item(".I " + literal(f.name), f.meaning);
  if (!command.examples.empty()) text += ".SH EXAMPLES\n.nf\n" + literal(command.examples) + ".fi\n";
  return text + see_also(command, all);
}

std::string environment_text() {
  std::string text = "Environment variables that Refrain reads:\n";
  auto list = [&](bool for_users) {
    for (const environment::Variable* v : environment::all)
      if (v->for_users == for_users) text += fmt::format("  {}\n      {}\n", v->name, v->meaning);
  };
  list(true);
  text += "\nThose that it sets for the programs that it starts:\n";
  list(false);
  return text;
}

}  // namespace refrain::cli
