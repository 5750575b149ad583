#include "report/info_json.hpp"

#include <algorithm>

#include "measure/heat_view.hpp"
#include "scale/at_size.hpp"
#include "scale/formula_totals.hpp"
#include "trace/notes.hpp"
#include "trace/time_law.hpp"

namespace refrain::report {
namespace {

Json function_json(const measure::FunctionTotals& f) {
  return {{"layer", f.layer},    {"function", f.function},     {"calls", f.calls},
          {"failed", f.failed},  {"bytes_read", f.bytes_read}, {"bytes_written", f.bytes_written},
          {"time_ns", f.time_ns}};
}

Json totals_json(const measure::Totals& totals) {
  Json functions = Json::array();
  for (const measure::FunctionTotals& f : totals.functions) functions.push_back(function_json(f));
  return {{"calls", totals.events},
          {"bytes_read", totals.bytes_read},
          {"bytes_written", totals.bytes_written},
          {"time_ns", totals.time_ns},
          {"functions", functions}};
}

Json process_json(const measure::ProcessSummary& p) {
  return {{"program", p.program},
          {"pid", p.pid},
          {"ranks", p.ranks.text()},
          {"ended_early", p.ended_early.text()},
          {"threads", p.threads},
          {"calls", p.events},
          {"elapsed_ns", p.elapsed_ns},
          {"ending", ending_name(p.ending)},
          {"empty_tests", p.empty_tests},
          {"lost",
           {{"no_space", p.loss.no_space},
            {"in_handlers", p.loss.in_handlers},
            {"abandoned", p.loss.abandoned},
            {"unknown", p.loss.unknown}}}};
}

/// Whether the trace has all calls that were made, and all of them are counted.
bool is_complete(const trace::Trace& trace, const measure::Summary& summary) {
  bool lost = std::any_of(summary.processes.begin(), summary.processes.end(),
                          [](const measure::ProcessSummary& p) { return p.loss.total() > 0; });
  bool missing = std::any_of(trace.notes.begin(), trace.notes.end(),
                             [](const std::string& note) { return note.starts_with(trace::missing_note); });
  return summary.complete && !summary.damaged && !lost && !missing;
}

Json doubt_json(const trace::Trace& trace, const trace::Doubt& d, uint32_t ranks) {
  scale::DoubtWords words = scale::doubt_words(d, trace.sizes, ranks);
  Json json{{"where", d.where}, {"reason", d.reason}, {"would_tell", words.would_tell}};
  if (!words.chosen.empty()) {
    json["chosen"] = words.chosen;
    json["other"] = words.other;
  }
  if (ranks != 0) json["matters"] = scale::is_in_doubt(trace, d, ranks);
  return json;
}

Json access_totals_json(const measure::AccessTotals& totals) {
  Json sizes = Json::object();
  for (size_t i = 0; i < totals.sizes.size(); ++i) sizes[measure::size_class_names()[i]] = totals.sizes[i];
  return {{"accesses", totals.accesses},
          {"sequential", totals.sequential},
          {"consecutive", totals.consecutive},
          {"sizes", sizes}};
}

Json access_layers_json(const std::vector<measure::LayerAccesses>& layers) {
  Json json = Json::object();
  for (const measure::LayerAccesses& layer : layers)
    json[layer.layer] = {{"reads", access_totals_json(layer.reads)},
                         {"writes", access_totals_json(layer.writes)}};
  return json;
}

}  // namespace

std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

const char* ending_name(trace::Ending ending) {
  switch (ending) {
    case trace::Ending::exited:
      return "exited";
    case trace::Ending::replaced:
      return "replaced";
    case trace::Ending::early:
      break;
  }
  return "early";
}

uint64_t start_ns(const trace::Trace& trace) {
  uint64_t first = 0;
  for (const trace::Process& process : trace.processes) {
    if (first == 0 || process.start_ns < first) first = process.start_ns;
  }
  return first;
}

/// From the beginning of the first process to the end of the last.
uint64_t span_ns(const trace::Trace& trace) {
  uint64_t begin = start_ns(trace), longest = 0;
  for (const trace::Process& p : trace.processes)
    longest = std::max(longest, (p.start_ns > begin ? p.start_ns - begin : 0) + p.elapsed_ns);
  return longest;
}

/// How long somebody was inside an I/O call, as far as bins of time can tell: no longer than it all took.
uint64_t busy_ns(const trace::Trace& trace) {
  uint64_t busy = measure::busy_ns(measure::heat_view(trace)), span = span_ns(trace);
  return span > 0 ? std::min(busy, span) : busy;
}

Json info_json(const trace::Trace& trace, const measure::Summary& summary) {
  Json processes = Json::array();
  for (const measure::ProcessSummary& process : summary.processes) processes.push_back(process_json(process));
  Json layers = Json::object();
  for (const measure::LayerTotals& layer : summary.layers) layers[layer.layer] = totals_json(layer.totals);
  return {{"format_version", trace::Trace::format_version},
          {"command", trace.command},
          {"host", trace.host},
          {"recorder", trace.recorder},
          {"start_ns", start_ns(trace)},
          {"span_ns", span_ns(trace)},
          {"busy_ns", busy_ns(trace)},
          {"nprocs", trace.nprocs},
          {"layers", trace.layers},
          {"notes", trace.notes},
          {"threads", summary.threads},
          {"nodes", summary.nodes},
          {"outer", totals_json(summary.outer)},
          {"inner", totals_json(summary.inner)},
          {"communication_ns",
           {{"point_to_point", summary.communication.ns[0]},
            {"collective", summary.communication.ns[1]},
            {"reduction", summary.communication.ns[2]}}},
          {"layer_streams", layers},
          {"processes", processes},
          {"files", summary.files},
          {"files_complete", summary.files_complete},
          {"complete", is_complete(trace, summary)},
          {"times_are_estimates", trace::has_estimates(trace)}};
}

std::string elapsed_text(const trace::Trace& trace) {
  bool known = !trace.processes.empty() && !trace.processes[0].elapsed_law.is_zero();
  return known ? trace.processes[0].elapsed_law.text() : "";
}

Json scale_free_json(const trace::Trace& trace, uint32_t ranks) {
  scale::FormulaTotals totals = scale::formula_totals(trace);
  Json functions = Json::array();
  for (const scale::FunctionFormulas& f : totals.functions)
    functions.push_back(
        {{"layer", f.layer},
         {"function", f.function},
         {"calls", f.calls.text()},
         {"bytes_read", f.bytes_read.text()},
         {"bytes_written", f.bytes_written.text()},
         {"exact", f.calls.is_exact() && f.bytes_read.is_exact() && f.bytes_written.is_exact()}});
  Json doubts = Json::array();
  for (const trace::Doubt& d : trace.doubts) doubts.push_back(doubt_json(trace, d, ranks));
  return {{"format_version", trace::Trace::format_version},
          {"command", trace.command},
          {"host", trace.host},
          {"recorder", trace.recorder},
          {"start_ns", start_ns(trace)},
          {"layers", trace.layers},
          {"scale_free", true},
          {"sizes", trace.sizes},
          {"elapsed", elapsed_text(trace)},
          {"laws", totals.laws},
          {"doubts", doubts},
          {"notes", trace.notes},
          {"times_are_estimates", trace::has_time_laws(trace)},
          {"functions", functions}};
}

Json accesses_json(const measure::Accesses& accesses) {
  return {{"outer", access_layers_json(accesses.outer)},
          {"layer_streams", access_layers_json(accesses.layers)},
          {"complete", accesses.complete}};
}

}  // namespace refrain::report
