#include "report/report_data.hpp"

#include "advise/findings_json.hpp"
#include "report/columns.hpp"
#include "report/heat_rows.hpp"
#include "report/tree_rows.hpp"
#include "scale/at_size.hpp"

namespace refrain::report {
namespace {

/// Trees with more nodes are cut off: a page with more would take longer to load than anybody waits.
constexpr uint64_t nodes_on_a_page = 100'000;

/// Of more files, objects in them, or groups of ranks, the page has only the largest.
constexpr size_t files_on_a_page = 2'000, groups_on_a_page = 2'000;

void add_tree(Json& run, const trace::Trace& trace) {
  TreeRows rows = tree_rows(trace, nodes_on_a_page);
  run["tree_layers"] = rows.layers;
  run["tree"] = std::move(rows.roots);
  if (rows.cut) run["tree_cut"] = nodes_on_a_page;
}

/// What `refrain info --json` says with all its tables, but only the largest files and groups of ranks, and
/// not all names of files or functions once more.
Json whole_info(const trace::Trace& trace) {
  measure::Summary summary = measure::summarize(trace);
  measure::Usage usage = measure::measure_usage(trace);
  Json info = info_json(trace, summary);
  info["accesses"] = accesses_json(measure::count_accesses(trace));
  info.erase("files");
  info.erase("layer_streams");  // the outer and the inner calls
  info["file_count"] = summary.files.size();
  info["rank_table"] = ranks_json(usage, groups_on_a_page);
  info["file_table"] = files_json(largest_files(std::move(usage), files_on_a_page));
  info["layer_table"] = layers_json(summary);
  return info;
}

void add_figures(Json& run, const trace::Trace& trace) {
  run["info"] = in_columns(whole_info(trace));
  if (Json heat = heat_rows(trace); !heat.is_null()) run["heat"] = std::move(heat);
  run["advice"] = advise::findings_json(advise::advise(trace));
  add_tree(run, trace);
}

}  // namespace

Result<Json> run_data(const trace::Trace& trace, const std::string& name, uint32_t ranks) {
  Json run{{"name", name}};
  if (trace.scale_free()) run["scale_free"] = scale_free_json(trace, ranks);
  if (trace.scale_free() && ranks == 0) {
    add_tree(run, trace);
    return run;
  }
  if (!trace.scale_free()) {
    add_figures(run, trace);
    return run;
  }
  Result<trace::Trace> here = scale::at_size(trace, ranks);
  if (!here) return within(name, here.error());
  add_figures(run, *here);
  return run;
}

}  // namespace refrain::report
