// `refrain extrapolate RUNS -o FILE`: runs of a program at a few numbers of ranks become a trace for any
// number.
#include <fmt/core.h>

#include <fstream>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/readable.hpp"
#include "cli/result_line.hpp"
#include "cli/sized_trace.hpp"
#include "compare/compare.hpp"
#include "extrapolate/advise.hpp"
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
  std::optional<uint32_t> advise;
  std::vector<std::string> models;
  int64_t max_block = 0;
  std::string times = "fitted";
  bool strict = false;
  bool quiet = false;
};

std::string sizes_text(const std::vector<uint32_t>& sizes) {
  std::string text;
  for (uint32_t size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return text;
}

int print_advice(uint32_t most, Output& out) {
  std::vector<uint32_t> sizes = extrapolate::advise(most);
  out.line(sizes_text(sizes));
  if (size_t n = extrapolate::conflicts(sizes); n > 0)
    say(fmt::format("{} of quantities look alike at any numbers of ranks this small",
                    counted(n, "pair", "pairs")));
  return 0;
}

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

/// What to do about a number that has no law.
std::string what_may_help(const std::vector<trace::Trace>& runs) {
  uint32_t largest = 64;
  for (const trace::Trace& run : runs) largest = std::max(largest, run.nprocs);
  std::vector<uint32_t> further = extrapolate::advise(largest);
  std::erase_if(further, [&](uint32_t size) {
    return std::any_of(runs.begin(), runs.end(), [&](const trace::Trace& run) { return run.nprocs == size; });
  });
  if (!further.empty())
    return fmt::format("Further runs that would tell more laws apart: {}", sizes_text(further));
  return "These runs tell most laws apart: was one of them made with other options or inputs? --model gives "
         "a quantity that isn't known";
}

/// A trace that is scale-free already, or made of the runs.
Result<trace::Trace> scale_free(const ExtrapolateOptions& options) {
  std::vector<trace::Trace> runs;
  for (const std::string& file : options.files) {
    Result<trace::Trace> run = format::read_file(file);
    if (!run) return run;
    if (run->scale_free() && options.files.size() == 1) return run;
    if (run->scale_free()) return fail(ErrorKind::usage, "already scale-free", file);
    runs.push_back(std::move(*run));
  }
  extrapolate::Options fitting;
  Result<std::vector<extrapolate::GivenModel>> models = models_of(options.models);
  if (!models) return tl::unexpected(models.error());
  fitting.models = std::move(*models);
  fitting.max_block = options.max_block;
  fitting.times = options.times != "none";
  Result<trace::Trace> free = extrapolate::extrapolate(runs, fitting);
  if (free || free.error().kind != ErrorKind::limit) return free;
  return fail(ErrorKind::limit, free.error().text() + ". " + what_may_help(runs));
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

Result<int> run(const ExtrapolateOptions& options, Output& out) {
  if (options.advise) return print_advice(*options.advise, out);
  if (options.files.empty()) return fail(ErrorKind::usage, "which runs?");
  if (options.output.empty()) return fail(ErrorKind::usage, "where to? Give -o FILE");
  Result<trace::Trace> trace = scale_free(options);
  if (!trace) return tl::unexpected(trace.error());
  if (options.times == "none") trace::drop_times(*trace);
  if (options.strict)
    if (Result<void> strict = check_strictly(*trace); !strict) return tl::unexpected(strict.error());
  if (!options.verify.empty())
    if (Result<void> good = verify(*trace, options.verify); !good) return tl::unexpected(good.error());
  std::string what = fmt::format("scale-free, from {} ranks", sizes_text(trace->sizes));
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
    if (!options.quiet &&
        (note.starts_with("left out by extrapolation") || note.starts_with(trace::Trace::estimates_note)))
      say(printable(note));
  Result<void> written = format::write_file(*trace, options.output);
  if (!written) return tl::unexpected(written.error());
  if (!options.quiet) say(fmt::format("{}: {}", printable(options.output), what));
  return 0;
}

}  // namespace

void add_extrapolate(CLI::App& root, Action& action) {
  CLI::App* command =
      add_command(root, "extrapolate", "Make a trace for any number of ranks of runs at a few",
                  "refrain extrapolate p6.rfn p16.rfn p27.rfn p32.rfn -o any.rfn\n"
                  "  refrain extrapolate any.rfn --at 8192 -o p8192.rfn\n  refrain extrapolate --advise 64");
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
  command
      ->add_option("--times", options->times,
                   "What becomes of times: fitted (estimates, the default) or none (they are dropped)")
      ->check(CLI::IsMember({"fitted", "none"}))
      ->type_name("HOW");
  command->add_option("--advise", options->advise, "Print which numbers of ranks, up to this, to record")
      ->type_name("MAX");
  command->add_flag("-q,--quiet", options->quiet, "No message when all is well");
  command->callback([&action, options] { action = [options](Output& out) { return run(*options, out); }; });
}

}  // namespace refrain::cli
