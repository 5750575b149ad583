// `refrain report TRACE... -o report.html`: traces as one file that a browser shows, without a network.
#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/command.hpp"
#include "cli/readable.hpp"
#include "cli/sized_trace.hpp"
#include "format/file.hpp"
#include "report/page.hpp"
#include "report/report_data.hpp"

namespace refrain::cli {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> files;
  std::string output;
  uint32_t ranks = 0;
  bool quiet = false;
};

Result<report::Json> runs_of(const ReportOptions& options) {
  report::Json runs = report::Json::array();
  for (const std::string& file : options.files) {
    Result<trace::Trace> trace = format::read_file(file);
    if (!trace) return tl::unexpected(trace.error());
    if (!trace->scale_free() && options.ranks != 0 && options.ranks != trace->nprocs)
      return fail(ErrorKind::usage, fmt::format("not scale-free: a trace of {} ranks", trace->nprocs), file);
    Result<report::Json> run = report::run_data(*trace, fs::path(file).filename().string(), options.ranks);
    if (!run) return tl::unexpected(run.error());
    runs.push_back(std::move(*run));
  }
  return runs;
}

/// Beside its place first, then renamed: a full disk leaves an older report as it was.
Result<void> write_page(const std::string& page, const fs::path& path) {
  fs::path beside = path;
  beside += ".tmp";
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  out << page;
  out.close();
  std::error_code error;
  if (!out) {
    int why = errno;
    fs::remove(beside, error);
    return fail(ErrorKind::io, std::strerror(why), path.string());
  }
  fs::rename(beside, path, error);
  if (error) return fail(ErrorKind::io, error.message(), path.string());
  return {};
}

Result<int> make_report(const ReportOptions& options) {
  Result<report::Json> runs = runs_of(options);
  if (!runs) return tl::unexpected(runs.error());
  std::string page = report::page_of(*runs);
  if (Result<void> written = write_page(page, options.output); !written)
    return tl::unexpected(written.error());
  if (!options.quiet)
    say(fmt::format("wrote {}: {}, {}; open it in a browser", printable(options.output),
                    counted(options.files.size(), "run", "runs"), bytes_text(page.size())));
  return 0;
}

}  // namespace

void add_report(CLI::App& root, Action& action) {
  CLI::App* command = add_command(
      root, "report", "Show traces as a page for the browser: one file, no network",
      "refrain report app.rfn -o report.html\n  refrain report before.rfn after.rfn -o both.html");
  auto options = std::make_shared<ReportOptions>();
  command->add_option("TRACE", options->files, "Traces to show, side by side")->required();
  command->add_option("-o,--output", options->output, "Where to write the page")
      ->required()
      ->type_name("FILE");
  command->add_flag("-q,--quiet", options->quiet, "No message when all is well");
  add_ranks_option(*command, options->ranks);
  command->callback([&action, options] { action = [options](Output&) { return make_report(*options); }; });
}

}  // namespace refrain::cli
