// Counting accesses stream by stream: regular trees by RegularWalk, the others by running them.
#include "measure/accesses.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "measure/access_counter.hpp"
#include "measure/regular_walk.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"

namespace refrain::measure {

using namespace trace;

namespace {

constexpr std::array<uint64_t, AccessTotals::size_classes - 1> class_ends{
    100, 1 << 10, 10 << 10, 100 << 10, 1 << 20, 4 << 20, 10 << 20, 100 << 20, 1 << 30};

using ByLayer = std::map<std::string, LayerAccesses>;

void accumulate(ByLayer& to, const AccessTables& tables, const std::vector<AccessTotals>& totals,
                uint64_t times, const std::string* only = nullptr) {
  for (size_t k = 0; k < tables.layers.size(); ++k) {
    const std::string& layer = tables.layers[k];
    const AccessTotals &reads = totals[2 * k], &writes = totals[2 * k + 1];
    if ((only && layer != *only) || reads.accesses + writes.accesses == 0) continue;
    LayerAccesses& entry = to[layer];
    entry.layer = layer;
    entry.reads.add(reads, times);
    entry.writes.add(writes, times);
  }
}

std::vector<LayerAccesses> listed(const ByLayer& layers) {
  std::vector<LayerAccesses> list;
  for (const auto& [layer, accesses] : layers) list.push_back(accesses);
  return list;
}

class Counting {
 public:
  Counting(const Trace& trace, const AccessOptions& options)
      : trace_(trace), options_(options), tables_(trace) {}

  Accesses run() {
    for (const Process& process : trace_.processes)
      for (const Stream& stream : process.streams) count(process, stream);
    result_.outer = listed(outer_);
    result_.layers = listed(layers_);
    return std::move(result_);
  }

 private:
  /// What is the same on all ranks is counted once and multiplied; the rest is counted rank by rank.
  void count(const Process& process, const Stream& stream) {
    const RankSet& ranks = ranks_of(stream, process);
    if (stream.prefix == 0 && is_plain(stream.nodes))
      return add(stream, totals(stream.nodes, nullptr, {}), std::max<uint64_t>(1, ranks.size()));
    uint64_t counted = std::min(std::max<uint64_t>(1, ranks.size()), options_.ranks);
    result_.complete &= ranks.size() <= counted;
    for (uint64_t k = 0; k < counted; ++k) {
      if (walks_left_ == 0) result_.complete = false;
      if (walks_left_ == 0) return;
      uint32_t rank = ranks.empty() ? 0 : ranks.at(k);
      Stream alone{.layer = stream.layer, .prefix = stream.prefix.at(rank, k)};
      std::vector<Node> before;
      for (const Stream& s : process.streams)
        if (s.layer.empty() && s.thread == stream.thread)
          before = at_rank(s.nodes, ranks_of(s, process), rank);
      add(stream, totals(at_rank(stream.nodes, ranks, rank), &alone, before), 1);
    }
  }

  void add(const Stream& stream, const std::vector<AccessTotals>& totals, uint64_t times) {
    if (stream.layer.empty())
      accumulate(outer_, tables_, totals, times);
    else
      accumulate(layers_, tables_, totals, times, &stream.layer);
  }

  /// Of one rank: of a tree, behind the beginning of its layer in the outer stream if it has one.
  std::vector<AccessTotals> totals(const std::vector<Node>& nodes, const Stream* layer,
                                   const std::vector<Node>& outer) {
    AccessCounter counter(tables_, trace_.templates);
    if (layer && layer->prefix.constant() > 0)
      walk(counter, outer, &layer->layer, static_cast<uint64_t>(layer->prefix.constant()));
    RegularWalk regular(counter);
    if (options_.closed_forms && regular.fits(nodes))
      result_.complete &= regular.run(nodes, walks_left_);
    else
      walk(counter, nodes, nullptr, UINT64_MAX);
    result_.complete &= !counter.files().full();
    return counter.totals();
  }

  /// Runs a tree: at most `limit` events, only those of `layer` if given.
  void walk(AccessCounter& counter, const std::vector<Node>& nodes, const std::string* layer,
            uint64_t limit) {
    Expander expander(nodes);
    uint64_t counted = 0;
    for (uint64_t idle = 0; walks_left_ > 0 && counted < limit; --walks_left_) {
      Expander::Event e = expander.next();
      uint64_t more = expander.idle_steps() - std::exchange(idle, expander.idle_steps());
      walks_left_ -= std::min(walks_left_ - 1, more);
      if (!e.node) {
        result_.complete &= !expander.damaged();
        return;
      }
      if (layer && !trace_.signatures[e.node->signature].in_stream_of(*layer)) continue;
      if (counter.files().full()) return;
      counter.call(e.node->signature, e.parameters);
      ++counted;
    }
    result_.complete &= counted == limit || !expander.next().node;
  }

  const Trace& trace_;
  const AccessOptions& options_;
  uint64_t walks_left_ = options_.walked_events;
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

}  // namespace refrain::measure
