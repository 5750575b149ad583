// The studies of the paper. See paper.hpp; the figures are in figures.cpp.
#include "schedule/paper.hpp"

#include <fmt/core.h>

#include "schedule/generate.hpp"

namespace refrain::schedule {

std::vector<Strategy> paper_strategies() {
  const Discipline fifo{.policy = *find_policy("fifo")};
  const Discipline longest_remaining{.policy = *find_policy("longest-remaining")};
  const Discipline stretch{.policy = *find_policy("stretch")};
  return {{"first-fit fifo", {fifo, {MappingKind::first_fit}}},
          {"make-pack S=1 fifo", {fifo, {MappingKind::make_pack, 1}}},
          {"make-pack S=alpha fifo", {fifo, {MappingKind::make_pack, 1, true}}},
          {"make-pack S=1 longest-remaining", {longest_remaining, {MappingKind::make_pack, 1}}},
          {"make-pack+backfill S=1 fifo", {fifo, {MappingKind::backfill, 1}}},
          {"easy S=1.2 stretch", {stretch, {MappingKind::easy, 1.2}}},
          {"easy S=1.5 stretch", {stretch, {MappingKind::easy, 1.5}}},
          {"portfolio", {fifo, {MappingKind::portfolio, 1}}}};
}

PolicyStudy study_policies(unsigned threads) {
  PolicyStudy study{.batches = {1, 2, 4, 8, 16, 32, 64}};
  size_t count = study.batches.size();
  study.points.assign(policies().size(), std::vector<PolicyStudy::Point>(count));
  in_parallel(policies().size() * count, threads, [&](size_t i) {
    Discipline discipline{.policy = &policies()[i / count]};
    Outcome outcome = simulate(table1(study.batches[i % count]), {discipline, {MappingKind::first_fit}});
    study.points[i / count][i % count] = {in_seconds(outcome.makespan), outcome.max_stretch,
                                          outcome.stretches};
  });
  return study;
}

MappingStudy study_mappings(const PaperOptions& options, const Tell& tell) {
  MappingStudy study{.io_nodes = {1, 3, 5}};
  std::vector<NamedWorkload> workloads;  // those of the three machines one after another, for one progress
  for (size_t io_nodes : study.io_nodes) {
    uint64_t number = 0;
    for (double load : paper_loads()) {
      for (uint64_t i = 0; i < options.workloads_per_load; ++i, ++number) {
        Protocol protocol{.io_nodes = static_cast<uint32_t>(io_nodes),
                          .load = load,
                          .seed = options.seed,
                          .number = number};
        workloads.push_back({fmt::format("{}", number), generate(protocol)});
      }
    }
  }
  Comparison all = compare(workloads, paper_strategies(), options.threads, tell);
  size_t each = workloads.size() / study.io_nodes.size();
  for (size_t m = 0; m < study.io_nodes.size(); ++m) {
    Comparison part{.strategies = all.strategies};
    for (size_t w = m * each; w < (m + 1) * each; ++w) {
      part.workloads.push_back(all.workloads[w]);
      for (size_t s = 0; s < all.strategies.size(); ++s) {
        part.runs.push_back(all.run(w, s));
        part.runs.back().workload -= m * each;
      }
    }
    study.comparisons.push_back(std::move(part));
  }
  return study;
}

std::string policy_study_csv(const PolicyStudy& study) {
  std::string text = "policy,batches,makespan,max_stretch";
  for (size_t application = 1; application <= table1(1).jobs.size(); ++application) {
    text += fmt::format(",stretch_{}", application);
  }
  text += '\n';
  for (size_t p = 0; p < study.points.size(); ++p) {
    for (size_t b = 0; b < study.batches.size(); ++b) {
      const PolicyStudy::Point& point = study.points[p][b];
      text +=
          fmt::format("{},{},{},{}", policies()[p].name, study.batches[b], point.makespan, point.max_stretch);
      for (double stretch : point.stretches) text += fmt::format(",{}", stretch);
      text += '\n';
    }
  }
  return text;
}

}  // namespace refrain::schedule
