// `refrain generate TRACE -o FOLDER`: an I/O kernel, a C program that makes the calls of a trace.
#include "cli/generate.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/command.hpp"
#include "cli/left_out.hpp"
#include "cli/readable.hpp"
#include "cli/result_line.hpp"
#include "cli/sized_trace.hpp"
#include "format/file.hpp"
#include "generate/kernel.hpp"
#include "plan/filters.hpp"

namespace refrain::cli {

namespace {

namespace fs = std::filesystem;

struct GenerateOptions {
  uint32_t ranks = 0;
  std::string file, folder;
  generate::Options kernel;
  std::string only;
  std::optional<uint64_t> above;
  bool quiet = false;
  bool json = false;
};

Result<void> write_text(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) return fail(ErrorKind::io, std::strerror(errno), path.string());
  return {};
}

/// All of them beside their places first, then renamed: a full disk leaves an older kernel as it was.
Result<void> write_files(const fs::path& folder, const std::vector<generate::File>& files) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(ErrorKind::io, error.message(), folder.string());
  std::string suffix = ".tmp" + std::to_string(::getpid());
  Result<void> done;
  for (const generate::File& file : files)
    if (done) done = write_text(folder / (file.name + suffix), file.text);
  for (const generate::File& file : files) {
    if (!done) {
      fs::remove(folder / (file.name + suffix), error);
      continue;
    }
    fs::rename(folder / (file.name + suffix), folder / file.name, error);
    if (error) done = fail(ErrorKind::io, error.message(), (folder / file.name).string());
  }
  return done;
}

/// Bytes of what the kernel has beside its program, if it needs anything there.
std::string beside(const generate::Kernel& kernel) {
  for (const generate::File& file : kernel.files)
    if (file.name.ends_with(".tables")) return fmt::format(" and {} of tables", grouped(file.text.size()));
  return {};
}

report::Json kernel_json(const generate::Kernel& kernel, const GenerateOptions& options,
                         const std::optional<plan::LeftOut>& left_out) {
  report::Json files = report::Json::array();
  for (const generate::File& file : kernel.files)
    files.push_back({{"name", file.name}, {"bytes", file.text.size()}});
  report::Json json{{"folder", options.folder},
                    {"program", kernel.files[0].name},
                    {"process", kernel.process},
                    {"processes", kernel.processes},
                    {"files", files},
                    {"doubt", kernel.doubt}};
  if (left_out)
    json["left_out"] = {{"calls", left_out->left.calls},
                        {"bytes", left_out->left.bytes},
                        {"files", left_out->left.files.size()}};
  return json;
}

/// `out`: for the result as JSON, if that is asked for.
Result<int> make_kernel(const GenerateOptions& options, Output* out) {
  Result<trace::Trace> trace = format::read_file(options.file);
  if (trace && (options.ranks != 0 || !trace->scale_free()))
    trace = sized(std::move(*trace), options.file, options.ranks, StreamsUsed::outer);
  if (!trace) return tl::unexpected(trace.error());
  generate::Options making = options.kernel;
  if (!options.only.empty() || options.above) {
    plan::LeftOut& left_out = making.left_out.emplace();
    trace = plan::only_data(*trace, options.above.value_or(plan::default_above), left_out);
    if (!trace) return within(options.file, trace.error());
    say(left_out_line(left_out));
  }
  Result<generate::Kernel> kernel = generate::generate(*trace, making);
  if (!kernel) return within(options.file, kernel.error());
  if (std::string call = plan::compressing_call(*trace); !call.empty()) say(plan::compressing_note(call));
  if (!kernel->doubt.empty()) say(kernel->doubt);
  if (Result<void> written = write_files(options.folder, kernel->files); !written)
    return tl::unexpected(written.error());
  if (options.json && out)
    out->line(report::text_of(kernel_json(*kernel, options, making.left_out), -1));
  else if (!options.quiet)
    say(fmt::format("{}: {} bytes{}{}; build it with 'make -C {}'",
                    (fs::path(options.folder) / kernel->files[0].name).string(),
                    grouped(kernel->files[0].text.size()), beside(*kernel),
                    one_of_several(*trace, kernel->process, kernel->processes), options.folder));
  return 0;
}

}  // namespace

Result<int> generate_kernel(const std::string& trace, const std::string& folder, uint32_t ranks) {
  GenerateOptions options;
  options.file = trace;
  options.folder = folder;
  options.ranks = ranks;
  return make_kernel(options, nullptr);
}

void add_generate(CLI::App& root, Action& action) {
  CLI::App* command = add_command(root, "generate", "Make a C program that makes the calls of a trace",
                                  "refrain generate app.rfn -o kernel && make -C kernel");
  auto options = std::make_shared<GenerateOptions>();
  command->add_option("TRACE", options->file, "Trace to make a kernel of")->required();
  command->add_option("-o,--output", options->folder, "Folder for the program, its Makefile and README")
      ->required()
      ->type_name("FOLDER");
  command->add_option("--process", options->kernel.process, "Which process, if the trace holds several")
      ->type_name("N");
  command->add_flag("--anonymize", options->kernel.anonymize,
                    "Neutral names for files, objects and attributes, so that the kernel can be shared");
  command->add_option("--only", options->only, "data: leave out files that hardly move anything")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"data"}));
  command
      ->add_option(
          "--above", options->above,
          fmt::format("With --only data: keep files that are read and written by more than this in all "
                      "[{}]",
                      plan::default_above))
      ->type_name("BYTES");
  command->add_flag("--json", options->json, "Say what was written as JSON");
  command->add_flag("-q,--quiet", options->quiet, "No message when all is well");
  add_ranks_option(*command, options->ranks);
  command->callback(
      [&action, options] { action = [options](Output& out) { return make_kernel(*options, &out); }; });
}

}  // namespace refrain::cli
