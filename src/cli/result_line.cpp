// See result_line.hpp.
#include "cli/result_line.hpp"

#include <fmt/core.h>

#include "cli/readable.hpp"

namespace refrain::cli {

namespace {

/// Every execution of an event adds one sample to its histogram. Depth is bounded by trace::Limits.
uint64_t count_events(const std::vector<trace::Node>& nodes) {
  uint64_t sum = 0;
  for (const trace::Node& node : nodes) {
    sum += node.kind == trace::NodeKind::event ? node.timing.duration.count() : count_events(node.body);
  }
  return sum;
}

}  // namespace

uint64_t count_calls(const trace::Process& process) {
  uint64_t sum = 0;
  for (const trace::Stream& stream : process.streams) {
    if (stream.layer.empty()) sum += count_events(stream.nodes);
  }
  return sum;
}

std::string result_line(const trace::Trace& trace, const std::filesystem::path& file) {
  uint64_t calls = 0;
  uint64_t early = 0;
  uint64_t lost = 0;
  trace::RankSet ranks, early_ranks;
  for (const trace::Process& process : trace.processes) {
    bool ended_early = process.ending == trace::Ending::early;
    calls += count_calls(process);
    early += ended_early && process.ranks.empty();
    early_ranks = early_ranks.united(ended_early ? process.ranks : process.ended_early);
    lost += process.loss.total();
    ranks = ranks.united(process.ranks);
  }
  std::string who = counted(trace.processes.size(), "process", "processes");
  if (!ranks.empty()) who += fmt::format(" for {}", counted(ranks.size(), "rank", "ranks"));
  if (early > 0) who += fmt::format(" ({} ended early)", grouped(early));
  if (!early_ranks.empty())
    who += fmt::format(" ({} {} ended early)", early_ranks.size() == 1 ? "rank" : "ranks",
                       early_ranks.canonical().text());
  std::error_code ignored;
  std::uintmax_t size = std::filesystem::file_size(file, ignored);
  return fmt::format("wrote {}: {}, {}, {}{}", file.string(), who, counted(calls, "call", "calls"),
                     bytes_text(size),
                     lost == 0 ? "" : fmt::format("; {} lost", counted(lost, "call", "calls")));
}

std::string one_of_several(const trace::Trace& trace, size_t process) {
  if (trace.processes.size() < 2) return {};
  std::string program = std::filesystem::path(trace.processes[process].program).filename().string();
  return fmt::format(" for process {} alone (\"{}\")", process, printable(program));
}

}  // namespace refrain::cli
