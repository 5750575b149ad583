// Requests of different members that are the same, at the same time: they share a flow, so that ranks which
// behave alike cost little even when each is simulated for itself.
#include <algorithm>

#include "base/bit_cast.hpp"
#include "base/hash.hpp"
#include "simulate/world.hpp"

namespace refrain::simulate {

uint64_t World::shape_of(const Flow& flow) {
  uint64_t hash = hash_combine(static_cast<uint64_t>(flow.kind), flow.application);
  hash = hash_combine(hash, bit_cast<uint64_t>(flow.delay_s));
  hash = hash_combine(hash, bit_cast<uint64_t>(flow.least_s));
  for (const Work& work : flow.works) {
    hash = hash_combine(hash, work.stage);
    hash = hash_combine(hash, bit_cast<uint64_t>(work.seconds));
  }
  return hash;
}

bool World::is_alike(const Flow& a, const Flow& b) {
  return a.kind == b.kind && a.application == b.application && a.delay_s == b.delay_s &&
         a.least_s == b.least_s && a.start_s == b.start_s && a.works == b.works;
}

void World::merge_requests() {
  struct Merged {
    Flow flow{};
    double count = 1;
    double nodes = 1;  ///< members come in the order of their ranks, and so of their nodes
    uint32_t last_node = 0;
  };
  std::vector<Merged> merged;
  std::unordered_map<uint64_t, std::vector<size_t>> by_shape;
  live_flows_ -= requests_.size();
  for (Flow& flow : requests_) {
    bool may = flow.kind == Flow::Kind::pause || flow.kind == Flow::Kind::metadata ||
               flow.kind == Flow::Kind::transfer;
    uint32_t node = flow.members.empty() ? 0 : members_[flow.members.front()].placement.first_node;
    std::vector<size_t>& candidates = by_shape[shape_of(flow)];
    auto found = std::find_if(candidates.begin(), candidates.end(),
                              [&](size_t i) { return may && is_alike(merged[i].flow, flow); });
    if (found == candidates.end()) {
      candidates.push_back(merged.size());
      merged.push_back({.flow = std::move(flow), .last_node = node});
      continue;
    }
    Merged& other = merged[*found];
    other.flow.members.insert(other.flow.members.end(), flow.members.begin(), flow.members.end());
    other.flow.volume.add(flow.volume);
    other.flow.transfers += flow.transfers;
    ++other.count;
    if (node != other.last_node) ++other.nodes;
    other.last_node = node;
  }
  requests_.clear();
  for (Merged& one : merged) {
    for (Work& work : one.flow.works) {
      work.seconds *= one.count;
      work.weight *= one.count;
      work.bound = std::min(1.0, work.bound * one.nodes);
    }
    requests_.push_back(std::move(one.flow));
  }
  live_flows_ += requests_.size();
}

}  // namespace refrain::simulate
