// See stages.hpp.
#include "simulate/stages.hpp"

#include <algorithm>
#include <map>

namespace refrain::simulate {

Stages::Stages(const Machine& machine, uint32_t applications) : machine_(machine) {
  count_ = machine.targets();
  auto take = [&](uint32_t& first, uint32_t stages, bool used) {
    if (!used) return;
    first = count_;
    count_ += stages;
  };
  double fastest = std::max(machine.target.read_bandwidth, machine.target.write_bandwidth);
  take(servers_, machine.servers,
       machine.server_bandwidth > 0 && machine.server_bandwidth < fastest * machine.targets_per_server);
  take(network_, 1, machine.network_bandwidth > 0);
  take(metadata_, 1, machine.metadata_rate > 0);
  take(clients_, applications, machine.node_bandwidth > 0);
  take(caches_, applications, machine.cache_bytes > 0);
  io_nodes_ = count_;
}

Placement Stages::place(uint32_t application, uint32_t first_node, uint32_t application_ranks,
                        const std::vector<uint32_t>& ranks) {
  Placement placement{.application = application};
  placement.application_nodes = (application_ranks + machine_.ranks_per_node - 1) / machine_.ranks_per_node;
  placement.first_node = first_node + ranks.front() / machine_.ranks_per_node;
  placement.nodes = 0;
  uint32_t last_node = UINT32_MAX;
  std::vector<std::pair<uint32_t, double>> behind;
  for (uint32_t rank : ranks) {
    uint32_t node = first_node + rank / machine_.ranks_per_node;
    if (node != last_node) ++placement.nodes;
    last_node = node;
    if (machine_.io_nodes == 0) continue;
    uint32_t io_node = node / machine_.nodes_per_io_node();
    if (behind.empty() || behind.back().first != io_node) behind.emplace_back(io_node, 0);
    ++behind.back().second;
  }
  ranks_behind_.push_back(std::move(behind));
  return placement;
}

void Stages::finish(std::vector<Placement*>& placements) {
  // Which groups use an I/O node, and by how many ranks each.
  std::map<uint32_t, std::vector<std::pair<size_t, double>>> uses;
  for (size_t i = 0; i < placements.size(); ++i)
    for (const auto& [io_node, ranks] : ranks_behind_[i]) uses[io_node].emplace_back(i, ranks);
  std::map<std::vector<std::pair<size_t, double>>, uint32_t> alike;
  for (const auto& [io_node, use] : uses) ++alike[use];
  for (const auto& [use, io_nodes] : alike) {
    uint32_t stage = count_++;
    for (const auto& [i, ranks] : use) {
      double all = 0;
      for (const auto& [io_node, n] : ranks_behind_[i]) all += n;
      double here = ranks * io_nodes;
      placements[i]->io_nodes.push_back({stage, here / all, io_nodes, here});
    }
  }
}

std::vector<uint32_t> Stages::io_nodes_of(uint32_t first_node, uint32_t application_ranks) const {
  std::vector<uint32_t> list;
  if (machine_.io_nodes == 0) return {0};
  uint32_t nodes = (application_ranks + machine_.ranks_per_node - 1) / machine_.ranks_per_node;
  for (uint32_t i = first_node / machine_.nodes_per_io_node();
       i <= (first_node + nodes - 1) / machine_.nodes_per_io_node(); ++i)
    list.push_back(i);
  return list;
}

void Stages::add_client(std::vector<Work>& works, const Placement& placement, double bytes, uint32_t nodes,
                        double ranks) const {
  if (clients_ == none) return;
  double all = placement.application_nodes;
  works.push_back({clients_ + placement.application, bytes / (machine_.node_bandwidth * all), ranks,
                   std::min(1.0, static_cast<double>(nodes) / all)});
}

std::vector<Work> Stages::transfer(const Placement& placement, const TargetLoads& loads,
                                   const Transfer& how) const {
  std::vector<Work> works;
  std::map<uint32_t, std::pair<double, double>> servers;  // bytes, requests
  double bytes = 0;
  for (uint32_t target : loads.touched()) {
    const TargetLoad& load = loads.of(target);
    works.push_back(
        {target, service_seconds(load, machine_.target, how.access), static_cast<double>(load.requests), 1});
    bytes += static_cast<double>(load.bytes);
    if (servers_ == none) continue;
    auto& [server_bytes, requests] = servers[target / machine_.targets_per_server];
    server_bytes += static_cast<double>(load.bytes);
    requests += static_cast<double>(load.requests);
  }
  for (const auto& [server, sum] : servers)
    works.push_back({servers_ + server, sum.first / machine_.server_bandwidth, sum.second, 1});
  if (network_ != none) works.push_back({network_, bytes / machine_.network_bandwidth, how.ranks, 1});
  add_client(works, placement, bytes, how.nodes, how.ranks);
  for (const Placement::Share& share : placement.io_nodes)
    works.push_back(
        {share.stage, bytes * share.share / (machine_.io_node_bandwidth * share.io_nodes), share.ranks, 1});
  return works;
}

std::vector<Work> Stages::exchange(const Placement& placement, double bytes, uint32_t receivers) const {
  std::vector<Work> works;
  // What stays on a node crosses no network.
  double crossing = bytes * (1 - 1.0 / placement.application_nodes);
  if (network_ != none) works.push_back({network_, crossing / machine_.network_bandwidth, 1, 1});
  add_client(works, placement, crossing, std::min(receivers, placement.application_nodes), 1);
  return works;
}

std::vector<Work> Stages::cached(const Placement& placement, double bytes, double ranks) const {
  double all = placement.application_nodes;
  return {{caches_ + placement.application, bytes / (machine_.cache_bandwidth * all), ranks,
           std::min(1.0, static_cast<double>(placement.nodes) / all)}};
}

std::vector<Work> Stages::metadata(double operations) const {
  if (metadata_ == none) return {};
  return {{metadata_, operations / machine_.metadata_rate, operations, 1}};
}

}  // namespace refrain::simulate
