// See simulate.hpp.
#include "simulate/simulate.hpp"

#include <fmt/core.h>

#include "simulate/engine.hpp"
#include "simulate/world.hpp"

namespace refrain::simulate {

Result<void> check_places(const Machine& machine, const std::vector<Application>& applications) {
  std::vector<std::pair<uint64_t, uint64_t>> taken;
  for (const Application& application : applications) {
    uint64_t nodes =
        (uint64_t{application.program->ranks} + machine.ranks_per_node - 1) / machine.ranks_per_node;
    uint64_t end = application.first_node + nodes;
    if (end > machine.nodes) {
      return fail(
          ErrorKind::usage,
          fmt::format("{} ranks need {} nodes from node {} on; the machine has {} nodes with {} ranks each",
                      application.program->ranks, nodes, application.first_node, machine.nodes,
                      machine.ranks_per_node),
          application.name);
    }
    for (const auto& [first, behind] : taken) {
      if (application.first_node < behind && first < end)
        return fail(ErrorKind::usage,
                    fmt::format("another application is on its nodes {} to {}", first, behind - 1),
                    application.name);
    }
    taken.emplace_back(application.first_node, end);
  }
  return {};
}

Result<Outcome> simulate(const Machine& machine, const std::vector<Application>& applications,
                         const SimulationOptions& options) {
  if (Result<void> engine = check_engine(); !engine) return tl::unexpected(engine.error());
  if (Result<void> places = check_places(machine, applications); !places)
    return tl::unexpected(places.error());
  Result<std::string> text = run_apart([&] {
    World world(machine, applications, options);
    auto run = options.detail ? run_crowd : run_engine;
    run(world.stages(), [&](Engine& engine, const std::vector<size_t>& done) { world.handle(engine, done); });
    return outcome_json(world.outcome());
  });
  if (!text) return tl::unexpected(text.error());
  return parse_outcome(*text);
}

}  // namespace refrain::simulate
