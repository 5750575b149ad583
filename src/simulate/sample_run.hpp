// Runs of sample applications, for tests.
#pragma once

#include <gtest/gtest.h>

#include "simulate/sample_application.hpp"
#include "simulate/simulate.hpp"

namespace refrain::simulate::sample {

inline Outcome run_all(const Machine& machine, const std::vector<trace::Trace>& traces,
                       SimulationOptions options = {}, std::vector<double> starts = {}) {
  std::vector<Program> programs;
  for (const trace::Trace& trace : traces) {
    Result<Program> program = make_program(trace, {.detail = options.detail});
    EXPECT_TRUE(program);
    programs.push_back(std::move(*program));
  }
  std::vector<Application> applications;
  uint32_t node = 0;
  for (size_t i = 0; i < programs.size(); ++i) {
    applications.push_back({.name = "a" + std::to_string(i), .program = &programs[i], .first_node = node});
    if (!starts.empty()) applications.back().start_s = starts[i];
    node += (programs[i].ranks + machine.ranks_per_node - 1) / machine.ranks_per_node;
  }
  Result<Outcome> outcome = simulate(machine, applications, options);
  EXPECT_TRUE(outcome) << outcome.error().text();
  return outcome ? *outcome : Outcome{};
}

inline Outcome run(const Machine& machine, const trace::Trace& trace, SimulationOptions options = {}) {
  return run_all(machine, {trace}, std::move(options));
}

inline double seconds(const Machine& machine, const trace::Trace& trace, SimulationOptions options = {}) {
  Outcome outcome = run(machine, trace, std::move(options));
  return outcome.applications.empty() ? -1 : outcome.applications[0].seconds();
}

}  // namespace refrain::simulate::sample
