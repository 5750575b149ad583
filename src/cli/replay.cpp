// `refrain replay TRACE`: makes the calls of a trace again, under mpirun if they were those of a parallel
// job.
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/launcher.hpp"
#include "cli/command.hpp"
#include "cli/progress_line.hpp"
#include "cli/readable.hpp"
#include "cli/replay_needs.hpp"
#include "cli/replay_processes.hpp"
#include "cli/replay_results.hpp"
#include "cli/result_line.hpp"
#include "cli/sized_trace.hpp"
#include "cli/think_option.hpp"
#include "format/file.hpp"
#include "measure/summary.hpp"
#include "plan/arguments.hpp"
#include "plan/filters.hpp"
#include "plan/inputs.hpp"
#include "plan/processes.hpp"
#include "replay/player.hpp"
#include "replay/prepare.hpp"
#include "replay/replayed_call.hpp"
#include "replay/thread_context.hpp"
#include "replay/tree_member.hpp"
#include "trace/text.hpp"
#include "wall/wall.hpp"

namespace refrain::cli {

namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  uint32_t ranks = 0;
  std::string file, root, think = "none", fill = "pattern", record, max_bytes;
  std::vector<uint32_t> subset;
  std::optional<size_t> process;
  replay::PlayOptions play;
  bool prepare = false, dry_run = false, json = false, quiet = false, no_sandbox = false;
};

/// Kept back from the free space of the file system, in percent.
constexpr uint64_t margin = 5;

/// `10G`, `500M`, `4096`
Result<uint64_t> amount(const std::string& text) {
  char* end = nullptr;
  double number = std::strtod(text.c_str(), &end);
  const std::string units = "KMGTP";
  double factor = 1;
  if (*end != '\0') {
    size_t unit = units.find(*end);
    if (unit == std::string::npos || end[1] != '\0') number = -1;
    factor = std::pow(1000.0, static_cast<double>(unit) + 1);
  }
  if (text.empty() || !(number >= 0) || number * factor > 9e18)
    return fail(ErrorKind::usage, fmt::format("--max-bytes can't be '{}'; try 500M or 10G", printable(text)));
  return static_cast<uint64_t>(number * factor);
}

/// Which rank of the trace this process plays, or why it can't.
Result<uint32_t> choose_rank(const trace::Trace& trace, const ReplayOptions& options,
                             const replay::Place& place) {
  uint32_t wanted = trace.nprocs > 0 ? trace.nprocs : 1;
  if (!options.subset.empty()) wanted = static_cast<uint32_t>(options.subset.size());
  if (place.size != wanted)
    return fail(ErrorKind::usage,
                fmt::format("this replay takes {}, and here {}; start it with mpirun -n {}",
                            counted(wanted, "rank", "ranks"),
                            place.size == 1 ? "is one" : fmt::format("are {}", place.size), wanted));
  if (options.subset.empty()) return place.rank;
  uint32_t rank = options.subset[place.rank];
  if (rank >= trace.nprocs)
    return fail(ErrorKind::usage, fmt::format("--subset names rank {}, and the trace has {}", rank,
                                              counted(trace.nprocs, "rank", "ranks")));
  return rank;
}

/// What will be called: by the program itself, or of one layer.
measure::Totals totals_of_replay(const measure::Summary& summary, const std::string& layer) {
  if (layer.empty()) return summary.outer;
  for (const measure::LayerTotals& l : summary.layers)
    if (l.layer == layer) return l.totals;
  measure::Totals totals;
  for (const measure::FunctionTotals& f : summary.outer.functions) {
    if (!(trace::Signature{.layer = f.layer}.in_stream_of(layer))) continue;
    totals.events += f.calls;
    totals.bytes_read += f.bytes_read;
    totals.bytes_written += f.bytes_written;
    totals.functions.push_back(f);
  }
  return totals;
}

Result<void> check_layer(const trace::Trace& trace, const measure::Totals& totals, const std::string& layer) {
  if (layer.empty()) return {};
  if (std::find(trace.layers.begin(), trace.layers.end(), layer) == trace.layers.end())
    return fail(ErrorKind::usage, fmt::format("layer '{}' was not recorded", printable(layer)));
  if (totals.events > 0) return {};
  return fail(ErrorKind::usage,
              fmt::format("there is nothing to replay: the trace holds no calls of layer {}", layer));
}

Result<void> check_subset(const trace::Trace& trace, const measure::Totals& totals,
                          const ReplayOptions& options) {
  if (options.subset.empty() || options.subset.size() >= trace.nprocs) return {};
  for (const measure::FunctionTotals& f : totals.functions)
    if (f.calls > 0 && api::traits_of(f.function).has(api::Trait::takes_all_ranks))
      return fail(ErrorKind::usage,
                  fmt::format("--subset can't replay {}, which takes all {} ranks; replay all of them with "
                              "mpirun -n {}, or choose a layer below MPI, as in --layer posix",
                              f.function, trace.nprocs, trace.nprocs));
  return {};
}

/// A folder of its own for every run, the same for all ranks.
std::string new_root(const std::string& file) {
  JobName job = job_name();
  std::string tag = job.empty() ? std::to_string(getpid()) : job.text;
  return fs::path(file).stem().string() + ".replay-" + tag;
}

Result<void> check_space(const ReplayOptions& options, uint64_t bytes, const std::string& folder) {
  uint64_t most = 0;
  std::string whence;
  if (!options.max_bytes.empty()) {
    Result<uint64_t> given = amount(options.max_bytes);
    if (!given) return tl::unexpected(given.error());
    most = *given;
    whence = "--max-bytes allows";
  } else {
    struct statvfs disk {};
    if (statvfs(folder.c_str(), &disk) != 0) return {};
    most = disk.f_bavail * disk.f_frsize / 100 * (100 - margin);
    whence = "the file system has room for";
  }
  if (bytes <= most) return {};
  return fail(ErrorKind::limit,
              fmt::format("would write {}, and {} {}", bytes_text(bytes), whence, bytes_text(most)));
}

struct Unreplayed {
  std::string function;
  std::string_view reason;
};
/// Functions that the program called and that a replay stops at.
std::vector<Unreplayed> unreplayed(const measure::Totals& totals) {
  std::vector<Unreplayed> out;
  for (const measure::FunctionTotals& f : totals.functions) {
    const api::Row* row = plan::find_row(f.layer, f.function);
    std::string_view reason = row == nullptr ? "it is not known" : replay::why_not_replayed(*row);
    if (!reason.empty()) out.push_back({printable(f.function), reason});
  }
  return out;
}

void print_plan(const trace::Trace& trace, const measure::Summary& summary, const measure::Totals& t,
                const ReplayOptions& options, Output& out) {
  if (options.json) {
    nlohmann::json j{{"ranks", trace.nprocs == 0 ? 1 : trace.nprocs},
                     {"calls", t.events},
                     {"bytes_read", t.bytes_read},
                     {"bytes_written", t.bytes_written},
                     {"files", nlohmann::json::array()},
                     {"files_complete", summary.files_complete}};
    for (const std::string& file : summary.files) j["files"].push_back(printable(file));
    for (const Unreplayed& u : unreplayed(t))
      j["not_replayed"].push_back({{"function", u.function}, {"reason", u.reason}});
    out.line(j.dump(2));
    return;
  }
  out.line(fmt::format("{}: {} by {}, {} to be read, {} to be written", printable(options.file),
                       counted(t.events, "call", "calls"),
                       counted(trace.nprocs == 0 ? 1 : trace.nprocs, "process", "processes"),
                       bytes_text(t.bytes_read), bytes_text(t.bytes_written)));
  for (const std::string& file : summary.files) out.line("  " + printable(file));
  if (!summary.files_complete) out.line("  and more");
  for (const Unreplayed& u : unreplayed(t))
    out.line(fmt::format("{} is not replayed: {}", u.function, u.reason));
}

/// The same command below the recorder, in place of this one.
Result<int> record_replay(const ReplayOptions& options) {
  Result<trace::Trace> trace = format::read_file(options.file);
  if (!trace) return tl::unexpected(trace.error());
  std::vector<std::string> words{"refrain", "record", "-o", options.record};
  if (keeps_attributes(*trace)) words.emplace_back("--keep-attributes");
  words.emplace_back("--");
  size_t own_name = words.size();
  std::vector<char*> arguments;
  std::ifstream own("/proc/self/cmdline", std::ios::binary);
  bool value = false;
  for (std::string word; std::getline(own, word, '\0');) {
    bool ours = value || word == "--record" || word.starts_with("--record=");
    value = word == "--record";
    if (!ours) words.push_back(word);
  }
  words[own_name] = fs::read_symlink("/proc/self/exe").string();
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(words[own_name].c_str(), arguments.data());
  return fail(ErrorKind::io, std::strerror(errno), words[own_name]);
}

/// Keeps the process from changing files elsewhere, whatever is replayed; see wall/sandbox.h. Says how it is.
std::string_view raise_sandbox(const trace::Trace& trace, const ReplayOptions& options,
                               const replay::Place& place) {
  if (options.no_sandbox) return "off";
  const char* reason = refrain_wall_raise(uses_mpi(trace, place));
  if (reason == nullptr) return "on";
  if (place.rank == 0) say(fmt::format("there is no sandbox around this replay: {}", reason));
  return "unavailable";
}

bool ends_mpi(const trace::Trace& trace) {
  return std::any_of(trace.signatures.begin(), trace.signatures.end(), [](const trace::Signature& s) {
    return api::traits_of(s.function).has(api::Trait::ends_mpi);
  });
}

/// Who was recorded ending MPI is waiting there for the rank that ends the job; the others come here.
void end_by_abort(const replay::Totals& totals, uint32_t rank, replay::World& world,
                  std::unique_ptr<replay::Quiet>& quiet, bool some_end_mpi) {
  bool is_on = world.is_on();
  if (is_on && !some_end_mpi) world.meet();
  if (!totals.abort.due) return;
  say(fmt::format("rank {} ends the job by MPI_Abort with code {}, as the recorded one did", rank,
                  totals.abort.code));
  quiet.reset();
  if (is_on) world.abort(totals.abort);
  quiet = std::make_unique<replay::Quiet>();
}

int exit_code(const replay::Totals& totals, const ReplayOptions& options) {
  if (totals.abort.due) return totals.abort.code & 0xff;
  // The calls of one layer alone leave out what kept ranks in step.
  return totals.failures > 0 || (totals.short_reads > 0 && options.play.layer.empty()) ? 1 : 0;
}

/// The end of a process of a tree that is not the one which reports.
int leave_tree(replay::TreeMember& member, const replay::Totals& totals, const ReplayOptions& options,
               std::unique_ptr<replay::Quiet>& quiet) {
  quiet.reset();
  member.change();
  int code = exit_code(totals, options);
  if (member.drops_streams()) _exit(code);
  (void)std::make_unique<replay::Quiet>().release();
  return code;
}

/// For how many ranks a scale-free trace is replayed: as many as there are, unless the user says otherwise.
uint32_t ranks_of_replay(const ReplayOptions& options) {
  if (options.ranks != 0) return options.ranks;
  replay::Place place = replay::launched_place();
  return place.launched ? place.size : 0;
}

Result<int> run(ReplayOptions options, Output& out) {
  if (!options.record.empty()) return record_replay(options);
  auto quiet = std::make_unique<replay::Quiet>();
  int tree_number = refrain_tree_number();
  Result<double> factor = think_factor(options.think);
  if (!factor) return tl::unexpected(factor.error());
  options.play.think = *factor;
  options.play.fill = options.fill == "zero" ? replay::Fill::zero : replay::Fill::pattern;
  Result<trace::Trace> trace = format::read_file(options.file);
  if (trace && trace->scale_free())
    trace = sized(std::move(*trace), options.file, ranks_of_replay(options), StreamsUsed::outer);
  if (!trace) return tl::unexpected(trace.error());
  measure::Summary summary = measure::summarize(*trace);
  measure::Totals planned = totals_of_replay(summary, options.play.layer);
  if (Result<void> made = check_layer(*trace, planned, options.play.layer); !made)
    return tl::unexpected(made.error());
  if (options.dry_run) {
    print_plan(*trace, summary, planned, options, out);
    return 0;
  }

  replay::Place place = replay::launched_place();
  Result<uint32_t> rank = choose_rank(*trace, options, place);
  if (!rank) return tl::unexpected(rank.error());
  Result<plan::Chosen> chosen = choose_for_replay(
      *trace, {options.process, *rank, tree_number, !options.play.layer.empty(), options.play.repeat > 1});
  if (!chosen) return tl::unexpected(chosen.error());
  std::unique_ptr<replay::TreeMember> member;
  if (chosen->tree)
    member =
        std::make_unique<replay::TreeMember>(*trace, *chosen->tree, tree_number, own_words(options.file));
  const trace::Process& process = member ? member->process() : trace->processes[chosen->process];
  bool is_first = place.rank == 0 && tree_number == 0;
  if (Result<void> possible = check_subset(*trace, planned, options); !possible)
    return tl::unexpected(possible.error());

  if (Result<void> able = check_mpi(*trace, place); !able) return tl::unexpected(able.error());
  uint64_t to_write = planned.bytes_written * options.play.repeat;
  std::string folder = options.root.empty() ? new_root(options.file) : options.root;
  Result<replay::Root> root =
      is_first || !member ? replay::Root::enter(folder) : replay::Root::join(refrain_tree_root());
  if (!root) return tl::unexpected(root.error());
  if (Result<void> room = check_space(options, to_write, root->folder()); !room && is_first)
    return tl::unexpected(room.error());
  if (Result<void> begun = member ? member->begin() : Result<void>(); !begun)
    return tl::unexpected(begun.error());
  if (is_first && !options.quiet)
    say(fmt::format("{} to be written{} below {}", bytes_text(to_write),
                    one_of_several(*trace, chosen->process, member ? chosen->tree->members.size() : 1),
                    root->folder()));
  if (std::string call = plan::compressing_call(*trace); is_first && !call.empty())
    say(plan::compressing_note(call));

  std::string_view sandbox = tree_number > 0 ? "on" : raise_sandbox(*trace, options, place);
  const plan::Inputs inputs = inputs_of(*trace, *chosen, tree_number);
  if (is_first && !inputs.turns.doubt.empty()) say(inputs.turns.doubt);
  if (std::string note = inputs.changed_note(); place.rank == 0 && options.prepare && !note.empty())
    say(note);
  const plan::Inputs made = options.prepare ? inputs : inputs.folders_only();
  if (!made.empty()) {
    Result<void> prepared = replay::prepare(made, *root, place, uses_parallel_libraries(*trace));
    if (!prepared && options.prepare) return tl::unexpected(prepared.error());
  }
  replay::Libraries libraries(uses_parallel_libraries(*trace));
  replay::World world(libraries, place);
  auto streams = member
                     ? std::make_unique<replay::StandardStreams>(member->drops_streams(), member->is_last())
                     : std::make_unique<replay::StandardStreams>();
  bool advised = false;
  options.play.complain = [&](const std::string& what) {
    streams->say(fmt::format("rank {}: {}", *rank, what));
    if (!std::exchange(advised, true) && !options.prepare && replay::lacks_inputs(inputs, *root))
      streams->say("run with --prepare to make the input files that the program found");
  };
  Progress progress("replaying call");
  uint64_t calls = planned.events / (trace->nprocs == 0 ? 1 : trace->nprocs) * options.play.repeat;
  if (is_first && !member)
    options.play.progress = [&](uint64_t done) { progress.show(done, std::max(done, calls)); };

  bool told = false;
  const bool lacks_inputs = !options.prepare && inputs.needs_prepare();
  if (!member)
    options.play.summed_up = [&](const replay::Totals& totals) {
      tell_short_reads(totals, *rank, lacks_inputs, [&](const std::string& line) { streams->say(line); });
      told = true;
    };

  bool plays_mpi = options.play.layer.empty() ||
                   api::layer_named(options.play.layer).home == api::facts_of(api::Layer::mpi).name;
  bool own_mpi = place.launched && place.size > 1 && !(plays_mpi && plan::starts_mpi(*trace, process));
  if (Result<void> begun = own_mpi ? world.begin() : Result<void>(); !begun)
    return tl::unexpected(begun.error());
  if (member) member->attach(options.play);
  replay::restart_recording(trace->command.c_str());
  quiet.reset();
  replay::Totals totals = replay::play({*trace, process, *rank}, options.play, libraries, *root, world);
  quiet = std::make_unique<replay::Quiet>();
  if (totals.failures > 0 && !options.play.keep_going) refrain_tree_abandon();
  streams.reset();
  if (member && !member->sum_up(totals)) return leave_tree(*member, totals, options, quiet);
  if (!made.empty()) replay::end_preparation(*root, place);
  if (place.rank == 0) print_results(totals, *trace, {options.json, sandbox}, out);
  out.flush();
  if (!told) tell_short_reads(totals, *rank, lacks_inputs, [](const std::string& line) { say(line); });
  if (totals.ends_by_abort) end_by_abort(totals, *rank, world, quiet, ends_mpi(*trace));
  (void)quiet.release();  // what happens from here to the end of the process is ours, too
  if (world.is_on()) world.end();
  return exit_code(totals, options);
}

}  // namespace

void add_replay(CLI::App& root, Action& action) {
  CLI::App* command = add_command(root, "replay", "Make the calls of a trace again",
                                  "mpirun -n 4 refrain replay --root /scratch/test app.rfn");
  auto options = std::make_shared<ReplayOptions>();
  command->add_option("TRACE", options->file, "Trace whose calls are made")->required();
  command
      ->add_option("--root", options->root, "Folder in which files are read and written (default: a new one)")
      ->type_name("DIR");
  command->add_flag("--prepare", options->prepare, "First make the input files that the program found");
  command->add_option("--think", options->think, "Time between calls: none (default), recorded, or a factor")
      ->type_name("HOW");
  command->add_option("--fill", options->fill, "Data that is written: pattern (default) or zero")
      ->check(CLI::IsMember({"pattern", "zero"}));
  command->add_option("--repeat", options->play.repeat, "Do everything N times")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 40))
      ->type_name("N");
  command
      ->add_option("--layer", options->play.layer,
                   "Make all calls of this layer, inner ones too, and no others")
      ->type_name("LAYER");
  command->add_option("--subset", options->subset, "Replay only these ranks, one per process")
      ->delimiter(',')
      ->type_name("RANKS");
  command->add_option("--process", options->process, "Which process, if the trace holds several")
      ->type_name("N");
  command->add_option("--seed", options->play.seed, "For --think: which gaps are drawn")->type_name("N");
  command
      ->add_option("--max-bytes", options->max_bytes,
                   "Refuse to write more (default: the free space less 5%)")
      ->type_name("BYTES");
  command->add_flag("--keep-going", options->play.keep_going, "Go on when a call fails that had worked");
  command
      ->add_option("--patience", options->play.patience_seconds,
                   "If ranks ended early: how long a call may wait for them (default: 20)")
      ->check(CLI::Range(0.1, 1e6))
      ->type_name("SECONDS");
  command->add_flag("--no-sandbox", options->no_sandbox,
                    "Don't let the kernel of the system watch that files elsewhere stay as they are");
  command->add_flag("--dry-run", options->dry_run, "Only say what would be done");
  command->add_option("--record", options->record, "Record the replay")->type_name("FILE");
  command->add_flag("--json", options->json, "Print the results as JSON");
  command->add_flag("-q,--quiet", options->quiet, "No message before it starts");
  add_ranks_option(*command, options->ranks);
  command->callback([&action, options] { action = [options](Output& out) { return run(*options, out); }; });
}

}  // namespace refrain::cli
