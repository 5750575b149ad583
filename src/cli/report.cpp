// `refrain report TRACE... -o report.html`: traces, and schedules of jobs, as one file that a browser shows,
// without a network.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/output_file.hpp"
#include "cli/advice.hpp"
#include "cli/command.hpp"
#include "cli/readable.hpp"
#include "cli/report_schedules.hpp"
#include "cli/sized_trace.hpp"
#include "format/file.hpp"
#include "report/info_json.hpp"
#include "report/page.hpp"
#include "report/report_data.hpp"

namespace refrain::cli {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> files;
  std::string output;
  std::vector<std::string> jobs, journals;
  StrategyOptions strategy;
  uint32_t ranks = 0;
  bool quiet = false;

  size_t shown() const { return files.size() + jobs.size() + journals.size(); }
};

/// What a run is called: its file, with folders only where another one has the same name.
std::string shown_name(const fs::path& file, const std::vector<std::string>& files) {
  auto alike = std::count_if(files.begin(), files.end(),
                             [&](const fs::path& other) { return other.filename() == file.filename(); });
  return alike > 1 ? file.string() : file.filename().string();
}

Result<report::Json> runs_of(const ReportOptions& options) {
  report::Json runs = report::Json::array();
  for (const std::string& file : options.files) {
    Result<trace::Trace> trace = format::read_file(file);
    if (!trace) return tl::unexpected(trace.error());
    if (!trace->scale_free() && options.ranks != 0 && options.ranks != trace->nprocs)
      return fail(ErrorKind::usage, fmt::format("not scale-free: a trace of {} ranks", trace->nprocs), file);
    Result<report::Json> run = report::run_data(*trace, shown_name(file, options.files), options.ranks);
    if (!run) return tl::unexpected(run.error());
    if (trace->scale_free() && !trace->doubts.empty())
      (*run)["scale_free"]["further_runs"] =
          further_runs_text(*trace, options.ranks > 0 ? std::optional(options.ranks) : std::nullopt, {});
    runs.push_back(std::move(*run));
  }
  auto add = [&](Result<report::Json> run) -> Result<void> {
    if (!run) return tl::unexpected(run.error());
    runs.push_back(std::move(*run));
    return {};
  };
  for (const std::string& file : options.jobs)
    if (auto done = add(report_of_jobs(file, options.strategy)); !done) return tl::unexpected(done.error());
  for (const std::string& file : options.journals)
    if (auto done = add(report_of_journal(file)); !done) return tl::unexpected(done.error());
  return runs;
}

Result<int> make_report(const ReportOptions& options, Output& out) {
  if (options.shown() == 0)
    return fail(ErrorKind::usage, "nothing to show: name a trace, or --jobs or --journal");
  std::error_code unknown;
  if (fs::is_directory(options.output, unknown))
    return fail(ErrorKind::usage, "a folder: name a file to write the page to", options.output);
  Result<report::Json> runs = runs_of(options);
  if (!runs) return tl::unexpected(runs.error());
  std::string page = report::page_of(report::text_of(*runs, -1));
  if (options.output == "-") {
    out.write(page);
    return 0;
  }
  if (Result<void> written = write_whole_file(options.output, page); !written)
    return tl::unexpected(written.error());
  if (!options.quiet)
    say(fmt::format("wrote {}: {}, {}; open it in a browser", printable(options.output),
                    counted(options.shown(), "run", "runs"), bytes_text(page.size())));
  return 0;
}

}  // namespace

void add_report(CLI::App& root, Action& action) {
  CLI::App* command =
      add_command(root, "report", "Show traces as a page for the browser: one file, no network",
                  "refrain report app.rfn -o report.html\n"
                  "  refrain report before.rfn after.rfn -o both.html\n"
                  "  refrain report app.rfn --jobs jobs.json --policy stretch --mapping easy -o all.html");
  auto options = std::make_shared<ReportOptions>();
  command->add_option("TRACE", options->files, "Traces to show, side by side");
  command->add_option("--jobs", options->jobs, "Show this job file as it is scheduled")->type_name("JOBS");
  command->add_option("--journal", options->journals, "Show the journal of a coordinator")->type_name("FILE");
  add_strategy_options(*command, options->strategy);
  command->add_option("-o,--output", options->output, "Where to write the page; - for standard output")
      ->required()
      ->type_name("FILE");
  command->add_flag("-q,--quiet", options->quiet, "No message when all is well");
  add_ranks_option(*command, options->ranks);
  command->callback(
      [&action, options] { action = [options](Output& out) { return make_report(*options, out); }; });
}

}  // namespace refrain::cli
