// The `refrain` program: finds the command, runs it, prints an error once, and gives the exit code:
// 0 done, 1 the answer is no, 2 wrong usage or bad input. `record` gives its command's own exit code.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <optional>

#include "cli/command.hpp"
#include "cli/readable.hpp"

namespace refrain::cli {

namespace {

constexpr int exit_bad = 2;

/// A first word that is no command deserves a better answer than a parser's.
Result<void> check_command_name(const CLI::App& root, int argc, char** argv) {
  if (argc < 2) return fail(ErrorKind::usage, "which command? Try 'refrain --help'");
  if (argv[1][0] == '-') return {};
  return find_command(root, argv[1]).map([](const CLI::App*) {});
}

/// Lets CLI11 read the arguments. An exit code means that we are done already (help, version, errors).
std::optional<int> parse(CLI::App& root, int argc, char** argv, Output& out) {
  try {
    root.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    const CLI::App* command = &root;
    for (const CLI::App* chosen : root.get_subcommands()) command = chosen;
    out.write(command->help());
    return 0;
  } catch (const CLI::CallForVersion& version) {
    out.line(version.what());
    return 0;
  } catch (const CLI::ParseError& error) {
    std::string command = "refrain";
    for (const CLI::App* chosen : root.get_subcommands()) command += " " + chosen->get_name();
    say(fmt::format("{}. Try '{} --help'", printable(error.what()), command));
    return exit_bad;
  }
}

void add_commands(CLI::App& root, Action& action) {
  add_record(root, action);
  add_info(root, action);
  add_dump(root, action);
  add_merge(root, action);
  add_api(root, action);
  add_link_flags(root, action);
  add_help(root, action);
}

int run(int argc, char** argv, Output& out) {
  CLI::App root("Records the I/O calls of programs, folds them into loops, keeps them as small traces.",
                "refrain");
  root.set_version_flag("--version", "refrain " REFRAIN_VERSION, "Print the version");
  root.footer("'refrain help COMMAND' or 'refrain COMMAND --help' tells more about each.");
  Action action;
  add_commands(root, action);
  if (Result<void> known = check_command_name(root, argc, argv); !known) {
    say(known.error().text());
    return exit_bad;
  }
  if (std::optional<int> done = parse(root, argc, argv, out)) return *done;
  if (!action) return exit_bad;
  Result<int> code = action(out);
  if (code) return *code;
  say(code.error().text());
  return exit_bad;
}

}  // namespace

}  // namespace refrain::cli

int main(int argc, char** argv) {
  using namespace refrain::cli;
  guard_standard_streams();
  Output out(STDOUT_FILENO);
  try {
    int code = run(argc, argv, out);
    out.flush();
    return code;
  } catch (const OutputFailure& failure) {
    // Whoever read our output has seen enough: end as other programs do in a pipe.
    if (failure.error == EPIPE) return 128 + SIGPIPE;
    say(std::string("standard output: ") + std::strerror(failure.error));
  } catch (const std::bad_alloc&) {
    say("out of memory");
  }
  return exit_bad;
}
