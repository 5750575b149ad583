// `refrain simulate TRACE... --machine FILE`: what applications' I/O would do on a machine that isn't there.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <list>
#include <memory>

#include "cli/command.hpp"
#include "cli/machine_file.hpp"
#include "cli/progress_line.hpp"
#include "cli/readable.hpp"
#include "cli/schedule_options.hpp"
#include "cli/sized_trace.hpp"
#include "cli/think_option.hpp"
#include "jobs/job_phases.hpp"
#include "simulate/calibrate.hpp"
#include "simulate/engine.hpp"
#include "simulate/simulate.hpp"
#include "simulate/timeline.hpp"

namespace refrain::cli {

namespace {

struct SimulationOptions {
  std::vector<std::string> files;
  std::string machine;
  std::vector<uint32_t> ranks;
  std::vector<double> starts;
  std::vector<uint32_t> nodes;
  std::string layer;
  std::string detail = "group";
  std::string think = "recorded";
  std::string policy;
  std::string svg;
  std::string calibrate;
  std::string output;
  uint32_t writers = 0;
  simulate::SimulationOptions how;
  bool json = false;
};

/// What of each trace has to be there while it is simulated.
struct Loaded {
  trace::Trace trace;
  simulate::Program program;
};

/// The value for trace number `i`: one for all, or one for each.
template <class T>
T value_for(const std::vector<T>& values, size_t i, T otherwise) {
  if (values.empty()) return otherwise;
  return values.size() == 1 ? values[0] : values[i];
}

Result<void> check_counts(const SimulationOptions& options) {
  auto fits = [&](size_t given) { return given <= 1 || given == options.files.size(); };
  const std::pair<const char*, size_t> lists[] = {{"--ranks", options.ranks.size()},
                                                  {"--start", options.starts.size()}};
  for (const auto& [name, given] : lists)
    if (!fits(given))
      return fail(ErrorKind::usage, fmt::format("{} has {} values for {} traces: give one, or one for each",
                                                name, given, options.files.size()));
  if (options.nodes.empty() || options.nodes.size() == options.files.size()) return {};
  return fail(ErrorKind::usage, fmt::format("--node has {} values for {} traces: give one for each",
                                            options.nodes.size(), options.files.size()));
}

/// What the application does, for policies that look ahead; nothing if that can't be told.
coordinate::Profile profile_of(const trace::Trace& trace) {
  Result<jobs::TraceJob> job = jobs::job_of(trace, {});
  if (!job || job->job.phases.size() > coordinate::max_profile_phases ||
      job->job.blocks.size() > coordinate::max_profile_blocks)
    return {};
  return {job->job.phases, job->job.blocks};
}

Result<std::vector<simulate::Application>> load(const SimulationOptions& options,
                                                const simulate::Machine& machine, std::list<Loaded>& loaded) {
  std::vector<simulate::Application> applications;
  uint32_t next_node = 0;
  for (size_t i = 0; i < options.files.size(); ++i) {
    const std::string& file = options.files[i];
    bool outer = options.layer.empty();
    Result<trace::Trace> trace =
        read_sized(file, value_for(options.ranks, i, 0U), outer ? StreamsUsed::outer : StreamsUsed::all);
    if (!trace) return tl::unexpected(trace.error());
    loaded.push_back({std::move(*trace), {}});
    Loaded& here = loaded.back();
    Result<simulate::Program> program =
        simulate::make_program(here.trace, {.layer = options.layer, .detail = options.how.detail});
    if (!program) return within(file, program.error());
    here.program = std::move(*program);
    simulate::Application application{.name = std::filesystem::path(file).stem().string(),
                                      .program = &here.program};
    application.start_s = value_for(options.starts, i, 0.0);
    application.first_node = options.nodes.empty() ? next_node : options.nodes[i];
    uint32_t nodes = (here.program.ranks + machine.ranks_per_node - 1) / machine.ranks_per_node;
    next_node = application.first_node + nodes;
    if (options.how.policy != nullptr) application.profile = profile_of(here.trace);
    applications.push_back(std::move(application));
  }
  return applications;
}

std::string seconds_of(double seconds) {
  return duration_text(static_cast<uint64_t>(std::max(0.0, seconds) * 1e9));
}

std::string rate_text(uint64_t bytes, double seconds) {
  return seconds > 0 ? bytes_text(static_cast<uint64_t>(static_cast<double>(bytes) / seconds)) + "/s" : "-";
}

std::string applications_text(const simulate::Outcome& outcome) {
  bool several = outcome.applications.size() > 1;
  bool waited = std::any_of(outcome.applications.begin(), outcome.applications.end(),
                            [](const simulate::ApplicationOutcome& a) { return a.waited_s > 0; });
  Table table;
  std::vector<std::string> head{"application", "ranks",   "groups",    "time", "I/O",
                                "read",        "written", "bandwidth", "calls"};
  if (several) head.insert(head.end(), {"alone", "stretch"});
  if (waited) head.push_back("waited");
  table.row(head);
  for (const simulate::ApplicationOutcome& a : outcome.applications) {
    std::vector<std::string> row{printable(a.name),
                                 grouped(a.ranks),
                                 grouped(a.groups),
                                 seconds_of(a.seconds()),
                                 seconds_of(a.io_s),
                                 bytes_text(a.volume.bytes_read),
                                 bytes_text(a.volume.bytes_written),
                                 rate_text(a.volume.bytes_read + a.volume.bytes_written, a.io_s),
                                 grouped(a.volume.transfers + a.volume.metadata)};
    if (several) row.insert(row.end(), {seconds_of(a.alone_s), fmt::format("{:.3f}", a.stretch())});
    if (waited) row.push_back(seconds_of(a.waited_s));
    table.row(row);
  }
  return table.text("");
}

std::string phases_text(const simulate::Outcome& outcome) {
  constexpr size_t most_shown = 12;
  Table table;
  table.row({"phase", "start", "time", "read", "written", "bandwidth"});
  std::string more;
  for (const simulate::ApplicationOutcome& a : outcome.applications) {
    size_t shown = std::min(most_shown, a.phases.size());
    for (size_t i = 0; i < shown; ++i) {
      const simulate::Phase& p = a.phases[i];
      table.row({fmt::format("{} {}", printable(a.name), i + 1), seconds_of(p.start_s),
                 seconds_of(p.end_s - p.start_s), bytes_text(p.bytes_read), bytes_text(p.bytes_written),
                 rate_text(p.bytes_read + p.bytes_written, p.end_s - p.start_s)});
    }
    if (a.phase_count > shown)
      more += fmt::format("... and {} more of {}\n", grouped(a.phase_count - shown), printable(a.name));
  }
  return table.text("") + more;
}

std::string targets_text(const simulate::Outcome& outcome) {
  double least = 1e300, most = 0, sum = 0;
  uint64_t used = 0;
  for (const simulate::TargetOutcome& t : outcome.targets) {
    least = std::min(least, t.busy_s);
    most = std::max(most, t.busy_s);
    sum += t.busy_s;
    used += t.requests > 0 ? 1 : 0;
  }
  double end = std::max(outcome.makespan_s(), 1e-12);
  auto share = [&](double busy) { return fmt::format("{:.1f}%", 100 * busy / end); };
  return fmt::format("targets: {} of {} used; busy {} on average, {} at least, {} at most\n", grouped(used),
                     grouped(outcome.targets.size()),
                     share(sum / static_cast<double>(outcome.targets.size())), share(least), share(most));
}

/// The times of applications when each has the machine to itself.
Result<void> simulate_alone(const simulate::Machine& machine,
                            const std::vector<simulate::Application>& applications,
                            const simulate::SimulationOptions& how, simulate::Outcome& outcome) {
  for (size_t i = 0; applications.size() > 1 && i < applications.size(); ++i) {
    simulate::SimulationOptions alone = how;
    alone.policy = nullptr;
    Result<simulate::Outcome> one = simulate::simulate(machine, {applications[i]}, alone);
    if (!one) return tl::unexpected(one.error());
    outcome.applications[i].alone_s = one->applications[0].seconds();
  }
  return {};
}

/// `refrain simulate --calibrate DIR`: a machine file of this computer.
Result<int> run_calibration(const SimulationOptions& options, Output& out) {
  if (!options.files.empty() || !options.machine.empty())
    return fail(ErrorKind::usage,
                "--calibrate writes a machine file, and takes neither traces nor a machine");
  Progress progress("measuring");
  simulate::CalibrationOptions how{.writers = options.writers};
  how.progress = [&](size_t done, size_t total) { progress.show(done, total); };
  Result<simulate::Machine> machine = simulate::calibrate(options.calibrate, how);
  if (!machine) return tl::unexpected(machine.error());
  std::string text = simulate::machine_text(*machine);
  if (options.output.empty()) {
    out.write(text);
    return 0;
  }
  Result<void> written = write_text(options.output, text);
  if (!written) return tl::unexpected(written.error());
  return 0;
}

Result<int> run_simulation(SimulationOptions options, Output& out) {
  if (!options.calibrate.empty()) return run_calibration(options, out);
  if (options.files.empty() || options.machine.empty())
    return fail(ErrorKind::usage, "which trace on which machine? Try 'refrain simulate --help'");
  if (Result<void> engine = simulate::check_engine(); !engine) return tl::unexpected(engine.error());
  if (Result<void> counts = check_counts(options); !counts) return tl::unexpected(counts.error());
  if (!options.policy.empty()) {
    Result<const schedule::Policy*> policy = schedule::find_policy(options.policy);
    if (!policy) return tl::unexpected(policy.error());
    options.how.policy = *policy;
  }
  options.how.detail = options.detail == "rank";
  Result<double> think = think_factor(options.think);
  if (!think) return tl::unexpected(think.error());
  options.how.think = *think;
  Result<simulate::Machine> machine = load_machine(options.machine);
  if (!machine) return tl::unexpected(machine.error());
  std::list<Loaded> loaded;
  Result<std::vector<simulate::Application>> applications = load(options, *machine, loaded);
  if (!applications) return tl::unexpected(applications.error());
  uint64_t operations = 0;
  for (const Loaded& one : loaded)
    for (const simulate::Group& group : one.program.groups) operations += group.operations;
  Progress progress("simulating operation");
  options.how.progress = [&](uint64_t done) { progress.show(done, std::max(done, operations)); };
  Result<simulate::Outcome> outcome = simulate::simulate(*machine, *applications, options.how);
  if (!outcome) return tl::unexpected(outcome.error());
  Result<void> alone = simulate_alone(*machine, *applications, options.how, *outcome);
  if (!alone) return tl::unexpected(alone.error());
  for (const std::string& note : outcome->notes) say("note: " + note);
  if (!options.svg.empty()) {
    std::string title = machine->name.empty() ? options.machine : machine->name;
    Result<void> written = write_text(options.svg, simulate::timeline_svg(*outcome, title));
    if (!written) return tl::unexpected(written.error());
  }
  if (options.json)
    out.line(simulate::outcome_json(*outcome));
  else
    out.write(applications_text(*outcome) + "\n" + phases_text(*outcome) + "\n" + targets_text(*outcome));
  return 0;
}

void add_model_options(CLI::App& command, SimulationOptions& options) {
  command
      .add_option("--layer", options.layer, "Take the recorded calls of this layer, as far as there are any")
      ->type_name("LAYER")
      ->check(CLI::IsMember({"posix", "stdio", "mpiio"}));
  command.add_option("--detail", options.detail, "'rank': simulate every rank for itself")
      ->type_name("group|rank")
      ->check(CLI::IsMember({"group", "rank"}))
      ->capture_default_str();
  command
      .add_option(
          "--aggregators", options.how.aggregators,
          "Aggregators of collective transfers; 0: none (default: hints of the trace, or one per node)")
      ->type_name("N")
      ->check(CLI::Range(0U, 1U << 24U));
  command
      .add_option("--buffer", options.how.buffer_bytes, "Buffer of an aggregator (default: hints, or 16 MiB)")
      ->type_name("BYTES")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 40U));
  command.add_option("--think", options.think, "Time between calls: none, recorded (default), or a factor")
      ->type_name("FACTOR");
  command.add_flag("--every-turn", options.how.every_turn,
                   "Simulate every turn of every loop, also of steady ones");
  command.add_option("--gap", options.how.phase_gap_s, "A longer pause between transfers begins a new phase")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
}

}  // namespace

void add_simulate(CLI::App& root, Action& action) {
  CLI::App* command =
      add_command(root, "simulate", "Simulate applications on a machine that isn't there",
                  "refrain simulate any.rfn --ranks 8192 --machine cluster\n"
                  "  refrain simulate a.rfn b.rfn --machine my.json --policy stretch --svg both.svg\n"
                  "  refrain simulate --calibrate /scratch -o here.json");
  auto options = std::make_shared<SimulationOptions>();
  command->add_option("TRACES", options->files, "Traces, one for each application");
  command->add_option("--machine", options->machine, "Machine file, or one of: cluster, bluegene, laptop")
      ->type_name("FILE");
  command
      ->add_option("--ranks", options->ranks,
                   "For scale-free traces: for how many ranks; one, or one for each")
      ->type_name("N")
      ->delimiter(',')
      ->check(CLI::Range(uint32_t{1}, static_cast<uint32_t>(trace::RankSet::most_listed)));
  command
      ->add_option("--start", options->starts,
                   "When the applications start; one, or one for each (default: 0)")
      ->type_name("SECONDS")
      ->delimiter(',')
      ->check(CLI::Range(0.0, 1e9));
  command->add_option("--node", options->nodes, "First node of each application (default: behind each other)")
      ->type_name("N")
      ->delimiter(',');
  command
      ->add_option("--policy", options->policy, "With a coordinator in between, which serves by this policy")
      ->type_name("NAME");
  add_model_options(*command, *options);
  add_picture_option(*command, "--svg", options->svg, "Draw a timeline into this file");
  command->add_flag("--json", options->json, "As JSON");
  command
      ->add_option("--calibrate", options->calibrate,
                   "Measure the storage of this folder, and write a machine file")
      ->type_name("DIR");
  command
      ->add_option("--writers", options->writers, "With --calibrate: at most so many (default: processors)")
      ->type_name("N")
      ->check(CLI::Range(1U, 4096U))
      ->needs("--calibrate");
  command->add_option("-o", options->output, "With --calibrate: the file to write (default: standard output)")
      ->type_name("FILE")
      ->needs("--calibrate");
  command->callback(
      [&action, options] { action = [options](Output& out) { return run_simulation(*options, out); }; });
}

}  // namespace refrain::cli
