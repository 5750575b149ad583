// `refrain record -- COMMAND`: runs the command with the recorder preloaded, then turns the parts its
// processes left into one trace. The exit code is the command's own.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "api/table.hpp"
#include "base/launcher.hpp"
#include "cli/command.hpp"
#include "cli/installation.hpp"
#include "cli/launch.hpp"
#include "cli/preloadable.hpp"
#include "cli/progress_line.hpp"
#include "cli/readable.hpp"
#include "cli/result_line.hpp"
#include "format/file.hpp"
#include "part/filter.hpp"
#include "session/part_reader.hpp"
#include "session/session.hpp"

extern char** environ;

namespace refrain::cli {

namespace {

namespace fs = std::filesystem;

struct RecordOptions {
  std::string output;
  std::vector<std::string> layers;
  bool all_files = false;
  bool keep_attributes = false;
  bool no_heat_map = false;
  std::vector<std::string> included, excluded;
  std::vector<record::Rule> rules;  ///< both of them, in the order given
  std::vector<std::string> command;
  bool keep_parts = false;
  bool quiet = false;
  bool json = false;
};

Result<void> check_layers(const std::vector<std::string>& layers) {
  for (const std::string& layer : layers) {
    if (!api::is_layer(layer))
      return fail(ErrorKind::usage,
                  fmt::format("no layer is named '{}'; 'refrain api' lists them", printable(layer)));
    if (!can_record(layer))
      return fail(ErrorKind::usage,
                  fmt::format("layer '{}' can't be recorded: its headers were missing when refrain was built",
                              layer));
  }
  return {};
}

/// The layers that were asked for, or all that there are: nothing, if none is missing.
std::vector<std::string> layers_to_record(const std::vector<std::string>& wanted) {
  if (!wanted.empty()) return wanted;
  std::vector<std::string> all;
  for (const api::LayerFacts& layer : api::layers)
    if (can_record(layer.name)) all.emplace_back(layer.name);
  return all.size() == std::size(api::layers) ? std::vector<std::string>() : all;
}

Result<record::Session> start_session(const RecordOptions& options, const fs::path& output) {
  if (options.command.empty()) {
    return fail(ErrorKind::usage, "which command should be recorded? Try 'refrain record --help'");
  }
  if (Result<void> known = check_layers(options.layers); !known) return tl::unexpected(known.error());
  std::error_code ignored;
  if (fs::is_directory(output, ignored)) return fail(ErrorKind::usage, "is a folder", output.string());
  Result<fs::path> library = preload_path("librefrain.so");
  if (!library) return tl::unexpected(library.error());
  return record::Session::start({.output = fs::absolute(output),
                                 .preload = *library,
                                 .command = options.command,
                                 .layers = layers_to_record(options.layers),
                                 .rules = options.rules,
                                 .all_files = options.all_files,
                                 .keep_attributes = options.keep_attributes,
                                 .heat_map = !options.no_heat_map});
}

void explain_nothing(const RecordOptions& options, const Outcome& outcome) {
  std::string reason = why_not_preloadable(options.command[0]);
  std::string line = "nothing was recorded: " + (reason.empty() ? "no process loaded the recorder" : reason);
  if (outcome.bytes_read + outcome.bytes_written > 0)
    line += fmt::format(" (by the kernel's count, {} were read and {} written)",
                        bytes_text(outcome.bytes_read), bytes_text(outcome.bytes_written));
  say(line);
}

/// Whether processes that were still running end within a moment: a launcher may end before the processes
/// that it kills do, as MPICH's does after MPI_Abort.
bool end_soon(const fs::path& parts) {
  constexpr int attempts = 20;
  constexpr std::chrono::milliseconds pause{50};
  for (int i = 0; i < attempts; ++i) {
    std::this_thread::sleep_for(pause);
    if (record::processes_recorded_into(parts) == 0) return true;
  }
  return false;
}

/// Reads the parts, writes the trace and cleans up behind it. The parts stay where they are if anything
/// about them is unfinished.
Result<void> finish(const RecordOptions& options, const record::Session& session, const fs::path& output,
                    report::Json& result) {
  Progress progress("merging part");
  record::PartsReport report;
  auto read = [&] {
    report = {};
    return record::read_parts(session.parts(), &report,
                              [&](size_t done, size_t total) { progress.show(done, total); }, {.threads = 0});
  };
  Result<trace::Trace> trace = read();
  if (trace && report.still_running > 0 && end_soon(session.parts())) trace = read();
  if (!trace) return tl::unexpected(trace.error());
  if (Result<void> written = format::write_file(*trace, output); !written) return written;
  result = result_json(*trace, output);
  result["damaged"] = report.damaged;
  result["still_running"] = report.still_running;
  if (!options.quiet) say(result_line(*trace, output));
  if (!options.quiet || trace->processes.empty() || !report.damaged.empty())
    for (const std::string& note : trace->notes) say(note);
  if (!report.damaged.empty()) {
    say("the parts stay in " + session.parts().string());
    return {};
  }
  if (report.still_running > 0) {
    say(fmt::format("{} still running; when done: refrain merge {} -o {}",
                    counted(report.still_running, "process is", "processes are"), session.parts().string(),
                    output.string()));
    return {};
  }
  if (report.unended_elsewhere > 0) {
    say(fmt::format(
        "{} on other hosts: killed, or still running; the parts stay, for: refrain merge {} -o {}",
        counted(report.unended_elsewhere, "process has not ended", "processes have not ended"),
        session.parts().string(), output.string()));
    return {};
  }
  return options.keep_parts ? Result<void>() : session.remove();
}

/// Whether this process speaks for the ranks of its job that have the same trouble: what another recording
/// did is everyone's, anything else may be that of one host.
bool is_speaker(const fs::path& output) {
  Launched here = launched();
  if (!here.in_company()) return true;
  std::error_code ignored;
  bool everyones = here.local_rank < 0 || fs::exists(output.string() + ".parts/session", ignored);
  return (everyones ? here.rank : here.local_rank) == 0;
}

/// The application comes first: a full disk is no reason not to run it, nor is what keeps some ranks of a job
/// from being recorded: the others would wait for them.
int run_unrecorded(const RecordOptions& options, const Error& error, const fs::path& output) {
  if (is_speaker(output)) say("nothing is recorded: " + error.text());
  std::vector<std::string> environment;
  for (char** setting = environ; *setting != nullptr; ++setting) environment.emplace_back(*setting);
  Outcome outcome = launch(options.command, environment);
  if (!outcome.not_started.empty()) say(outcome.not_started);
  return outcome.exit_code;
}

/// The trace is called after the program, or after the script that an interpreter runs.
std::string default_output(const std::vector<std::string>& command) {
  std::string name = fs::path(command[0]).filename().string();
  if (record::is_python(name)) {
    size_t at = 1;
    while (at < command.size() && command[at].starts_with('-') && command[at] != "-c")
      at += command[at] == "-W" || command[at] == "-X" ? 2 : 1;
    if (at < command.size() && command[at] != "-c") name = fs::path(command[at]).stem().string();
  }
  return name + ".rfn";
}

/// Leaves in `result` what was written; null if another rank will say so.
Result<int> record_into(const RecordOptions& options, report::Json& result) {
  fs::path output = options.output;
  if (output.empty() && !options.command.empty()) output = default_output(options.command);
  Result<record::Session> session = start_session(options, output);
  if (!session && (session.error().kind == ErrorKind::no_space ||
                   (session.error().kind != ErrorKind::usage && launched().in_company())))
    return run_unrecorded(options, session.error(), output);
  if (!session) return tl::unexpected(session.error());

  std::vector<std::string> environment = session->environment(environ);
  if (!options.quiet && is_speaker(output))
    for (const std::string& line : unseen_in(options.command)) say(line);
  suit_preload(options.command[0], session->preload().string(), environment);
  Outcome outcome = launch(options.command, environment);
  if (!outcome.not_started.empty()) {
    say(outcome.not_started);
    (void)session->remove();
    return outcome.exit_code;
  }
  if (!session->leave()) {
    result = nullptr;
    if (session->left_alone())
      say(fmt::format("other ranks of the job are not being recorded{}; to finish: refrain merge {} -o {}",
                      launched().on_several_hosts() ? ", or their hosts don't share this folder" : "",
                      session->parts().string(), output.string()));
    return outcome.exit_code;
  }
  if (session->processes_seen() == 0) {
    explain_nothing(options, outcome);
    (void)session->remove();
    return outcome.exit_code;
  }
  if (Result<void> finished = finish(options, *session, output, result); !finished) {
    say(finished.error().text());
    if (std::error_code ignored; fs::exists(session->parts(), ignored))
      say(fmt::format("the parts stay there; to finish: refrain merge {} -o {}", session->parts().string(),
                      output.string()));
    return outcome.exit_code != 0 ? outcome.exit_code : 2;
  }
  return outcome.exit_code;
}

/// With --json, the last line on standard output is ours; what is before it is the command's.
Result<int> record_command(const RecordOptions& options, Output& out) {
  report::Json result{{"trace", nullptr}};
  Result<int> code = record_into(options, result);
  if (!code || !options.json || result.is_null()) return code;
  result["exit_code"] = *code;
  out.line(report::text_of(result, -1));
  return code;
}

/// CLI11 collects each option by itself; among rules, the order on the command line matters.
void order_rules(const CLI::App& command, const CLI::Option* include, RecordOptions& options) {
  size_t included = 0;
  size_t excluded = 0;
  for (const CLI::Option* option : command.parse_order()) {
    if (option == include) {
      options.rules.push_back({true, options.included.at(included++)});
    } else if (option->check_lname("exclude")) {
      options.rules.push_back({false, options.excluded.at(excluded++)});
    }
  }
}

}  // namespace

void add_record(CLI::App& root, Action& action, const std::vector<std::string>& rest) {
  CLI::App* command =
      add_command(root, "record", "Run a command and record its I/O calls",
                  "refrain record -o sort.rfn -- sort -o sorted.txt input.txt\n"
                  "  refrain record -q --json -o sort.rfn -- sort -o sorted.txt input.txt | tail -n 1");
  auto options = std::make_shared<RecordOptions>();
  set_usage(*command, "[OPTIONS] -- COMMAND [ARGUMENT...]");
  command
      ->add_option("-o,--output", options->output,
                   "Trace to write (default: PROGRAM.rfn, or SCRIPT.rfn of a Python script)")
      ->type_name("FILE");
  command->add_option("--layers", options->layers, "Only these layers, as in posix,stdio")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("L,L");
  CLI::Option* include = command->add_option("--include", options->included, "Also record files that match");
  include->allow_extra_args(false)->type_name("PATTERN");
  command->add_option("--exclude", options->excluded, "Don't record files that match; the last rule wins")
      ->allow_extra_args(false)
      ->type_name("PATTERN");
  command->add_flag("--all-files", options->all_files,
                    "Of Python scripts: also record the interpreter's own files, its modules");
  command->add_flag("--keep-attributes", options->keep_attributes,
                    "Also keep what HDF5 attributes are written with, up to 256 bytes each");
  command->add_flag("--no-heat-map", options->no_heat_map, "Don't keep when I/O happened");
  command->add_flag("--keep-parts", options->keep_parts, "Keep the folder FILE.parts");
  command->add_flag("--json", options->json,
                    "Say what was recorded as JSON, as the last line of standard output");
  command->add_flag("-q,--quiet", options->quiet, "No message when all is well");
  command->callback([&action, &rest, options, command, include] {
    options->command = rest;
    order_rules(*command, include, *options);
    action = [options](Output& out) { return record_command(*options, out); };
  });
}

}  // namespace refrain::cli
