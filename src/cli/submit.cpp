// `refrain submit --profile FILE [SBATCH OPTIONS] SCRIPT`: hands a job to Slurm, held, with what it is about
// to do in its comment. `refrain dispatch` decides where and when it starts.
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/readable.hpp"
#include "cli/sized_trace.hpp"
#include "coordinate/batch_script.hpp"
#include "coordinate/job_profile.hpp"
#include "coordinate/sbatch_options.hpp"
#include "coordinate/slurm_command.hpp"
#include "format/file.hpp"
#include "jobs/job_phases.hpp"
#include "schedule/job_file.hpp"

namespace refrain::cli {

namespace {

namespace fs = std::filesystem;

struct SubmitOptions {
  std::string profile;
  uint32_t ranks = 0;
  double gap_seconds = jobs::JobOptions{}.gap_seconds;
  uint32_t ranks_per_node = 1;
  bool json = false;
  bool dry_run = false;
  std::vector<std::string> words;  ///< sbatch's options, the script and its arguments
};

/// What sbatch is to be given.
struct Submission {
  coordinate::SbatchLine line{};
  coordinate::OptionValues asked{};  ///< on the command line and in the script
  std::string script{};
  std::string name = "job";
  coordinate::JobProfile profile{};
  std::string trace{};  ///< for the gate; a job file is none
  uint32_t ranks = 0;   ///< of a scale-free trace
};

Result<std::string> read_whole(std::istream& in, const std::string& name) {
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) return fail(ErrorKind::io, "can't be read", name);
  return text;
}

/// The script from where sbatch would take it: --wrap, the file, or standard input.
Result<void> read_script(Submission& submission) {
  if (auto wrap = submission.asked.find("wrap"); wrap != submission.asked.end()) {
    if (!submission.line.script.empty())
      return fail(ErrorKind::usage, "a script can't be given together with --wrap");
    submission.script = "#!/bin/sh\n" + wrap->second + "\n";
    submission.name = "wrap";
    std::vector<std::string> kept;
    const std::vector<std::string>& options = submission.line.options;
    for (size_t at = 0; at < options.size();) {
      size_t count = std::max<size_t>(coordinate::option_words(options, at), 1);
      bool is_wrap = options[at] == "--wrap" || options[at].starts_with("--wrap=");
      for (; count > 0; --count, ++at)
        if (!is_wrap) kept.push_back(options[at]);
    }
    submission.line.options = std::move(kept);
    return {};
  }
  if (submission.line.script.empty()) {
    Result<std::string> text = read_whole(std::cin, "standard input");
    if (!text) return tl::unexpected(text.error());
    submission.script = std::move(*text);
    return {};
  }
  const std::string& file = submission.line.script[0];
  std::ifstream in(file, std::ios::binary);
  if (!in) return fail(ErrorKind::io, std::strerror(errno), file);
  Result<std::string> text = read_whole(in, file);
  if (!text) return tl::unexpected(text.error());
  submission.script = std::move(*text);
  submission.name = fs::path(file).filename().string();
  return {};
}

/// Options on the command line win over those in the script.
coordinate::OptionValues all_options(const Submission& submission) {
  coordinate::OptionValues values = coordinate::option_values(coordinate::script_options(submission.script));
  for (auto& [name, value] : coordinate::option_values(submission.line.options)) values[name] = value;
  return values;
}

Result<coordinate::JobProfile> profile_of_job_file(const std::string& file) {
  Result<schedule::Workload> workload = schedule::read_workload(file);
  if (!workload) return tl::unexpected(workload.error());
  if (workload->jobs.size() != 1)
    return fail(ErrorKind::usage, fmt::format("holds {} jobs; a profile is one", workload->jobs.size()),
                file);
  return coordinate::JobProfile{.job = workload->jobs[0], .bandwidth = workload->machine.best_bandwidth()};
}

Result<void> read_profile_file(const SubmitOptions& options, Submission& submission) {
  std::ifstream in(options.profile, std::ios::binary);
  if (!in) return fail(ErrorKind::io, std::strerror(errno), options.profile);
  if (in.peek() == '{') {
    Result<coordinate::JobProfile> profile = profile_of_job_file(options.profile);
    if (!profile) return tl::unexpected(profile.error());
    submission.profile = std::move(*profile);
    return {};
  }
  Result<trace::Trace> trace = format::read_file(options.profile);
  if (!trace) return tl::unexpected(trace.error());
  uint32_t ranks = options.ranks;
  if (trace->scale_free()) {
    if (ranks == 0) ranks = coordinate::ranks_asked(submission.asked).value_or(0);
    submission.ranks = ranks;
    if (ranks == 0)
      return fail(
          ErrorKind::usage,
          "a scale-free trace, and neither --ranks nor sbatch's --ntasks says how many ranks the job has",
          options.profile);
  }
  Result<trace::Trace> sized_trace = sized(std::move(*trace), options.profile, ranks, StreamsUsed::outer);
  if (!sized_trace) return tl::unexpected(sized_trace.error());
  jobs::JobOptions making{.gap_seconds = options.gap_seconds, .ranks_per_node = options.ranks_per_node};
  Result<jobs::TraceJob> made = jobs::job_of(*sized_trace, making);
  if (!made) return within(options.profile, made.error());
  submission.profile = {.job = made->job, .ranks = made->ranks, .bandwidth = made->bandwidth};
  submission.trace = fs::absolute(options.profile).string();
  return {};
}

/// A job has its nodes for itself, as mappings count whole nodes; and as many as its profile says, unless its
/// owner does.
std::vector<std::string> defaults_for(const Submission& submission) {
  std::vector<std::string> defaults{"--exclusive"};
  if (submission.asked.contains("nodes") || submission.asked.contains("ntasks")) return defaults;
  defaults.push_back(fmt::format("--nodes={}", submission.profile.job.nodes));
  if (submission.profile.ranks > 0) defaults.push_back(fmt::format("--ntasks={}", submission.profile.ranks));
  return defaults;
}

Result<std::string> comment_for(const Submission& submission) {
  constexpr size_t least_for_profile = 200;
  auto found = submission.asked.find("comment");
  std::string own = found == submission.asked.end() || found->second.empty() ? "" : " " + found->second;
  if (own.size() + least_for_profile > coordinate::longest_comment)
    return fail(ErrorKind::usage, fmt::format("--comment: at most {} characters leave room for the profile",
                                              coordinate::longest_comment - least_for_profile - 1));
  return profile_text(submission.profile, coordinate::longest_comment - own.size()) + own;
}

/// A file in a folder of its own, so that the job gets the script's name; both go with it.
class ScriptFile {
 public:
  Result<std::string> write(const std::string& name, const std::string& text) {
    std::string folder = (fs::temp_directory_path() / "refrain-submit-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) return fail(ErrorKind::io, std::strerror(errno), folder);
    folder_ = folder;
    std::string file = (folder_ / name).string();
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (!out) return fail(ErrorKind::io, std::strerror(errno), file);
    return file;
  }
  ScriptFile() = default;
  ~ScriptFile() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  ScriptFile(const ScriptFile&) = delete;
  ScriptFile& operator=(const ScriptFile&) = delete;

 private:
  fs::path folder_;
};

Result<int> hand_over(const Submission& submission, const std::string& script, const std::string& comment,
                      const SubmitOptions& options, Output& out) {
  ScriptFile file;
  Result<std::string> path = file.write(submission.name, script);
  if (!path) return tl::unexpected(path.error());
  std::vector<std::string> words{"sbatch"};
  words.insert(words.end(), submission.line.options.begin(), submission.line.options.end());
  words.insert(words.end(), {"--hold", "--parsable", "--comment=" + comment, *path});
  if (submission.line.script.size() > 1)
    words.insert(words.end(), submission.line.script.begin() + 1, submission.line.script.end());
  Result<coordinate::CommandOutcome> done =
      coordinate::run_command(words, {.time = std::chrono::hours(24 * 300)});
  if (!done) return tl::unexpected(done.error());
  std::string id = done->out.substr(0, std::min(done->out.find_first_of(";\n"), done->out.size()));
  bool submitted = !id.empty() && id.find_first_not_of("0123456789") == std::string::npos;
  if (!submitted) return fail(ErrorKind::io, printable(done->complaint()), "sbatch");
  fmt::print(stderr, "{}", done->err);
  if (options.json) {
    out.line(fmt::format(R"({{"job_id": {}, "profile": {}}})", id, profile_json(submission.profile)));
  } else {
    out.line("Submitted batch job " + id);
  }
  return done->exit_code;
}

Result<int> submit(const SubmitOptions& options, Output& out) {
  Submission submission{.line = coordinate::split_sbatch_line(options.words)};
  submission.asked = coordinate::option_values(submission.line.options);
  if (Result<void> read = read_script(submission); !read) return tl::unexpected(read.error());
  submission.asked = all_options(submission);
  if (submission.asked.contains("array"))
    return fail(ErrorKind::usage,
                "--array: jobs of an array can't be placed one by one; submit each of them");
  if (Result<void> read = read_profile_file(options, submission); !read) return tl::unexpected(read.error());
  Result<std::string> comment = comment_for(submission);
  if (!comment) return tl::unexpected(comment.error());
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  Result<std::string> script =
      coordinate::wrapped_script({submission.script, defaults_for(submission),
                                  error ? "refrain" : program.string(), submission.trace, submission.ranks});
  if (!script) return within(submission.name, script.error());
  if (options.dry_run) {
    out.line(*comment);
    out.write(*script);
    return 0;
  }
  return hand_over(submission, *script, *comment, options, out);
}

}  // namespace

void add_submit(CLI::App& root, Action& action, const std::vector<std::string>& rest) {
  CLI::App* command =
      add_command(root, "submit", "Hand a job with its profile to Slurm, for 'refrain dispatch'",
                  "refrain submit --profile app.rfn -N 4 -t 30 job.sh input.txt\n"
                  "  refrain submit --profile any-size.rfn --ntasks=256 job.sh\n"
                  "  refrain submit --profile app.rfn --wrap 'srun ./app'");
  auto options = std::make_shared<SubmitOptions>();
  set_usage(*command, "--profile FILE [OPTIONS] [SBATCH OPTIONS] SCRIPT [ARGUMENT...]");
  command
      ->add_option("--profile", options->profile,
                   "What the job does: a trace of it, or a job file with one job (see 'refrain jobs')")
      ->type_name("FILE")
      ->required();
  add_ranks_option(*command, options->ranks);
  command->add_option("--gap", options->gap_seconds, "A longer pause between I/O calls begins a new phase")
      ->type_name("SECONDS")
      ->check(CLI::Range(1e-9, 1e9))
      ->capture_default_str();
  command->add_option("--ranks-per-node", options->ranks_per_node, "Ranks that share a node")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print job and profile as JSON");
  command->add_flag("--dry-run", options->dry_run, "Print comment and script instead of submitting them");
  command->callback([&action, &rest, options] {
    options->words = rest;
    action = [options](Output& out) { return submit(*options, out); };
  });
}

}  // namespace refrain::cli
