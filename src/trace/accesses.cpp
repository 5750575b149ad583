// Counting accesses stream by stream: regular trees by RegularWalk, the others by running them.
#include "trace/accesses.hpp"

#include <algorithm>
#include <map>

#include "trace/access_counter.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"
#include "trace/regular_walk.hpp"

namespace refrain::trace {
namespace {

constexpr std::array<uint64_t, AccessTotals::size_classes - 1> class_ends{
    100, 1 << 10, 10 << 10, 100 << 10, 1 << 20, 4 << 20, 10 << 20, 100 << 20, 1 << 30};

using ByLayer = std::map<std::string, LayerAccesses>;

void add(ByLayer& to, const AccessTables& tables, const std::vector<AccessTotals>& totals,
         const std::string* only = nullptr) {
  for (size_t k = 0; k < tables.layers.size(); ++k) {
    const std::string& layer = tables.layers[k];
    const AccessTotals &reads = totals[2 * k], &writes = totals[2 * k + 1];
    if ((only && layer != *only) || reads.accesses + writes.accesses == 0) continue;
    LayerAccesses& entry = to[layer];
    entry.layer = layer;
    entry.reads.add(reads);
    entry.writes.add(writes);
  }
}

std::vector<LayerAccesses> listed(const ByLayer& layers) {
  std::vector<LayerAccesses> list;
  for (const auto& [layer, accesses] : layers) list.push_back(accesses);
  return list;
}

constexpr uint64_t most_ranks = uint64_t{1} << 20;  ///< of a process, counted one by one

class Counting {
 public:
  Counting(const Trace& trace, const AccessOptions& options)
      : trace_(trace), options_(options), tables_(trace) {}

  Accesses run() {
    for (const Process& process : trace_.processes) {
      if (process.ranks.empty()) count(process.streams);
      uint64_t ranks = std::min(process.ranks.size(), most_ranks);
      for (uint64_t k = 0; k < ranks; ++k) count(at_rank(process, process.ranks.at(k)).streams);
      result_.complete &= ranks == process.ranks.size();
    }
    result_.outer = listed(outer_);
    result_.layers = listed(layers_);
    return std::move(result_);
  }

 private:
  void count(const std::vector<Stream>& streams) {
    for (const Stream& stream : streams) count(streams, stream);
  }

  void count(const std::vector<Stream>& streams, const Stream& stream) {
    AccessCounter counter(tables_, trace_.templates);
    auto prefix = static_cast<uint64_t>(stream.prefix.constant());
    if (prefix > 0)
      for (const Stream& s : streams)
        if (s.layer.empty() && s.thread == stream.thread) walk(counter, s.nodes, &stream.layer, prefix);
    RegularWalk regular(counter);
    if (options_.closed_forms && regular.fits(stream.nodes))
      result_.complete &= regular.run(stream.nodes, options_.walked_events);
    else
      walk(counter, stream.nodes, nullptr, UINT64_MAX);
    result_.complete &= !counter.files().full();
    if (stream.layer.empty())
      add(outer_, tables_, counter.totals());
    else
      add(layers_, tables_, counter.totals(), &stream.layer);
  }

  /// Runs a tree: at most `limit` events, only those of `layer` if given.
  void walk(AccessCounter& counter, const std::vector<Node>& nodes, const std::string* layer,
            uint64_t limit) {
    Expander expander(nodes);
    uint64_t counted = 0;
    for (uint64_t walked = 0; walked < options_.walked_events && counted < limit; ++walked) {
      Expander::Event e = expander.next();
      if (!e.node) {
        result_.complete &= !expander.damaged();
        return;
      }
      if (layer && trace_.signatures[e.node->signature].layer != *layer) continue;
      if (counter.files().full()) return;
      counter.call(e.node->signature, e.parameters);
      ++counted;
    }
    result_.complete &= counted == limit || !expander.next().node;
  }

  const Trace& trace_;
  const AccessOptions& options_;
  AccessTables tables_;
  ByLayer outer_, layers_;
  Accesses result_;
};

}  // namespace

AccessTables::AccessTables(const Trace& trace) : rules(access_rules(trace.signatures)) {
  for (const Signature& s : trace.signatures) {
    size_t layer = static_cast<size_t>(std::find(layers.begin(), layers.end(), s.layer) - layers.begin());
    if (layer == layers.size()) layers.push_back(s.layer);
    totals.push_back(static_cast<uint32_t>(2 * layer + rules[totals.size()].writes));
  }
}

void AccessTotals::add(const AccessTotals& other, uint64_t times) {
  accesses += other.accesses * times;
  sequential += other.sequential * times;
  consecutive += other.consecutive * times;
  for (size_t i = 0; i < size_classes; ++i) sizes[i] += other.sizes[i] * times;
}

const std::array<std::string, AccessTotals::size_classes>& size_class_names() {
  static const std::array<std::string, AccessTotals::size_classes> names{
      "0-100", "100-1K", "1K-10K", "10K-100K", "100K-1M", "1M-4M", "4M-10M", "10M-100M", "100M-1G", "1G+"};
  return names;
}

size_t size_class(uint64_t bytes) {
  return static_cast<size_t>(std::lower_bound(class_ends.begin(), class_ends.end(), bytes) -
                             class_ends.begin());
}

Accesses count_accesses(const Trace& trace, const AccessOptions& options) {
  return Counting(trace, options).run();
}

}  // namespace refrain::trace
