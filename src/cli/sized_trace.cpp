// See sized_trace.hpp.
#include "cli/sized_trace.hpp"

#include <fmt/core.h>

#include "cli/advice.hpp"
#include "cli/command.hpp"
#include "cli/readable.hpp"
#include "format/file.hpp"
#include "scale/at_size.hpp"

namespace refrain::cli {

void add_ranks_option(CLI::App& command, uint32_t& ranks) {
  command.add_option("--ranks", ranks, "For a scale-free trace: for how many ranks")
      ->type_name("N")
      ->check(CLI::Range(uint32_t{1}, static_cast<uint32_t>(trace::RankSet::most_listed)));
}

Result<trace::Trace> read_sized(const std::string& file, uint32_t ranks, StreamsUsed used) {
  Result<trace::Trace> trace = format::read_file(file);
  if (!trace) return trace;
  return sized(std::move(*trace), file, ranks, used);
}

Result<trace::Trace> sized(trace::Trace trace, const std::string& file, uint32_t ranks, StreamsUsed used) {
  if (!trace.scale_free()) {
    if (ranks != 0 && ranks != trace.nprocs)
      return fail(ErrorKind::usage, fmt::format("not scale-free: a trace of {} ranks", trace.nprocs), file);
    return trace;
  }
  if (ranks == 0)
    return fail(ErrorKind::usage, "a scale-free trace: say for how many ranks, with --ranks N", file);
  Result<trace::Trace> here = scale::at_size(trace, ranks);
  if (!here) return within(file, here.error());
  if (used == StreamsUsed::outer)
    std::erase_if(trace.doubts, [](const trace::Doubt& d) { return d.where.starts_with(scale::in_layer); });
  warn_of_doubts(trace, ranks);
  return here;
}

size_t warn_of_doubts(const trace::Trace& trace, uint32_t ranks) {
  constexpr size_t most_shown = 10;
  std::vector<std::string> doubts = scale::doubts_at_size(trace, ranks);
  for (size_t i = 0; i < doubts.size() && i < most_shown; ++i)
    say(fmt::format("not certain at {} ranks: {}", ranks, printable(doubts[i])));
  if (doubts.size() > most_shown) say(fmt::format("... and {} more", doubts.size() - most_shown));
  std::string further = doubts.size() > 1 ? further_runs_text(trace, ranks, {}) : "";
  if (!further.empty()) say(further);  // none tells more about layers
  return doubts.size();
}

}  // namespace refrain::cli
