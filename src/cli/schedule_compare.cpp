// `refrain schedule compare`: policies x mappings x workloads over all cores, or the evaluation of the paper.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/progress_line.hpp"
#include "cli/readable.hpp"
#include "cli/schedule.hpp"
#include "cli/schedule_options.hpp"
#include "schedule/chart.hpp"
#include "schedule/paper.hpp"

namespace refrain::cli {

namespace {

struct ComparisonOptions {
  std::vector<std::string> files;
  MachineOptions machine;
  std::string policies = "all";
  std::string mappings = "first-fit,make-pack,easy";
  std::string sensibilities = "1";
  std::string output;
  schedule::PaperOptions paper;
  bool is_paper = false;
  bool json = false;
};

/// Every policy with every mapping, behind First-Fit with fifo, which others are compared with. `all` stands
/// for all names; First-Fit has no sensibility.
Result<std::vector<schedule::Strategy>> make_strategies(const ComparisonOptions& options) {
  std::vector<std::string> policies = split_list(options.policies);
  std::vector<std::string> mappings = split_list(options.mappings);
  if (options.policies == "all") {
    policies.clear();
    for (const schedule::Policy& policy : schedule::policies()) policies.emplace_back(policy.name);
  }
  if (options.mappings == "all") {
    mappings.clear();
    for (const schedule::MappingName& row : schedule::mapping_names()) mappings.emplace_back(row.name);
  }
  std::vector<schedule::Strategy> strategies;
  auto add = [&](const StrategyOptions& chosen) -> Result<void> {
    Result<schedule::Setup> setup = make_setup(chosen);
    if (!setup) return tl::unexpected(setup.error());
    std::string name = schedule::mapping_text(setup->mapping) + " " + chosen.policy;
    bool known = std::any_of(strategies.begin(), strategies.end(),
                             [&](const schedule::Strategy& strategy) { return strategy.name == name; });
    if (!known) strategies.push_back({name, *setup});
    return {};
  };
  if (Result<void> base = add({.mapping = "first-fit"}); !base) return tl::unexpected(base.error());
  for (const std::string& mapping : mappings) {
    for (const std::string& sensibility : split_list(options.sensibilities)) {
      for (const std::string& policy : policies) {
        Result<void> added = add({.policy = policy, .mapping = mapping, .sensibility = sensibility});
        if (!added) return tl::unexpected(added.error());
      }
    }
  }
  return strategies;
}

void print_summary(const schedule::Comparison& comparison, Output& out) {
  Table table;
  table.row({"strategy", "makespan", "max stretch", "mean stretch", "over lower bound"});
  for (size_t s = 0; s < comparison.strategies.size(); ++s) {
    schedule::StrategySummary summary = schedule::summarize(comparison, s);
    table.row({comparison.strategies[s].name, fmt::format("{:.3f}", summary.makespan),
               fmt::format("{:.3f}", summary.max_stretch), fmt::format("{:.3f}", summary.mean_stretch),
               fmt::format("{:.3f}", summary.over_bound)});
  }
  out.write(table.text(""));
}

Result<void> make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(ErrorKind::io, error.message(), folder);
  return {};
}

std::string summary_chart(const schedule::Comparison& comparison) {
  schedule::StackedBars bars{.title = "Makespan relative to the lower bound", .label = "geometric mean"};
  bars.parts = {{"makespan / lower bound", {}}};
  for (size_t s = 0; s < comparison.strategies.size(); ++s) {
    bars.bars.push_back(comparison.strategies[s].name);
    bars.parts[0].values.push_back(schedule::summarize(comparison, s).over_bound);
  }
  return schedule::bars_svg(bars);
}

struct NamedText {
  std::string file;
  std::string text;
};

Result<void> write_all(const std::string& folder, const std::vector<NamedText>& files) {
  if (Result<void> made = make_folder(folder); !made) return made;
  for (const NamedText& file : files) {
    if (Result<void> written = write_text(folder + "/" + file.file, file.text); !written) return written;
  }
  return {};
}

Result<int> compare_files(const ComparisonOptions& options, Output& out) {
  Result<std::vector<schedule::Strategy>> strategies = make_strategies(options);
  if (!strategies) return tl::unexpected(strategies.error());
  std::vector<schedule::NamedWorkload> workloads;
  for (const std::string& file : options.files) {
    Result<schedule::Workload> workload = load_workload(file, options.machine);
    if (!workload) return tl::unexpected(workload.error());
    workloads.push_back({file, std::move(*workload)});
  }
  Progress progress("simulating run");
  schedule::Comparison comparison =
      schedule::compare(workloads, std::move(*strategies), options.paper.threads,
                        [&](size_t done, size_t total) { progress.show(done, total); });
  if (!options.output.empty()) {
    Result<void> written =
        write_all(options.output, {{"comparison.csv", schedule::comparison_csv(comparison)},
                                   {"comparison.json", schedule::comparison_json(comparison)},
                                   {"comparison.svg", summary_chart(comparison)}});
    if (!written) return tl::unexpected(written.error());
  }
  if (options.json) {
    out.line(schedule::comparison_json(comparison));
    return 0;
  }
  out.line(fmt::format("{}, geometric means relative to {}",
                       counted(comparison.workloads.size(), "workload", "workloads"),
                       comparison.strategies[0].name));
  print_summary(comparison, out);
  return 0;
}

void print_policies(const schedule::PolicyStudy& study, Output& out) {
  double fifo = 1;
  for (size_t p = 0; p < study.points.size(); ++p) {
    if (schedule::policies()[p].name == "fifo") fifo = study.points[p].back().makespan;
  }
  Table table;
  table.row({"policy", "max stretch", "makespan / fifo"});
  for (size_t p = 0; p < study.points.size(); ++p) {
    table.row({std::string(schedule::policies()[p].name),
               fmt::format("{:.3f}", study.points[p].back().max_stretch),
               fmt::format("{:.3f}", study.points[p].back().makespan / fifo)});
  }
  out.line(fmt::format("Table 1, {} batches", study.batches.back()));
  out.write(table.text(""));
}

Result<int> compare_paper(const ComparisonOptions& options, Output& out) {
  if (options.output.empty()) return fail(ErrorKind::usage, "--paper needs a folder for its figures, -o DIR");
  if (!options.files.empty()) return fail(ErrorKind::usage, "--paper makes its own workloads: no job files");
  if (Result<void> made = make_folder(options.output); !made) return tl::unexpected(made.error());
  schedule::PolicyStudy policies = schedule::study_policies(options.paper.threads);
  schedule::MappingStudy mappings;
  {
    Progress progress("simulating run");
    mappings = schedule::study_mappings(options.paper,
                                        [&](size_t done, size_t total) { progress.show(done, total); });
  }
  std::vector<schedule::Figure> figures = schedule::paper_figures(policies, mappings);
  std::vector<NamedText> files = {{"index.html", schedule::paper_index(figures, mappings)},
                                  {"table1.csv", schedule::policy_study_csv(policies)}};
  for (size_t m = 0; m < mappings.io_nodes.size(); ++m) {
    std::string name = fmt::format("io_nodes_{}", mappings.io_nodes[m]);
    files.push_back({name + ".csv", schedule::comparison_csv(mappings.comparisons[m])});
    files.push_back({name + ".json", schedule::comparison_json(mappings.comparisons[m])});
  }
  for (schedule::Figure& figure : figures) files.push_back({figure.file, std::move(figure.svg)});
  if (Result<void> written = write_all(options.output, files); !written)
    return tl::unexpected(written.error());
  print_policies(policies, out);
  for (size_t m = 0; m < mappings.io_nodes.size(); ++m) {
    const schedule::Comparison& comparison = mappings.comparisons[m];
    out.line(fmt::format("\n{} on {}, geometric means relative to {}",
                         counted(comparison.workloads.size(), "workload", "workloads"),
                         counted(mappings.io_nodes[m], "I/O node", "I/O nodes"),
                         comparison.strategies[0].name));
    print_summary(comparison, out);
  }
  return 0;
}

Result<int> run_comparison(const ComparisonOptions& options, Output& out) {
  if (options.is_paper) return compare_paper(options, out);
  if (options.files.empty())
    return fail(ErrorKind::usage, "which job files? Or --paper for those of the paper");
  return compare_files(options, out);
}

}  // namespace

void add_schedule_compare(CLI::App& group, Action& action) {
  CLI::App* command =
      add_command(group, "compare", "Run policies x mappings x workloads, and draw the figures of the paper",
                  "refrain schedule compare jobs/*.json --policies fifo,stretch --mappings all -o out\n"
                  "  refrain schedule compare --paper -o out");
  auto options = std::make_shared<ComparisonOptions>();
  command->add_option("JOBS", options->files, "Job files");
  command->add_option("--policies", options->policies, "Names with commas, or all")
      ->type_name("LIST")
      ->capture_default_str();
  command->add_option("--mappings", options->mappings, "Names with commas, or all")
      ->type_name("LIST")
      ->capture_default_str();
  command->add_option("--sensibilities", options->sensibilities, "Numbers or 'alpha', with commas")
      ->type_name("LIST")
      ->capture_default_str();
  add_machine_options(*command, options->machine);
  command->add_flag("--paper", options->is_paper,
                    "The evaluation of the paper: Table 1, and 120 workloads on 1, 3 and 5 I/O nodes");
  command->add_option("--seed", options->paper.seed, "With --paper: of the workloads")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--per-load", options->paper.workloads_per_load, "With --paper: workloads per I/O load")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--threads", options->paper.threads, "Threads to use (default: one per core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_option("-o,--output", options->output, "Folder for CSV, JSON and SVG files")->type_name("DIR");
  command->add_flag("--json", options->json, "Print JSON instead of a table");
  command->callback(
      [&action, options] { action = [options](Output& out) { return run_comparison(*options, out); }; });
}

}  // namespace refrain::cli
