// What ranks recorded after they had been merged. Trees are simply appended, as those of the ranks that have
// them. Layer streams need care: one begins where its layer saw the first inner call, and all calls before
// that stand in the outer stream only. Behind a stream that has begun, the tail must have all calls of its
// layer, so those that the tail has in its outer stream only are repeated, one by one (tails are short).
#include <algorithm>
#include <map>

#include "merge/facts.hpp"
#include "merge/merge_nodes.hpp"
#include "merge/merge_ranks.hpp"
#include "merge/side_by_side.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"

namespace refrain::merge {
namespace {

using trace::Column;
using trace::Expander;
using trace::Form;
using trace::Node;
using trace::Number;
using trace::Process;
using trace::RankSet;
using trace::Stream;
using trace::Trace;
using trace::Value;

using Signatures = std::vector<trace::Signature>;

const Stream* find(const std::vector<Stream>& streams, uint32_t thread, const std::string& layer) {
  for (const Stream& s : streams)
    if (s.thread == thread && s.layer == layer) return &s;
  return nullptr;
}

bool contains_all(const RankSet& set, const RankSet& part) {
  std::vector<uint32_t> ranks = part.expand();
  return std::all_of(ranks.begin(), ranks.end(), [&](uint32_t rank) { return set.contains(rank); });
}

Process* find(std::vector<Process>& processes, const Process& like) {
  for (Process& p : processes)
    if (!like.ranks.empty() && p.program == like.program && p.arguments == like.arguments &&
        p.directory == like.directory && contains_all(p.ranks, like.ranks))
      return &p;
  return nullptr;
}

/// The first `limit` calls of a layer in a plain tree, each as a node of its own.
std::vector<Node> calls_of(const std::vector<Node>& nodes, const Signatures& signatures,
                           const std::string& layer, uint64_t limit) {
  std::vector<Node> out;
  Expander expander(nodes);
  while (out.size() < limit) {
    auto e = expander.next();
    if (!e.node) break;
    if (!signatures[e.node->signature].in_stream_of(layer)) continue;
    Node& call = out.emplace_back(Node{.signature = e.node->signature});
    for (int64_t v : e.parameters) call.parameters.push_back(Value::constant(v));
  }
  return out;
}

uint64_t count_calls(const std::vector<Node>& nodes, const Signatures& signatures, const std::string& layer) {
  uint64_t n = 0;
  Expander expander(nodes);
  for (auto e = expander.next(); e.node; e = expander.next())
    n += signatures[e.node->signature].in_stream_of(layer);
  return n;
}

void shift_places(std::vector<Node>& nodes, size_t by) {
  auto move = [&](Value& v) {
    if (v.form == Form::copy) v.sibling += static_cast<uint32_t>(by);
  };
  for (Node& node : nodes)
    for (size_t i = 0; i <= node.parameters.size(); ++i) {
      Value& v = i < node.parameters.size() ? node.parameters[i] : node.count;
      move(v);
      for (trace::Alternative& a : v.alternatives) move(a.value);
    }
}

class Concatenation {
 public:
  Concatenation(Process& whole, Process& tail, const Signatures& signatures)
      : whole_(whole), tail_(tail), signatures_(signatures), shapes_(signatures) {}

  void run() {
    std::vector<Stream> layers;
    for (auto [thread, layer] : layers_needed()) layers.push_back(whole_layer(thread, layer));
    std::vector<Number> starts;
    for (const Stream& s : layers) starts.push_back(prefix_of(s));
    for (Stream& s : tail_.streams)
      if (s.layer.empty()) append(std::move(s), 0);
    for (size_t i = 0; i < layers.size(); ++i) append(std::move(layers[i]), starts[i]);
    std::stable_sort(whole_.streams.begin(), whole_.streams.end(), [](const Stream& a, const Stream& b) {
      return std::pair(a.thread, a.layer) < std::pair(b.thread, b.layer);
    });
  }

 private:
  using LayerOfThread = std::pair<uint32_t, std::string>;

  /// Those that have a stream in the tail, or have one in the whole to which the tail adds calls.
  std::vector<LayerOfThread> layers_needed() const {
    std::map<LayerOfThread, bool> needed;
    for (const Process* p : {&whole_, &tail_})
      for (const Stream& s : p->streams)
        if (!s.layer.empty() && find(tail_.streams, s.thread, "")) needed[{s.thread, s.layer}] = true;
    for (const Stream& s : tail_.streams)
      if (!s.layer.empty()) needed[{s.thread, s.layer}] = true;
    std::vector<LayerOfThread> list;
    for (auto& [layer, unused] : needed) list.push_back(layer);
    return list;
  }

  /// All calls of a layer in the tail, of each rank that needs them, merged.
  Stream whole_layer(uint32_t thread, const std::string& layer) const {
    Stream out{.thread = thread, .layer = layer};
    const Stream* before = find(whole_.streams, thread, layer);
    NodeMerger merger(shapes_, options_);
    for (uint32_t rank : tail_.ranks.expand()) {
      Process one = at_rank(tail_, rank);
      const Stream* outer = find(one.streams, thread, "");
      const Stream* own = find(one.streams, thread, layer);
      if (!own && !(before && ranks_of(*before, whole_).contains(rank))) continue;
      uint64_t limit = own ? static_cast<uint64_t>(own->prefix.constant()) : UINT64_MAX;
      std::vector<Node> nodes;
      if (outer) nodes = calls_of(outer->nodes, signatures_, layer, limit);
      std::vector<Node> more = own ? own->nodes : std::vector<Node>();
      shift_places(more, nodes.size());
      std::move(more.begin(), more.end(), std::back_inserter(nodes));
      RankSet ranks = RankSet::range(rank, 1);
      out.nodes = out.ranks.empty()
                      ? std::move(nodes)
                      : merger.merge(std::move(out.nodes), std::move(nodes), {out.ranks, ranks});
      out.ranks = out.ranks.united(ranks);
    }
    return out;
  }

  /// Where a layer stream begins on the ranks of `tail`: behind all calls of the layer before the tail, if
  /// the rank has no such stream yet.
  Number prefix_of(const Stream& tail) const {
    const Stream* before = find(whole_.streams, tail.thread, tail.layer);
    const Stream* outer = find(whole_.streams, tail.thread, "");
    RankSet ranks = before ? ranks_of(*before, whole_).united(tail.ranks) : tail.ranks;
    std::vector<int64_t> starts;
    for (uint32_t rank : ranks.expand()) {
      auto place = before ? ranks_of(*before, whole_).position(rank) : std::nullopt;
      if (place)
        starts.push_back(before->prefix.at(rank, *place));
      else
        starts.push_back(
            outer ? static_cast<int64_t>(count_calls(at_rank(outer->nodes, ranks_of(*outer, whole_), rank),
                                                     signatures_, tail.layer))
                  : 0);
    }
    bool same = std::all_of(starts.begin(), starts.end(), [&](int64_t n) { return n == starts[0]; });
    return same ? Number(starts.empty() ? 0 : starts[0]) : Number(Column::of(starts));
  }

  void append(Stream tail, Number prefix) {
    const RankSet ranks = ranks_of(tail, tail_);
    if (ranks.empty()) return;
    auto found = std::find_if(whole_.streams.begin(), whole_.streams.end(), [&](const Stream& s) {
      return s.thread == tail.thread && s.layer == tail.layer;
    });
    if (found == whole_.streams.end()) {
      tail.ranks = ranks.size() == whole_.ranks.size() ? RankSet() : ranks;
      tail.prefix = std::move(prefix);
      whole_.streams.push_back(std::move(tail));
      return;
    }
    const RankSet before = ranks_of(*found, whole_), both = before.united(ranks);
    if (both.size() > before.size()) restrict_to(found->nodes, before);
    if (both.size() > ranks.size()) restrict_to(tail.nodes, ranks);
    shift_places(tail.nodes, found->nodes.size());
    std::move(tail.nodes.begin(), tail.nodes.end(), std::back_inserter(found->nodes));
    found->ranks = both.size() == whole_.ranks.size() ? RankSet() : both;
    found->prefix = std::move(prefix);
  }

  Process& whole_;
  Process& tail_;
  const Signatures& signatures_;
  Shapes shapes_;
  Options options_;
};

void add_facts(Process& whole, Process& tail) {
  uint64_t end = std::max(whole.start_ns + whole.elapsed_ns, tail.start_ns + tail.elapsed_ns);
  whole.elapsed_ns = end - std::min(whole.start_ns, tail.start_ns);
  whole.start_ns = std::min(whole.start_ns, tail.start_ns);
  add_counts(whole, tail);
  add_heat(whole, tail);
  RankSet early = early_ranks(whole).united(early_ranks(tail));
  if (early.empty()) return;
  bool all = early.size() == whole.ranks.size();
  whole.ending = all ? trace::Ending::early : whole.ending;
  whole.ended_early = all ? RankSet() : early;
}

}  // namespace

void concatenate(Trace& whole, Trace tail) {
  take_head(whole, tail);
  move_into(whole, tail);
  for (Process& p : tail.processes) {
    Process* found = find(whole.processes, p);
    if (!found) {
      whole.processes.push_back(std::move(p));
      continue;
    }
    Concatenation(*found, p, whole.signatures).run();
    add_facts(*found, p);
  }
}

}  // namespace refrain::merge
