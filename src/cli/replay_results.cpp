// See replay_results.hpp.
#include "cli/replay_results.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/readable.hpp"
#include "trace/time_law.hpp"

namespace refrain::cli {
namespace {

std::string rate(uint64_t bytes, double seconds) {
  return seconds > 0 ? bytes_text(static_cast<uint64_t>(static_cast<double>(bytes) / seconds)) + "/s" : "-";
}

nlohmann::json as_json(const replay::Totals& totals, bool estimated, std::string_view sandbox) {
  nlohmann::json j{{"sandbox", sandbox},
                   {"processes", totals.processes},
                   {"seconds", totals.seconds},
                   {"failures", totals.failures},
                   {"surprises", totals.surprises},
                   {"races", totals.races},
                   {"short_reads", totals.short_reads},
                   {"bytes_missing", totals.bytes_missing},
                   {"recorded_seconds_are_estimates", estimated}};
  for (const replay::LayerTotal& l : totals.layers)
    if (l.calls > 0)
      j["layers"].push_back({{"layer", l.layer},
                             {"calls", l.calls},
                             {"bytes_read", l.read},
                             {"bytes_written", l.written},
                             {"seconds", l.seconds}});
  for (const replay::PhaseTotal& p : totals.phases)
    j["phases"].push_back({{"name", p.name},
                           {"recorded_seconds", p.recorded_seconds},
                           {"seconds", p.seconds},
                           {"bytes", p.bytes}});
  return j;
}

void print_totals(const replay::Totals& totals, bool estimated, Output& out) {
  out.line(fmt::format("{}, {:.3f} s", counted(totals.processes, "process", "processes"), totals.seconds));
  Table layers;
  layers.row({"layer", "calls", "read", "written", "seconds", "bandwidth"});
  for (const replay::LayerTotal& l : totals.layers)
    if (l.calls > 0)
      layers.row({l.layer, grouped(l.calls), bytes_text(l.read), bytes_text(l.written),
                  fmt::format("{:.3f}", l.seconds), rate(l.read + l.written, l.seconds)});
  out.write(layers.text(""));
  Table phases;
  if (estimated)
    phases.row({"phase", "estimated s", "now s", "bytes", "estimated", "now"});
  else
    phases.row({"phase", "recorded s", "now s", "bytes", "recorded", "now"});
  for (const replay::PhaseTotal& p : totals.phases)
    phases.row({p.name, fmt::format("{:.3f}", p.recorded_seconds), fmt::format("{:.3f}", p.seconds),
                bytes_text(p.bytes), rate(p.bytes, p.recorded_seconds), rate(p.bytes, p.seconds)});
  if (!totals.phases.empty()) out.write("\n" + phases.text(""));
  if (totals.surprises > 0)
    out.line(fmt::format("{} that had failed when recorded",
                         counted(totals.surprises, "call worked", "calls worked")));
  if (totals.races > 0)
    out.line(fmt::format("{} otherwise than recorded: ranks race for their files",
                         counted(totals.races, "call ended", "calls ended")));
  if (totals.failures > 0)
    out.line(fmt::format("{} that had worked when recorded",
                         counted(totals.failures, "call failed", "calls failed")));
}

}  // namespace

void print_results(const replay::Totals& totals, const trace::Trace& trace, const ResultsForm& form,
                   Output& out) {
  if (form.json)
    out.line(as_json(totals, trace::has_estimates(trace), form.sandbox).dump(2));
  else
    print_totals(totals, trace::has_estimates(trace), out);
}

void tell_short_reads(const replay::Totals& totals, uint32_t rank, bool lacks_inputs,
                      const std::function<void(const std::string&)>& tell) {
  if (totals.first_short.empty()) return;
  tell(fmt::format("{} brought {} less than recorded; the first, on rank {}: {}",
                   counted(totals.short_reads, "read", "reads"),
                   counted(totals.bytes_missing, "byte", "bytes"), rank, totals.first_short));
  if (lacks_inputs) tell("run with --prepare to make the input files that the program found");
}

}  // namespace refrain::cli
