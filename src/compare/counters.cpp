#include "compare/counters.hpp"

#include <map>
#include <tuple>

#include "measure/accesses.hpp"
#include "measure/summary.hpp"

namespace refrain::compare {
namespace {

using measure::AccessTotals;
using measure::LayerAccesses;

class Lister {
 public:
  explicit Lister(Counters& to) : to_(to) {}

  void functions(const measure::Totals& totals, bool inner) {
    std::map<std::string, std::pair<uint64_t, uint64_t>> bytes;
    for (const measure::FunctionTotals& f : totals.functions) {
      put(f.layer, inner, "calls of " + f.function, f.calls);
      put(f.layer, inner, "failed calls of " + f.function, f.failed);
      bytes[f.layer].first += f.bytes_read;
      bytes[f.layer].second += f.bytes_written;
    }
    for (const auto& [layer, moved] : bytes) {
      put(layer, inner, "bytes read", moved.first);
      put(layer, inner, "bytes written", moved.second);
    }
  }

  void accesses(const std::vector<LayerAccesses>& layers, bool inner) {
    for (const LayerAccesses& layer : layers) {
      direction(layer.layer, inner, "reads", layer.reads);
      direction(layer.layer, inner, "writes", layer.writes);
    }
  }

  void put(const std::string& layer, bool inner, std::string name, uint64_t value) {
    if (value > 0) to_.list.push_back({layer, inner, std::move(name), value});
  }

 private:
  void direction(const std::string& layer, bool inner, const std::string& word, const AccessTotals& totals) {
    put(layer, inner, word, totals.accesses);
    put(layer, inner, "sequential " + word, totals.sequential);
    put(layer, inner, "consecutive " + word, totals.consecutive);
    for (size_t i = 0; i < totals.sizes.size(); ++i)
      put(layer, inner, word + " of " + measure::size_class_names()[i] + " bytes", totals.sizes[i]);
  }

  Counters& to_;
};

using Key = std::tuple<std::string, bool, std::string>;
Key key(const Counter& c) { return {c.layer, c.inner, c.name}; }

}  // namespace

Counters counters(const trace::Trace& trace, bool layers) {
  measure::Summary summary = measure::summarize(trace);
  measure::Accesses accesses = measure::count_accesses(trace);
  Counters result;
  result.complete = summary.complete && summary.files_complete && !summary.damaged && accesses.complete;
  Lister lister(result);
  lister.put("", false, "files", summary.files.size());
  lister.functions(summary.outer, false);
  lister.accesses(accesses.outer, false);
  if (!layers) return result;
  for (const measure::LayerTotals& layer : summary.layers) lister.functions(layer.totals, true);
  lister.accesses(accesses.layers, true);
  return result;
}

std::vector<CounterPair> different(const Counters& here, const Counters& there) {
  std::map<Key, uint64_t> values;
  for (const Counter& c : there.list) values[key(c)] = c.value;
  std::vector<CounterPair> pairs;
  for (const Counter& c : here.list) {
    auto found = values.find(key(c));
    uint64_t other = found == values.end() ? 0 : found->second;
    if (other != c.value) pairs.push_back({c, other});
    if (found != values.end()) values.erase(found);
  }
  for (const auto& [k, value] : values)
    pairs.push_back({{std::get<0>(k), std::get<1>(k), std::get<2>(k), 0}, value});
  return pairs;
}

}  // namespace refrain::compare
