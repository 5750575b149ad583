#include "measure/layer_calls.hpp"

#include <algorithm>
#include <map>

#include "api/layers.hpp"

namespace refrain::measure {

namespace {

/// Libraries of files call those of objects, these MPI-IO, and all of them the system.
unsigned height_of(const api::LayerFacts& layer) {
  if (layer.has_objects) return 3;
  if (layer.has_format) return 4;
  if (layer.needs_mpi) return 2;
  return layer.is_system || !layer.prefix.empty() ? 0 : 1;
}

}  // namespace

std::vector<LayerCalls> layer_calls(const Summary& summary) {
  std::map<std::string, LayerCalls> by_name;
  for (const FunctionTotals& f : summary.outer.functions) by_name[f.layer].program.add(f);
  for (const FunctionTotals& f : summary.inner.functions) by_name[f.layer].inside.add(f);
  std::vector<LayerCalls> list;
  for (auto& [layer, calls] : by_name) {
    calls.layer = layer;
    calls.height = height_of(api::layer_named(layer));
    list.push_back(std::move(calls));
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const LayerCalls& a, const LayerCalls& b) { return a.height > b.height; });
  return list;
}

}  // namespace refrain::measure
