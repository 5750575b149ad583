// The figures of the paper, drawn from our own runs. Where it plots one point per workload, the points are
// here too, pale, under lines that join the geometric means of workloads of similar load.
#include <fmt/core.h>

#include <algorithm>

#include "schedule/chart.hpp"
#include "schedule/paper.hpp"

namespace refrain::schedule {

namespace {

size_t fifo_position() {
  for (size_t p = 0; p < policies().size(); ++p) {
    if (policies()[p].name == "fifo") return p;
  }
  return 0;
}

std::vector<double> as_numbers(const std::vector<uint64_t>& batches) {
  return {batches.begin(), batches.end()};
}

/// One line per policy; `value` gives the height at (policy, position of the batches).
template <class Value>
Chart by_batches(const PolicyStudy& study, std::string title, std::string y_label, Value value) {
  Chart chart{.title = std::move(title),
              .x_label = "iteration batches",
              .y_label = std::move(y_label),
              .log_x = true,
              .x_ticks = as_numbers(study.batches)};
  for (size_t p = 0; p < study.points.size(); ++p) {
    Series series{.name = std::string(policies()[p].name), .style = p};
    for (size_t b = 0; b < study.batches.size(); ++b) {
      series.points.emplace_back(static_cast<double>(study.batches[b]), value(p, b));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string figure7(const PolicyStudy& study) {
  std::vector<Chart> charts;
  for (size_t p = 0; p < study.points.size(); ++p) {
    Chart chart{.title = std::string(policies()[p].name),
                .x_label = "iteration batches",
                .y_label = "stretch",
                .log_x = true,
                .x_ticks = as_numbers(study.batches),
                .y_shown = {1, 1.9}};
    for (size_t a = 0; a < study.points[p][0].stretches.size(); ++a) {
      Series series{.name = fmt::format("application {}", a + 1), .style = a};
      for (size_t b = 0; b < study.batches.size(); ++b) {
        series.points.emplace_back(static_cast<double>(study.batches[b]), study.points[p][b].stretches[a]);
      }
      chart.series.push_back(std::move(series));
    }
    charts.push_back(std::move(chart));
  }
  return chart_grid_svg(charts, 4);
}

/// Adds a cloud of points and the line of geometric means of ten neighbors each.
void add_cloud(Chart& chart, const std::string& name, size_t style, Svg::Points points) {
  constexpr size_t group = 10;
  std::sort(points.begin(), points.end());
  Series means{.name = name, .style = style};
  for (size_t from = 0; from < points.size(); from += group) {
    size_t to = std::min(from + group, points.size());
    std::vector<double> loads;
    std::vector<double> values;
    for (size_t i = from; i < to; ++i) {
      loads.push_back(points[i].first);
      values.push_back(points[i].second);
    }
    means.points.emplace_back(geometric_mean(loads), geometric_mean(values));
  }
  chart.series.push_back({.points = std::move(points), .joined = false, .faint = true, .style = style});
  chart.series.push_back(std::move(means));
}

/// Over the load of the workloads, for the given strategies.
template <class Value>
Chart by_load(const Comparison& comparison, const std::vector<size_t>& strategies, std::string title,
              std::string y_label, Value value) {
  Chart chart{.title = std::move(title),
              .x_label = "I/O load α of the workload",
              .y_label = std::move(y_label),
              .log_y = true};
  for (size_t s : strategies) {
    Svg::Points points;
    for (size_t w = 0; w < comparison.workloads.size(); ++w) {
      points.emplace_back(comparison.run(w, s).load, value(comparison.run(w, s), comparison.run(w, 0)));
    }
    add_cloud(chart, comparison.strategies[s].name, s, std::move(points));
  }
  return chart;
}

std::string figure14(const Comparison& comparison) {
  StackedBars bars{.title = "What a compute node does, relative to first-fit",
                   .label = "share of first-fit's time"};
  bars.parts = {{"exec", {}}, {"delay", {}}, {"idle", {}}};
  for (size_t s = 0; s < comparison.strategies.size(); ++s) {
    NodeTime sum;
    for (size_t w = 0; w < comparison.workloads.size(); ++w) {
      double base = comparison.run(w, 0).makespan * static_cast<double>(comparison.workloads.size());
      const NodeTime& time = comparison.run(w, s).node_time;
      sum.exec += time.exec / base;
      sum.delay += time.delay / base;
      sum.idle += time.idle / base;
    }
    bars.bars.push_back(comparison.strategies[s].name);
    bars.parts[0].values.push_back(sum.exec);
    bars.parts[1].values.push_back(sum.delay);
    bars.parts[2].values.push_back(sum.idle);
  }
  return bars_svg(bars);
}

/// Positions of strategies that make packs.
std::vector<size_t> with_packs(const Comparison& comparison) {
  std::vector<size_t> found;
  for (size_t s = 1; s < comparison.strategies.size(); ++s) {
    MappingKind kind = comparison.strategies[s].setup.mapping.kind;
    if (kind == MappingKind::make_pack || kind == MappingKind::backfill) found.push_back(s);
  }
  return found;
}

std::vector<Figure> policy_figures(const PolicyStudy& study) {
  size_t fifo = fifo_position();
  auto stretch = [&](size_t p, size_t b) { return study.points[p][b].max_stretch; };
  auto makespan = [&](size_t p, size_t b) {
    return study.points[p][b].makespan / study.points[fifo][b].makespan;
  };
  return {
      {"figure05.svg", "Figure 5: the largest stretch of the five applications of Table 1 under each policy.",
       chart_svg(by_batches(study, "Largest stretch", "max stretch", stretch))},
      {"figure06.svg", "Figures 6 and 8: the makespan of Table 1 under each policy, relative to fifo.",
       chart_svg(by_batches(study, "Makespan relative to fifo", "makespan / fifo", makespan))},
      {"figure07.svg", "Figure 7: the stretch of each application of Table 1 under each policy.",
       figure7(study)}};
}

Figure figure15(const MappingStudy& study, size_t strategy, const std::string& file,
                const std::string& caption) {
  Chart chart{.title = "Makespan relative to first-fit: " + study.comparisons[0].strategies[strategy].name,
              .x_label = "I/O load α of the workload",
              .y_label = "makespan / first-fit",
              .log_y = true};
  for (size_t m = 0; m < study.io_nodes.size(); ++m) {
    const Comparison& comparison = study.comparisons[m];
    Svg::Points points;
    for (size_t w = 0; w < comparison.workloads.size(); ++w) {
      points.emplace_back(comparison.run(w, strategy).load,
                          comparison.run(w, strategy).makespan / comparison.run(w, 0).makespan);
    }
    std::string nodes = study.io_nodes[m] == 1 ? "I/O node" : "I/O nodes";
    add_cloud(
        chart,
        fmt::format("{} {}, mean {:.3f}", study.io_nodes[m], nodes, summarize(comparison, strategy).makespan),
        m, std::move(points));
  }
  return {file, caption, chart_svg(chart)};
}

}  // namespace

std::vector<Figure> paper_figures(const PolicyStudy& policies, const MappingStudy& mappings) {
  std::vector<Figure> figures = policy_figures(policies);
  const Comparison& one = mappings.comparisons[0];
  std::vector<size_t> all;
  for (size_t s = 1; s < one.strategies.size(); ++s) all.push_back(s);
  auto add = [&](const char* file, const char* caption, const Chart& chart) {
    figures.push_back({file, caption, chart_svg(chart)});
  };
  add("figure10.svg",
      "Figure 10: makespan relative to First-Fit on one I/O node, over the load of the workload.",
      by_load(one, all, "Makespan relative to first-fit, 1 I/O node", "makespan / first-fit",
              [](const Run& run, const Run& base) { return run.makespan / base.makespan; }));
  add("figure11.svg",
      "Figure 11: stretch relative to First-Fit: the mean over packs of the largest stretch in each; for "
      "mappings "
      "without packs the largest stretch of all.",
      by_load(one, all, "Stretch relative to first-fit, 1 I/O node", "stretch / first-fit",
              [](const Run& run, const Run& base) { return run.pack_stretch / base.pack_stretch; }));
  add("figure12.svg", "Figure 12: number of packs relative to First-Fit.",
      by_load(one, with_packs(one), "Packs relative to first-fit", "packs / first-fit",
              [](const Run& run, const Run& base) {
                return static_cast<double>(run.packs) / static_cast<double>(base.packs);
              }));
  all.insert(all.begin(), 0);
  add("figure13.svg",
      "Figure 13: makespan relative to that of the same mapping if every job had the I/O node for itself: "
      "how far "
      "contention moves a schedule from what could be predicted.",
      by_load(one, all, "Makespan relative to the ideal one", "makespan / without contention",
              [](const Run& run, const Run&) { return run.makespan / run.ideal; }));
  figures.push_back(
      {"figure14.svg",
       "Figure 14: what a compute node does on average: useful work, waiting for I/O, nothing; each "
       "workload relative to its First-Fit makespan, one I/O node.",
       figure14(one)});
  figures.push_back(
      figure15(mappings, 1, "figure15.svg",
               "Figure 15: makespan of Make-Pack (S = 1, fifo) relative to First-Fit with 1, 3 and 5 "
               "I/O nodes."));
  figures.push_back(
      figure15(mappings, 6, "figure15_easy.svg",
               "Beyond the paper: the same for easy (S = 1.5, stretch), which makes no packs."));
  return figures;
}

std::string paper_index(const std::vector<Figure>& figures, const MappingStudy& mappings) {
  std::string page =
      "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>Mapping and scheduling</title></head>\n"
      "<body style=\"font-family: sans-serif; max-width: 75em; margin: auto\">\n<h1>Mapping and "
      "scheduling</h1>\n"
      "<p>Geometric means over the workloads, makespan relative to First-Fit and, in brackets, to the lower "
      "bound.</p>\n<table cellpadding=\"6\"><tr><th align=\"left\">strategy</th>";
  for (size_t io_nodes : mappings.io_nodes) page += fmt::format("<th>R = {}</th>", io_nodes);
  page += "</tr>\n";
  for (size_t s = 0; s < mappings.comparisons[0].strategies.size(); ++s) {
    page += fmt::format("<tr><td>{}</td>", escaped(mappings.comparisons[0].strategies[s].name));
    for (const Comparison& comparison : mappings.comparisons) {
      StrategySummary summary = summarize(comparison, s);
      page += fmt::format("<td align=\"center\">{:.3f} ({:.3f})</td>", summary.makespan, summary.over_bound);
    }
    page += "</tr>\n";
  }
  page += "</table>\n";
  for (const Figure& figure : figures) {
    page +=
        fmt::format("<hr><img src=\"{0}\" alt=\"{0}\">\n<p>{1}</p>\n", figure.file, escaped(figure.caption));
  }
  return page + "</body></html>\n";
}

}  // namespace refrain::schedule
