// `refrain dispatch`: the application scheduler. Looks at Slurm again and again, decides which of the jobs
// that `refrain submit` left held start where, and releases them there. All it knows stands in Slurm.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <ctime>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "cli/command.hpp"
#include "cli/readable.hpp"
#include "cli/schedule_options.hpp"
#include "coordinate/dispatch.hpp"
#include "coordinate/slurm_command.hpp"

namespace refrain::cli {

namespace {

using coordinate::Decision;
using coordinate::JobNote;
using coordinate::SlurmState;

struct DispatchingOptions {
  StrategyOptions strategy{.policy = "stretch", .mapping = "easy", .sensibility = "1.5"};
  std::string partitions;
  std::string bandwidth;
  double load_of_others = coordinate::DispatchOptions{}.load_of_others;
  std::string coordinator;
  double interval_seconds = 2;
  double settle_seconds = 10;
  bool once = false;
  bool dry_run = false;
  bool json = false;
};

/// SIGINT and SIGTERM end the loop between two looks, never in the middle of a start.
class Waiting {
 public:
  Waiting() {
    sigemptyset(&ends_);
    sigaddset(&ends_, SIGINT);
    sigaddset(&ends_, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends_, nullptr);
  }
  /// Returns whether to go on.
  bool wait(double seconds) const {
    timespec time{static_cast<time_t>(seconds), static_cast<long>((seconds - std::floor(seconds)) * 1e9)};
    return sigtimedwait(&ends_, nullptr, &time) < 0;
  }

 private:
  sigset_t ends_{};
};

Result<std::string> ask_slurm(const std::vector<std::string>& words) {
  Result<coordinate::CommandOutcome> done = coordinate::run_command(words);
  if (!done) return tl::unexpected(done.error());
  if (done->exit_code != 0) return fail(ErrorKind::io, printable(done->complaint()), words[0]);
  return std::move(done->out);
}

Result<SlurmState> look_at_slurm() {
  SlurmState state;
  Result<std::string> jobs = ask_slurm({"squeue", "--json"});
  if (!jobs) return tl::unexpected(jobs.error());
  Result<std::vector<coordinate::SlurmJob>> read_jobs = coordinate::read_jobs(*jobs);
  if (!read_jobs) return tl::unexpected(read_jobs.error());
  Result<std::string> nodes = ask_slurm({"sinfo", "-N", "--json"});
  if (!nodes) return tl::unexpected(nodes.error());
  Result<std::vector<coordinate::SlurmNode>> read_nodes = coordinate::read_nodes(*nodes);
  if (!read_nodes) return tl::unexpected(read_nodes.error());
  return SlurmState{std::move(*read_jobs), std::move(*read_nodes)};
}

schedule::Time now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

class Dispatcher {
 public:
  Dispatcher(const DispatchingOptions& options, coordinate::DispatchOptions deciding, schedule::Setup setup,
             Output& out)
      : options_(options), deciding_(std::move(deciding)), setup_(setup), out_(out) {}

  /// One look, one decision. An error if Slurm does not answer.
  Result<void> step() {
    Result<SlurmState> state = look_at_slurm();
    if (!state) return tl::unexpected(state.error());
    if (!checked_) {
      if (Result<void> known = know_partitions(*state); !known) return known;
    }
    Result<bool> settled = options_.dry_run ? true : is_settled();
    if (!settled) return tl::unexpected(settled.error());
    if (!*settled) return {};
    std::erase_if(state->jobs, [this](const coordinate::SlurmJob& job) { return is_refused(job.id); });
    remember_names(*state);
    schedule::Time now = now_ns();
    Decision decision = coordinate::decide(*state, deciding_, now);
    for (const coordinate::LeftOut& left : decision.left_out) complain(left.job, left.reason);
    Result<void> done;
    if (options_.dry_run) {
      show(decision);
      forecast(*state, now);
    } else {
      done = carry_out(decision);
    }
    out_.flush();
    return done;
  }

 private:
  /// Nodes need a while to tell a new controller what they run. Until then it would start for the second time
  /// what a killed one had started but not saved, and drain the node that refuses.
  Result<bool> is_settled() {
    if (!(options_.settle_seconds > 0)) return true;
    Result<std::string> config = ask_slurm({"scontrol", "show", "config"});
    if (!config) return tl::unexpected(config.error());
    std::optional<int64_t> start = coordinate::controller_start(*config);
    if (!start) return true;
    double age = static_cast<double>(now_ns()) / 1e9 - static_cast<double>(*start);
    if (std::abs(age) > options_.settle_seconds) return true;
    if (start != told_of_start_)
      say("Slurm's controller was just started; its nodes are given time to report");
    told_of_start_ = start;
    return false;
  }

  Result<void> know_partitions(const SlurmState& state) {
    if (deciding_.partitions.empty()) {
      Result<std::vector<std::string>> found = coordinate::disjoint_partitions(state);
      if (!found) return tl::unexpected(found.error());
      deciding_.partitions = std::move(*found);
    } else if (Result<void> good = coordinate::check_partitions(state, deciding_.partitions); !good) {
      return within("--partitions", good.error());
    }
    size_t given = deciding_.bandwidth.size();
    if (given > 1 && given != deciding_.partitions.size())
      return fail(ErrorKind::usage,
                  fmt::format("{} values for {} partitions", given, deciding_.partitions.size()),
                  "--bandwidth");
    checked_ = true;
    return {};
  }

  void remember_names(const SlurmState& state) {
    names_.clear();
    for (const coordinate::SlurmJob& job : state.jobs) names_[job.id] = job.name;
    std::erase_if(complaints_, [this](const auto& entry) { return !names_.contains(entry.first); });
  }

  /// Once, until the reason changes.
  void complain(int64_t job, const std::string& reason) {
    std::string& last = complaints_[job];
    if (last != reason) say(fmt::format("job {}: {}", job, printable(reason)));
    last = reason;
  }

  /// Slurm would not do it. Others must not wait for it; it gets another chance in a minute.
  void refuse(int64_t job, const std::string& reason) {
    complain(job, reason);
    refused_until_[job] = now_ns() + 60 * schedule::second;
  }
  bool is_refused(int64_t job) {
    auto found = refused_until_.find(job);
    if (found == refused_until_.end()) return false;
    if (now_ns() < found->second) return true;
    refused_until_.erase(found);
    return false;
  }

  static bool is_busy(const Error& error) {
    return error.text().find("temporarily unavailable") != std::string::npos;
  }

  /// Whether Slurm did it. An error if it does not answer at all.
  Result<bool> tell_slurm(int64_t job, const std::vector<std::string>& words) {
    constexpr int tries = 20;
    Result<std::string> done = ask_slurm(words);
    // A controller that is busy, of Slurm 24.11 for instance, wants to be asked again.
    for (int again = 1; again < tries && !done && is_busy(done.error()); ++again) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      done = ask_slurm(words);
    }
    if (done) return true;
    const std::string text = done.error().text();
    for (const char* away : {"Unable to contact", "in time", "socket", "onnection"}) {
      if (text.find(away) != std::string::npos) return tl::unexpected(done.error());
    }
    if (!is_busy(done.error())) refuse(job, text);  // else at the next look
    return false;
  }

  Result<void> carry_out(const Decision& decision) {
    for (const JobNote& planned : decision.planned) {
      Result<bool> done = tell_slurm(planned.job, {"scontrol", "update", fmt::format("JobId={}", planned.job),
                                                   "AdminComment=" + note_text(planned.note)});
      if (!done) return tl::unexpected(done.error());
    }
    if (!decision.planned.empty()) report_plan(decision);
    for (const JobNote& start : decision.starts) {
      if (is_refused(start.job)) continue;
      Result<bool> done = release(start);
      if (!done) return tl::unexpected(done.error());
      if (*done) report(start, "start");
    }
    return {};
  }

  /// The note first: from the moment of its release on, the job may start and look for it.
  Result<bool> release(const JobNote& start) {
    std::string id = std::to_string(start.job);
    Result<bool> noted =
        tell_slurm(start.job, {"scontrol", "update", "JobId=" + id, "Partition=" + start.note.partition,
                               "AdminComment=" + note_text(start.note)});
    if (!noted || !*noted) return noted;
    return tell_slurm(start.job, {"scontrol", "release", id});
  }

  void report_plan(const Decision& decision) {
    if (options_.json) {
      out_.line(fmt::format(R"({{"event": "plan", "jobs": {}, "packs": {}}})", decision.planned.size(),
                            decision.packs));
    } else {
      out_.line(fmt::format("planned {} in {}", counted(decision.planned.size(), "job", "jobs"),
                            counted(decision.packs, "pack", "packs")));
    }
  }

  void report(const JobNote& noted, const char* event) {
    if (options_.json) {
      nlohmann::ordered_json json{{"event", event}, {"job", noted.job}, {"partition", noted.note.partition}};
      if (noted.note.io_node) json["io_node"] = *noted.note.io_node;
      if (noted.note.pack > 0) json["pack"] = noted.note.pack;
      out_.line(json.dump());
      return;
    }
    std::string pack = noted.note.pack > 0 ? fmt::format(", pack {}", noted.note.pack) : "";
    const char* verb = noted.note.io_node ? "starts" : "waits";
    out_.line(fmt::format("job {} ({}) {} on {}{}", noted.job, printable(names_[noted.job]), verb,
                          printable(noted.note.partition), pack));
  }

  /// What would be done, the starts last; a job that is planned and starts is told once.
  void show(const Decision& decision) {
    auto starts = [&decision](int64_t job) {
      return std::any_of(decision.starts.begin(), decision.starts.end(),
                         [job](const JobNote& start) { return start.job == job; });
    };
    for (const JobNote& planned : decision.planned) {
      if (!starts(planned.job)) report(planned, "wait");
    }
    for (const JobNote& start : decision.starts) report(start, "start");
    if (!options_.json)
      out_.line(fmt::format("{} waiting, {} with a profile running, {} without", decision.waiting,
                            decision.running, decision.others));
  }

  void forecast(const SlurmState& state, schedule::Time now) {
    schedule::Workload waiting = coordinate::waiting_jobs(state, deciding_, now);
    if (waiting.jobs.empty() || options_.json) return;
    schedule::Time makespan = schedule::simulate(waiting, setup_).makespan;
    out_.line(fmt::format("alone on the machine, those that wait would take {} s under {}",
                          seconds_text(makespan), setup_.discipline.policy->name));
  }

  const DispatchingOptions& options_;
  coordinate::DispatchOptions deciding_;
  schedule::Setup setup_;
  Output& out_;
  bool checked_ = false;
  std::optional<int64_t> told_of_start_;
  std::map<int64_t, std::string> names_;             ///< of jobs, as of the last look
  std::map<int64_t, std::string> complaints_;        ///< what was last said of a job
  std::map<int64_t, schedule::Time> refused_until_;  ///< jobs that Slurm would not start
};

Result<coordinate::DispatchOptions> deciding_options(const DispatchingOptions& options,
                                                     const schedule::Setup& setup) {
  if (setup.mapping.kind == schedule::MappingKind::portfolio)
    return fail(ErrorKind::usage,
                "portfolio chooses among simulations of a whole workload; take one that decides",
                "--mapping");
  coordinate::DispatchOptions deciding{.mapping = setup.mapping,
                                       .partitions = split_list(options.partitions),
                                       .load_of_others = options.load_of_others,
                                       .coordinator = options.coordinator};
  for (const std::string& partition : deciding.partitions) {
    if (!coordinate::is_plain_word(partition))
      return fail(ErrorKind::usage, "'" + printable(partition) + "' is no name of a partition",
                  "--partitions");
  }
  if (!options.coordinator.empty() && !coordinate::is_plain_word(options.coordinator))
    return fail(ErrorKind::usage, "'" + printable(options.coordinator) + "' is no address", "--coordinator");
  for (const std::string& word : split_list(options.bandwidth)) {
    char* end = nullptr;
    double value = std::strtod(word.c_str(), &end);
    if (*end != '\0' || !(value > 0) || !std::isfinite(value))
      return fail(ErrorKind::usage,
                  "must be a positive number for each I/O node, is '" + printable(word) + "'", "--bandwidth");
    deciding.bandwidth.push_back(value);
  }
  return deciding;
}

Result<int> dispatch(const DispatchingOptions& options, Output& out) {
  Result<schedule::Setup> setup = make_setup(options.strategy);
  if (!setup) return tl::unexpected(setup.error());
  Result<coordinate::DispatchOptions> deciding = deciding_options(options, *setup);
  if (!deciding) return tl::unexpected(deciding.error());
  Waiting waiting;
  Dispatcher dispatcher(options, std::move(*deciding), *setup, out);
  bool silent = false;  // Slurm does not answer
  do {
    Result<void> done = dispatcher.step();
    if (!done && (options.once || options.dry_run || done.error().kind == ErrorKind::usage))
      return tl::unexpected(done.error());
    if (!done && !silent) say(fmt::format("{}; waiting until Slurm answers", done.error().text()));
    if (done && silent) say("Slurm answers again");
    silent = !done;
  } while (!options.once && !options.dry_run && waiting.wait(options.interval_seconds));
  return 0;
}

void add_placing_options(CLI::App& command, DispatchingOptions& options) {
  command
      .add_option("--mapping", options.strategy.mapping,
                  "Which jobs run where and with whom: first-fit, make-pack, make-pack+backfill, easy")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--sensibility", options.strategy.sensibility,
                  "S: the I/O load that may come together, a number or 'alpha' for that of the jobs")
      ->type_name("S")
      ->capture_default_str();
  command
      .add_option("--policy", options.strategy.policy,
                  "Who does I/O first, by what the coordinator was told; for the forecast of --dry-run")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--partitions", options.partitions,
                  "Slurm's partitions that have an I/O node, in the order of the nodes' numbers from 0 "
                  "(default: all, by name)")
      ->type_name("P,P");
  command
      .add_option("--bandwidth", options.bandwidth,
                  "Bytes per second of an I/O node, or a list with one for each (default: the median of "
                  "what profiles say)")
      ->type_name("B,B");
  command
      .add_option("--load-of-others", options.load_of_others,
                  "I/O load that a job without a profile is taken to have")
      ->type_name("L")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
}

}  // namespace

void add_dispatch(CLI::App& root, Action& action) {
  CLI::App* command =
      add_command(root, "dispatch", "Start submitted jobs where and when their I/O fits, through Slurm",
                  "refrain dispatch --mapping easy --sensibility 1.5 --partitions io0,io1 --bandwidth 2e9\n"
                  "  refrain dispatch --mapping make-pack --coordinator tcp://10.0.0.1:7000\n"
                  "  refrain dispatch --dry-run");
  auto options = std::make_shared<DispatchingOptions>();
  add_placing_options(*command, *options);
  command->add_option("--coordinator", options->coordinator, "Jobs do I/O when this coordinator lets them")
      ->type_name("ADDRESS");
  command->add_option("--interval", options->interval_seconds, "Time between two looks at Slurm")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.01, 3600.0))
      ->capture_default_str();
  command
      ->add_option("--settle", options->settle_seconds,
                   "Nothing is started for so long after a start of Slurm's controller")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  command->add_flag("--once", options->once, "Decide once and end");
  command->add_flag("--dry-run", options->dry_run, "Print what would be done now, and do nothing");
  command->add_flag("--json", options->json, "Events as JSON, one per line");
  command->callback(
      [&action, options] { action = [options](Output& out) { return dispatch(*options, out); }; });
}

}  // namespace refrain::cli
