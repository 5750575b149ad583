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

/// What there is to say of a trace that was written.
struct Written {
  uint64_t calls = 0, lost = 0, bytes = 0;
  uint64_t early = 0;  ///< processes without ranks
  trace::RankSet ranks{}, early_ranks{};
};

Written written(const trace::Trace& trace, const std::filesystem::path& file) {
  Written w;
  for (const trace::Process& process : trace.processes) {
    bool ended_early = process.ending == trace::Ending::early;
    w.calls += count_calls(process);
    w.early += ended_early && process.ranks.empty();
    w.early_ranks = w.early_ranks.united(ended_early ? process.ranks : process.ended_early);
    w.lost += process.loss.total();
    w.ranks = w.ranks.united(process.ranks);
  }
  w.early_ranks = w.early_ranks.canonical();
  std::error_code ignored;
  std::uintmax_t size = std::filesystem::file_size(file, ignored);
  w.bytes = ignored ? 0 : size;
  return w;
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
  Written w = written(trace, file);
  std::string who = counted(trace.processes.size(), "process", "processes");
  if (!w.ranks.empty()) who += fmt::format(" for {}", counted(w.ranks.size(), "rank", "ranks"));
  if (w.early > 0) who += fmt::format(" ({} ended early)", grouped(w.early));
  if (!w.early_ranks.empty())
    who += fmt::format(" ({} {} ended early)", w.early_ranks.size() == 1 ? "rank" : "ranks",
                       w.early_ranks.text());
  return fmt::format("wrote {}: {}, {}, {}{}", file.string(), who, counted(w.calls, "call", "calls"),
                     bytes_text(w.bytes),
                     w.lost == 0 ? "" : fmt::format("; {} lost", counted(w.lost, "call", "calls")));
}

report::Json result_json(const trace::Trace& trace, const std::filesystem::path& file) {
  Written w = written(trace, file);
  return {{"trace", file.string()},
          {"bytes", w.bytes},
          {"processes", trace.processes.size()},
          {"ranks", w.ranks.size()},
          {"calls", w.calls},
          {"lost", w.lost},
          {"processes_ended_early", w.early},
          {"ranks_ended_early", w.early_ranks.text()},
          {"notes", trace.notes}};
}

std::string one_of_several(const trace::Trace& trace, size_t process, size_t together) {
  if (together > 1) return fmt::format(" for {} processes", together);
  if (trace.processes.size() < 2) return {};
  std::string program = std::filesystem::path(trace.processes[process].program).filename().string();
  return fmt::format(" for process {} alone (\"{}\")", process, printable(program));
}

}  // namespace refrain::cli
