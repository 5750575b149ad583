// `refrain slice TRACE -o FILE`: the calls on files that move many bytes, as a trace of their own.
#include <fmt/core.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/left_out.hpp"
#include "cli/readable.hpp"
#include "cli/result_line.hpp"
#include "cli/sized_trace.hpp"
#include "format/file.hpp"

namespace refrain::cli {
namespace {

struct SliceOptions {
  std::string input, output;
  uint64_t above = plan::default_above;
  uint32_t ranks = 0;
  bool quiet = false;
};

Result<int> slice(const SliceOptions& options) {
  Result<trace::Trace> whole = read_sized(options.input, options.ranks, StreamsUsed::outer);
  if (!whole) return tl::unexpected(whole.error());
  plan::LeftOut left_out;
  Result<trace::Trace> part = plan::only_data(*whole, options.above, left_out);
  if (!part) return within(options.input, part.error());
  Result<void> written = format::write_file(*part, options.output);
  if (!written) return tl::unexpected(written.error());
  say(left_out_line(left_out));
  if (!options.quiet) say(result_line(*part, options.output));
  return 0;
}

}  // namespace

std::string left_out_line(const plan::LeftOut& left_out) {
  constexpr size_t most_named = 4;
  const plan::LeftOut::Part &kept = left_out.kept, &left = left_out.left;
  std::string text =
      fmt::format("left out: {} of {} calls, {} with {} of {} bytes", grouped(left.calls),
                  grouped(left.calls + kept.calls), counted(left.files.size(), "file", "files"),
                  grouped(left.bytes), grouped(left.bytes + kept.bytes));
  for (size_t i = 0; i < left.files.size() && i < most_named; ++i)
    text += fmt::format("{}{}", i == 0 ? ": " : ", ", printable(left.files[i].name));
  return text + (left.files.size() > most_named ? ", ..." : "");
}

void add_slice(CLI::App& root, Action& action) {
  CLI::App* command = add_command(root, "slice", "Keep of a trace the calls on files that move many bytes",
                                  "refrain slice app.rfn -o data.rfn --above 1000000");
  auto options = std::make_shared<SliceOptions>();
  command->add_option("TRACE", options->input, "Trace to take the calls from")->required();
  command->add_option("-o,--output", options->output, "Where to write them")->required()->type_name("FILE");
  command
      ->add_option("--above", options->above, "Keep files that are read and written by more than this in all")
      ->type_name("BYTES")
      ->capture_default_str();
  command->add_flag("-q,--quiet", options->quiet, "Say only what was left out");
  add_ranks_option(*command, options->ranks);
  command->callback([&action, options] { action = [options](Output&) { return slice(*options); }; });
}

}  // namespace refrain::cli
