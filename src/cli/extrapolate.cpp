// `refrain extrapolate RUNS -o FILE`: runs of a program at a few numbers of ranks become a trace for any
// number.
#include <fmt/core.h>

#include <fstream>
#include <memory>
#include <optional>

#include "cli/advice.hpp"
#include "cli/command.hpp"
#include "cli/readable.hpp"
#include "cli/result_line.hpp"
#include "cli/sized_trace.hpp"
#include "compare/compare.hpp"
#include "extrapolate/extrapolate.hpp"
#include "extrapolate/model_text.hpp"
#include "format/file.hpp"
#include "scale/at_size.hpp"
#include "trace/time_law.hpp"

namespace refrain::cli {

namespace {

struct ExtrapolateOptions {
  std::vector<std::string> files;
  std::string output;
  std::string verify;
  uint32_t at = 0;
  bool advise = false;
  uint32_t most = 64;
  std::string only;
  std::vector<std::string> models;
  int64_t max_block = 0;
  std::string times = "fitted";
  bool strict = false;
  bool force = false;
  bool quiet = false;
  bool json = false;
};

/// Models from the command line; @FILE has one per line.
Result<std::vector<extrapolate::GivenModel>> models_of(const std::vector<std::string>& texts) {
  std::vector<extrapolate::GivenModel> models;
  auto add = [&](const std::string& text) -> Result<void> {
    Result<extrapolate::GivenModel> model = extrapolate::read_model(text);
    if (!model) return within("--model", model.error());
    models.push_back(std::move(*model));
    return {};
  };
  for (const std::string& text : texts) {
    if (!text.starts_with('@')) {
      if (Result<void> added = add(text); !added) return tl::unexpected(added.error());
      continue;
    }
    std::ifstream in(text.substr(1));
    if (!in) return fail(ErrorKind::io, "can't be read", text.substr(1));
    for (std::string line; std::getline(in, line);)
      if (!line.empty() && line[0] != '#')
        if (Result<void> added = add(line); !added) return tl::unexpected(added.error());
  }
  return models;
}

Result<std::vector<trace::Trace>> read_runs(const std::vector<std::string>& files) {
  std::vector<trace::Trace> runs;
  for (const std::string& file : files) {
    Result<trace::Trace> run = format::read_file(file);
    if (!run) return tl::unexpected(run.error());
    if (run->scale_free() && files.size() > 1) return fail(ErrorKind::usage, "already scale-free", file);
    runs.push_back(std::move(*run));
  }
  return runs;
}

/// A trace that is scale-free already, or made of the runs.
Result<trace::Trace> scale_free(const ExtrapolateOptions& options, std::vector<trace::Trace> runs) {
  if (runs.size() == 1 && runs[0].scale_free()) return std::move(runs[0]);
  extrapolate::Options fitting;
  Result<std::vector<extrapolate::GivenModel>> models = models_of(options.models);
  if (!models) return tl::unexpected(models.error());
  fitting.models = std::move(*models);
  fitting.max_block = options.max_block;
  fitting.times = options.times != "none";
  fitting.force = options.force;
  return extrapolate::extrapolate(std::move(runs), fitting);
}

std::vector<uint32_t> sizes_of(const std::vector<trace::Trace>& runs) {
  std::vector<uint32_t> sizes;
  for (const trace::Trace& run : runs)
    if (run.nprocs > 0) sizes.push_back(run.nprocs);
  return sizes;
}

/// Prints which runs to make first, or next.
Result<int> print_advice(const ExtrapolateOptions& options, const extrapolate::Recordable& recordable,
                         Output& out) {
  Result<std::vector<trace::Trace>> runs = read_runs(options.files);
  if (!runs) return tl::unexpected(runs.error());
  std::vector<uint32_t> sizes = sizes_of(*runs);
  bool scaled = runs->size() == 1 && (*runs)[0].scale_free();
  if (!scaled && runs->size() < extrapolate::fewest_runs) return print_first_runs(sizes, recordable, out);
  Result<trace::Trace> free = scale_free(options, std::move(*runs));
  if (free) return print_further_runs(*free, options.at, recordable, out);
  if (free.error().kind != ErrorKind::limit) return tl::unexpected(free.error());
  say(free.error().text());
  out.line(ranks_text(run_without_laws(sizes, recordable)));
  return 0;
}

Result<void> verify(const trace::Trace& free, const std::string& file) {
  Result<trace::Trace> run = format::read_file(file);
  if (!run) return tl::unexpected(run.error());
  Result<trace::Trace> here = scale::at_size(free, run->nprocs);
  if (!here) return within(file, here.error());
  auto compared = compare::compare(*here, *run);
  if (!compared) return tl::unexpected(compared.error());
  if (!compared->difference) return {};
  const compare::Difference& d = *compared->difference;
  return fail(ErrorKind::limit,
              fmt::format("not what the other runs predict: event {}: {} predicted, {} recorded", d.event,
                          d.calls[0], d.calls[1]),
              file);
}

/// Whether two laws fit the runs somewhere, or nothing confirms one.
Result<void> check_strictly(const trace::Trace& free) {
  if (free.doubts.empty()) return {};
  for (const trace::Doubt& d : free.doubts)
    if (d.reason.starts_with("another law") || d.reason.starts_with("only the") ||
        d.reason.starts_with("no run"))
      return fail(ErrorKind::limit, d.where + ": " + d.reason + " (--strict)");
  return {};
}

report::Json extrapolated_json(const trace::Trace& trace, const ExtrapolateOptions& options,
                               const std::vector<uint32_t>& sizes, size_t doubts,
                               const std::vector<uint32_t>& next) {
  report::Json json = result_json(trace, options.output);
  json["scale_free"] = trace.scale_free();
  json["sizes"] = sizes;
  json["doubts"] = doubts;
  json["further_runs"] = next;
  return json;
}

Result<int> run(const ExtrapolateOptions& options, Output& out) {
  Result<extrapolate::Recordable> recordable = recordable_runs(options.most, options.only);
  if (!recordable) return tl::unexpected(recordable.error());
  if (options.advise) return print_advice(options, *recordable, out);
  if (options.files.empty()) return fail(ErrorKind::usage, "which runs?");
  if (options.output.empty()) return fail(ErrorKind::usage, "where to? Give -o FILE");
  Result<std::vector<trace::Trace>> runs = read_runs(options.files);
  if (!runs) return tl::unexpected(runs.error());
  std::vector<uint32_t> sizes = sizes_of(*runs);
  Result<trace::Trace> trace = scale_free(options, std::move(*runs));
  if (!trace && trace.error().kind == ErrorKind::limit)
    return fail(ErrorKind::limit, trace.error().text() + ". " + what_may_help(sizes, *recordable));
  if (!trace) return tl::unexpected(trace.error());
  if (options.times == "none") trace::drop_times(*trace);
  if (options.strict)
    if (Result<void> strict = check_strictly(*trace); !strict) return tl::unexpected(strict.error());
  if (!options.verify.empty())
    if (Result<void> good = verify(*trace, options.verify); !good) return tl::unexpected(good.error());
  std::string what = fmt::format("scale-free, from {} ranks", ranks_text(trace->sizes));
  std::string next = options.at == 0 ? further_runs_text(*trace, std::nullopt, *recordable) : "";
  std::vector<uint32_t> made_from = trace->sizes, further;
  size_t doubts = trace->doubts.size();
  if (options.json && options.at == 0) further = extrapolate::further_runs(*trace, *recordable, {}).sizes;
  if (options.at > 0) {
    if (options.strict && !scale::doubts_at_size(*trace, options.at).empty()) {
      warn_of_doubts(*trace, options.at);
      return fail(ErrorKind::limit, fmt::format("not certain at {} ranks (--strict)", options.at));
    }
    trace = sized(std::move(*trace), options.files[0], options.at, StreamsUsed::all);
    if (!trace) return tl::unexpected(trace.error());
    what = fmt::format("{} ranks", options.at);
  }
  if (trace::has_time_laws(*trace)) what += "; times are estimates";
  for (const std::string& note : trace->notes)
    if (!options.quiet && !options.json &&
        (note.starts_with("left out by extrapolation") || note.starts_with(trace::Trace::estimates_note)))
      say(printable(note));
  Result<void> written = format::write_file(*trace, options.output);
  if (!written) return tl::unexpected(written.error());
  if (options.json)
    out.line(report::text_of(extrapolated_json(*trace, options, made_from, doubts, further), -1));
  bool says = !options.quiet && !options.json;
  if (says) say(fmt::format("{}: {}", printable(options.output), what));
  if (says && !next.empty()) say(next);
  return 0;
}

}  // namespace

void add_extrapolate(CLI::App& root, Action& action) {
  CLI::App* command =
      add_command(root, "extrapolate", "Make a trace for any number of ranks of runs at a few",
                  "refrain extrapolate p6.rfn p16.rfn p27.rfn p32.rfn -o any.rfn\n"
                  "  refrain extrapolate any.rfn --at 8192 -o p8192.rfn\n"
                  "  refrain extrapolate --advise --max 64\n"
                  "  refrain extrapolate --advise --only 'P%4 == 0' p8.rfn p12.rfn p16.rfn");
  auto options = std::make_shared<ExtrapolateOptions>();
  command->add_option("RUNS", options->files, "Traces of the same program at three or more numbers of ranks");
  command->add_option("-o,--output", options->output, "Trace to write")->type_name("FILE");
  command->add_option("--at", options->at, "Write an ordinary trace, for this many ranks")
      ->type_name("N")
      ->check(CLI::Range(uint32_t{1}, static_cast<uint32_t>(trace::RankSet::most_listed)));
  command->add_option("--verify", options->verify, "A further run that must be as predicted")
      ->type_name("FILE");
  command
      ->add_option("--model", options->models,
                   "A quantity of the program, 'name = expression in P and rank'; @FILE has one per line")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--max-block", options->max_block,
          "Bytes that libraries transfer at once when they collect the data of many ranks, if no run "
          "was large enough to show it")
      ->type_name("BYTES")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  command->add_flag("--strict", options->strict, "Refuse what isn't certain");
  command->add_flag("--force", options->force, "Take runs whose programs or arguments differ, too");
  command
      ->add_option("--times", options->times,
                   "What becomes of times: fitted (estimates, the default) or none (they are dropped)")
      ->check(CLI::IsMember({"fitted", "none"}))
      ->type_name("HOW");
  command->add_flag("--advise", options->advise,
                    "Print which numbers of ranks to record: first, or after RUNS (with --at N: to know what "
                    "happens there)");
  command->add_option("--max", options->most, "Advise runs of so many ranks at most (64)")
      ->type_name("N")
      ->check(CLI::Range(uint32_t{4}, uint32_t{512}));
  command->add_option("--only", options->only, "Advise numbers of ranks of which this is true: 'P%4 == 0'")
      ->type_name("CONDITION");
  command->add_flag("--json", options->json, "Say what was written as JSON");
  command->add_flag("-q,--quiet", options->quiet, "No message when all is well");
  command->callback([&action, options] { action = [options](Output& out) { return run(*options, out); }; });
}

}  // namespace refrain::cli
