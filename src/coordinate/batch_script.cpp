// See batch_script.hpp. The user's script follows as it is, between two lines of which it has none, and is
// read from a descriptor: nothing is left behind, and as every step ends in exec, signals reach the script.
#include "coordinate/batch_script.hpp"

#include <algorithm>

namespace refrain::coordinate {

namespace {

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (char c : text) {
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  }
  return result + "'";
}

/// "#!/usr/bin/env -S python3 -u" as a command: the program, and all that follows as one word, as the kernel
/// has it.
Result<std::string> interpreter(std::string_view text) {
  std::string_view line = text.substr(0, std::min(text.find('\n'), text.size()));
  if (!line.starts_with("#!"))
    return fail(ErrorKind::bad_input,
                "is no batch script: its first line must begin with #! and name an interpreter");
  line.remove_prefix(2);
  auto trim = [](std::string_view& words) {
    words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
    while (!words.empty() && (words.back() == ' ' || words.back() == '\t')) words.remove_suffix(1);
  };
  trim(line);
  size_t end = std::min(line.find_first_of(" \t"), line.size());
  std::string command = quoted(line.substr(0, end));
  if (end == 0) return fail(ErrorKind::bad_input, "is no batch script: no interpreter is named behind #!");
  line.remove_prefix(end);
  trim(line);
  return line.empty() ? command : command + " " + quoted(line);
}

/// The #SBATCH lines of the script.
std::string sbatch_lines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("#SBATCH")) lines += std::string(line) + "\n";
    size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '#') break;
  }
  return lines;
}

/// A line that the text does not hold.
std::string end_mark(std::string_view text) {
  std::string mark = "end of the job script";
  while (text.find(mark) != std::string_view::npos) mark += " +";
  return mark;
}

}  // namespace

Result<std::string> wrapped_script(const BatchScript& script) {
  Result<std::string> command = interpreter(script.text);
  if (!command) return command;
  std::string text = "#!/bin/sh\n";
  for (const std::string& option : script.defaults) text += "#SBATCH " + option + "\n";
  text += sbatch_lines(script.text);
  std::string mark = end_mark(script.text);
  text +=
      "# Written by 'refrain submit'. Runs the script below under the gate of the I/O node that 'refrain "
      "dispatch'\n"
      "# has chosen, or without one if it named none.\n"
      "set -f\n"
      "refrain=" +
      quoted(script.refrain) +
      "\n"
      "note=$(timeout 10 scontrol show job \"$SLURM_JOB_ID\" 2>/dev/null | sed -n 's/^ *AdminComment=//p')\n"
      "coordinator= io_node=\n"
      "for word in $note; do\n"
      "  case $word in\n"
      "    coordinator=*) coordinator=${word#*=} ;;\n"
      "    io-node=*) io_node=${word#*=} ;;\n"
      "  esac\n"
      "done\n"
      "script=$(mktemp 2>/dev/null || mktemp \"$0.XXXXXX\") || exit 1\n"
      "cat >\"$script\" <<'" +
      mark + "' || exit 1\n" + script.text;
  if (!script.text.ends_with('\n')) text += '\n';
  std::string profile = script.trace.empty() ? "" : " --profile " + quoted(script.trace);
  if (script.ranks > 0) profile += " --ranks " + std::to_string(script.ranks);
  // A script that starts its steps under the gate needs none around itself.
  bool has_gate = script.text.find("refrain run") != std::string::npos;
  std::string gate =
      "  exec \"$refrain\" run --coordinator \"$coordinator\" --io-node \"$io_node\" $REFRAIN_RUN_OPTIONS" +
      profile + " -- " + *command + " /dev/fd/9 \"$@\"\n";
  text += mark +
          "\n"
          "exec 9<\"$script\"\n"
          "rm -f \"$script\"\n"
          "if [ -n \"$coordinator\" ] && [ -n \"$io_node\" ] && [ -x \"$refrain\" ]; then\n"
          "  export REFRAIN_COORDINATOR=\"$coordinator\" REFRAIN_IO_NODE=\"$io_node\"\n" +
          (has_gate ? "" : gate) +
          "fi\n"
          "exec " +
          *command + " /dev/fd/9 \"$@\"\n";
  return text;
}

}  // namespace refrain::coordinate
