// See command_line.hpp.
#include "cli/command_line.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "base/version.hpp"
#include "cli/command.hpp"
#include "cli/installation.hpp"
#include "cli/readable.hpp"
#include "coordinate/sbatch_options.hpp"
#include "report/page.hpp"

namespace refrain::cli {

namespace {

constexpr int exit_bad = 2;

/// A first word that is no command deserves a better answer than a parser's.
Result<void> check_command_name(const CLI::App& root, const std::vector<std::string>& words) {
  if (words.empty()) return fail(ErrorKind::usage, "which command? Try 'refrain --help'");
  if (words[0] == "report" && !report::has_page())
    return fail(ErrorKind::usage,
                "this refrain was built without npm, so it can't make reports; install npm and "
                "build it again");
  return find_command(root, words).map([](const CLI::App*) {});
}

/// For `submit`: options that we know are ours, wherever they stand before the script; all others are
/// sbatch's.
std::vector<std::string> take_sbatch_line(const CLI::App& command, std::vector<std::string>& words) {
  std::vector<std::string> ours{words[0]};
  std::vector<std::string> theirs;
  size_t at = 1;
  while (at < words.size() && words[at] != "--") {
    size_t sign = std::min(words[at].find('='), words[at].size());
    const CLI::Option* option = command.get_option_no_throw(words[at].substr(0, sign));
    bool is_ours = option != nullptr && words[at].starts_with('-');
    bool has_value = is_ours && option->get_items_expected_min() > 0 && sign == words[at].size();
    size_t count = is_ours ? (has_value ? 2 : 1) : coordinate::option_words(words, at);
    if (count == 0) break;
    for (; count > 0 && at < words.size(); --count) (is_ours ? ours : theirs).push_back(words[at++]);
  }
  theirs.insert(theirs.end(), words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
  words = std::move(ours);
  return theirs;
}

/// Cuts off the words that belong to somebody else: for `record` and `run`, the command behind `--` or from
/// the first word that is neither an option nor an option's value; for `help`, the name of a command.
std::vector<std::string> take_rest(const CLI::App& root, std::vector<std::string>& words) {
  if (words.empty() ||
      (words[0] != "record" && words[0] != "run" && words[0] != "submit" && words[0] != "help"))
    return {};
  Result<const CLI::App*> command = find_command(root, std::span(words).first(1));
  if (words[0] == "submit") return take_sbatch_line(**command, words);
  size_t at = 1;
  while (at < words.size() && words[at].starts_with('-') && words[at] != "--") {
    const CLI::Option* option = (*command)->get_option_no_throw(words[at]);
    at += option != nullptr && option->get_items_expected_min() > 0 ? 2 : 1;
  }
  at = std::min(at, words.size());
  size_t skipped = at < words.size() && words[at] == "--" ? 1 : 0;
  auto cut = words.begin() + static_cast<std::ptrdiff_t>(at);
  std::vector<std::string> rest(cut + static_cast<std::ptrdiff_t>(skipped), words.end());
  words.erase(cut, words.end());
  return rest;
}

/// Lets CLI11 read the words. An exit code means that we are done already (help, version, errors).
std::optional<int> parse(CLI::App& root, std::vector<std::string> words, Output& out) {
  const CLI::App* command = *find_command(root, words);
  const bool verbose = std::find(words.begin(), words.end(), "--verbose") != words.end();
  try {
    std::reverse(words.begin(), words.end());  // the order in which CLI11 takes them
    root.parse(std::move(words));
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    out.write(help_text(*command));
    return 0;
  } catch (const CLI::CallForVersion& number) {
    out.line(number.what());
    if (verbose) out.write(build_text());
    return 0;
  } catch (const CLI::ParseError& error) {
    say(fmt::format("{}. Try '{} --help'", printable(error.what()), full_name(*command)));
    return exit_bad;
  }
}

int run(std::vector<std::string> words, Output& out) {
  CLI::App root("Records the I/O calls of programs, folds them into loops, keeps them as small traces.",
                "refrain");
  root.set_version_flag("--version", std::string("refrain ") + version(), "Print the version");
  bool verbose = false;  // parse looks for it itself: --version ends parsing
  root.add_flag("--verbose", verbose, "With --version: also what it was built with");
  root.get_formatter()->label("SUBCOMMAND", "COMMAND");
  root.footer("'refrain help COMMAND' or 'refrain COMMAND --help' tells more about each.");
  std::vector<std::string> rest;
  Action action;
  add_record(root, action, rest);
  add_info(root, action);
  add_advise(root, action);
  add_dump(root, action);
  add_diff(root, action);
  add_extrapolate(root, action);
  add_generate(root, action);
  add_replay(root, action);
  add_kernels(root, action);
  add_merge(root, action);
  add_slice(root, action);
  if (report::has_page()) add_report(root, action);
  add_export(root, action);
  add_import(root, action);
  add_api(root, action);
  add_link_flags(root, action);
  add_jobs(root, action);
  add_schedule(root, action);
  add_simulate(root, action);
  add_coordinate(root, action);
  add_run(root, action, rest);
  add_submit(root, action, rest);
  add_dispatch(root, action);
  add_completion(root, action);
  add_help(root, action, rest);
  rest = take_rest(root, words);

  if (Result<void> known = check_command_name(root, words); !known) {
    say(known.error().text());
    return exit_bad;
  }
  if (std::optional<int> done = parse(root, std::move(words), out)) return *done;
  Result<int> code = action(out);
  if (code) return *code;
  say(code.error().text());
  return exit_bad;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  guard_standard_streams();
  Output out(STDOUT_FILENO);
  try {
    int code = run({argv + std::min(argc, 1), argv + argc}, out);
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

}  // namespace refrain::cli
