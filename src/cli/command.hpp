// What the commands have in common. Each command lives in a file of its own and adds itself to the parser;
// when it is the one that was asked for, it leaves an action behind, which main runs.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/output.hpp"

namespace refrain::cli {

/// Does the work of a command and returns the exit code.
using Action = std::function<Result<int>(Output&)>;

/// A new subcommand with the help layout all of ours share; `example` is one or more lines of shell.
CLI::App* add_command(CLI::App& root, const std::string& name, const std::string& summary,
                      const std::string& example);

/// An option that names the file of a picture, which must end in .svg: that is what it will be.
CLI::Option* add_picture_option(CLI::App& command, const std::string& name, std::string& file,
                                const std::string& about);

/// Sets what the usage line shows after the command's name, where the parser can't know it.
void set_usage(CLI::App& command, const std::string& words);

/// "refrain dump", "refrain schedule plan"
std::string full_name(const CLI::App& command);

/// What `--help` and `refrain help` print.
std::string help_text(const CLI::App& command);

/// The command that the first words name, among those of a group if the first is one; without words the root.
/// A word that should name one and doesn't gives an error that suggests what may have been meant.
Result<const CLI::App*> find_command(const CLI::App& root, std::span<const std::string> words);

/// Some commands take words that are not ours to parse, because they name commands or options themselves: the
/// command line to record or to run, sbatch's options and script, and the command to be helped with. `rest`
/// holds them and outlives the parser.
void add_record(CLI::App& root, Action& action, const std::vector<std::string>& rest);
void add_run(CLI::App& root, Action& action, const std::vector<std::string>& rest);
void add_submit(CLI::App& root, Action& action, const std::vector<std::string>& rest);
void add_help(CLI::App& root, Action& action, const std::vector<std::string>& rest);
void add_completion(CLI::App& root, Action& action);
void add_info(CLI::App& root, Action& action);
void add_advise(CLI::App& root, Action& action);
void add_dump(CLI::App& root, Action& action);
void add_diff(CLI::App& root, Action& action);
void add_extrapolate(CLI::App& root, Action& action);
void add_generate(CLI::App& root, Action& action);
void add_export(CLI::App& root, Action& action);
void add_import(CLI::App& root, Action& action);
void add_replay(CLI::App& root, Action& action);
void add_merge(CLI::App& root, Action& action);
void add_slice(CLI::App& root, Action& action);
void add_report(CLI::App& root, Action& action);
void add_api(CLI::App& root, Action& action);
void add_link_flags(CLI::App& root, Action& action);
void add_kernels(CLI::App& root, Action& action);
void add_jobs(CLI::App& root, Action& action);
void add_schedule(CLI::App& root, Action& action);
void add_simulate(CLI::App& root, Action& action);
void add_coordinate(CLI::App& root, Action& action);
void add_dispatch(CLI::App& root, Action& action);

/// One line on standard error, as every message of Refrain looks.
void say(const std::string& message);

}  // namespace refrain::cli
