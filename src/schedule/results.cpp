// Results for other programs: CSV and JSON. See experiment.hpp.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "schedule/experiment.hpp"

namespace refrain::schedule {

namespace {

using Ordered = nlohmann::ordered_json;

/// In quotes where CSV needs them.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

Ordered node_time_json(const NodeTime& time) {
  return {{"exec", time.exec}, {"idle", time.idle}, {"delay", time.delay}};
}

const char* sharing_name(Sharing sharing) {
  switch (sharing) {
    case Sharing::shared:
      return "shared";
    case Sharing::preemptive:
      return "preemptive";
    case Sharing::unlimited:
      return "unlimited";
    case Sharing::exclusive:
      break;
  }
  return "exclusive";
}

std::string text_of(const Ordered& value) {
  return value.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

/// The list of jobs as a document with an indent of two would have it; there may be too many for a document.
std::string jobs_text(const Workload& workload, const Outcome& outcome) {
  std::string text = "[";
  for (size_t i = 0; i < workload.jobs.size(); ++i) {
    const Job& job = workload.jobs[i];
    const Placement& placement = outcome.placements[i];
    auto field = [&text](const char* name, const Ordered& value) {
      text += "\n      \"";
      text += name;
      text += "\": ";
      text += text_of(value) + ',';
    };
    text += i == 0 ? "\n    {" : ",\n    {";
    field("id", job.id);
    if (!job.name.empty()) field("name", job.name);
    field("nodes", job.nodes);
    field("partition", placement.partition);
    field("start", in_seconds(placement.start));
    field("end", in_seconds(placement.end));
    field("stretch", outcome.stretches[i]);
    text.back() = '\n';  // instead of the last comma
    text += "    }";
  }
  return text + (workload.jobs.empty() ? "]" : "\n  ]");
}

}  // namespace

std::string comparison_csv(const Comparison& comparison) {
  std::string text =
      "workload,strategy,io_load,io_nodes,makespan,ideal,lower_bound,max_stretch,mean_stretch,pack_stretch,"
      "packs,"
      "exec,idle,delay,chosen\n";
  for (const Run& run : comparison.runs) {
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", cell(comparison.workloads[run.workload]),
        cell(comparison.strategies[run.strategy].name), run.load, run.io_nodes, run.makespan, run.ideal,
        run.lower_bound, run.max_stretch, run.mean_stretch, run.pack_stretch, run.packs, run.node_time.exec,
        run.node_time.idle, run.node_time.delay, cell(run.chosen));
  }
  return text;
}

std::string comparison_json(const Comparison& comparison) {
  Ordered summaries = Ordered::array();
  for (size_t s = 0; s < comparison.strategies.size(); ++s) {
    StrategySummary summary = summarize(comparison, s);
    summaries.push_back({{"strategy", comparison.strategies[s].name},
                         {"makespan", summary.makespan},
                         {"max_stretch", summary.max_stretch},
                         {"mean_stretch", summary.mean_stretch},
                         {"over_lower_bound", summary.over_bound}});
  }
  Ordered runs = Ordered::array();
  for (const Run& run : comparison.runs) {
    Ordered json{{"workload", comparison.workloads[run.workload]},
                 {"strategy", comparison.strategies[run.strategy].name},
                 {"io_load", run.load},
                 {"io_nodes", run.io_nodes},
                 {"makespan", run.makespan},
                 {"ideal", run.ideal},
                 {"lower_bound", run.lower_bound},
                 {"max_stretch", run.max_stretch},
                 {"mean_stretch", run.mean_stretch},
                 {"pack_stretch", run.pack_stretch},
                 {"packs", run.packs},
                 {"node_time", node_time_json(run.node_time)}};
    if (!run.chosen.empty()) json["chosen"] = run.chosen;
    runs.push_back(std::move(json));
  }
  Ordered json{{"relative_to", comparison.strategies.empty() ? "" : comparison.strategies[0].name},
               {"geometric_means", summaries},
               {"runs", runs}};
  return json.dump(1, ' ', false, Ordered::error_handler_t::replace);
}

std::string outcome_json(const Workload& workload, const Outcome& outcome) {
  const Discipline& discipline = outcome.setup.discipline;
  Ordered json{{"sharing", sharing_name(discipline.sharing)}};
  if (discipline.sharing == Sharing::exclusive) json["policy"] = discipline.policy->name;
  json["mapping"] = mapping_text(outcome.setup.mapping);
  json["io_load"] = io_load(workload);
  json["makespan"] = in_seconds(outcome.makespan);
  json["max_stretch"] = outcome.max_stretch;
  json["mean_stretch"] = outcome.mean_stretch;
  json["packs"] = outcome.packs.size();
  json["lower_bound"] = in_seconds(outcome.bounds.best());
  json["lower_bounds"] = {{"area", in_seconds(outcome.bounds.area)},
                          {"io", in_seconds(outcome.bounds.io)},
                          {"longest_job", in_seconds(outcome.bounds.longest)}};
  json["node_time"] = node_time_json(outcome.node_time);
  std::string text = json.dump(2, ' ', false, Ordered::error_handler_t::replace);
  text.erase(text.size() - 2);  // "\n}"
  return text + ",\n  \"jobs\": " + jobs_text(workload, outcome) + "\n}";
}

}  // namespace refrain::schedule
