// See at_rank.hpp. Nodes of other ranks are left out, so the places of the others change, and with them what
// copies refer to.
#include "trace/at_rank.hpp"

#include <algorithm>

namespace refrain::trace {
namespace {

constexpr uint32_t nowhere = UINT32_MAX;

/// Where the rank stands in a set; also in the empty set of a process that is no part of a job.
std::optional<uint64_t> place_in(const RankSet& ranks, uint32_t rank) {
  return ranks.empty() ? std::optional<uint64_t>(0) : ranks.position(rank);
}

class Extractor {
 public:
  Extractor(uint32_t rank, Times times) : rank_(rank), times_(times) {}

  /// `place`: of the rank among those that run what encloses the list.
  std::vector<Node> list(const std::vector<Node>& nodes, uint64_t place) {
    std::vector<Node> out;
    std::vector<uint32_t> moved(nodes.size(), nowhere);
    out.reserve(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      auto x = node(nodes[i], place);
      if (!x) continue;
      moved[i] = static_cast<uint32_t>(out.size());
      out.push_back(std::move(*x));
    }
    if (out.size() < nodes.size())
      for (Node& x : out) redirect(x, moved);
    return out;
  }

 private:
  /// Nothing if the rank doesn't run the node, or nothing of its body.
  std::optional<Node> node(const Node& x, uint64_t around) {
    auto place = x.ranks.empty() ? std::optional(around) : x.ranks.position(rank_);
    if (!place) return {};
    Node out{.kind = x.kind, .signature = x.signature, .count = x.count.at(rank_, *place)};
    out.parameters.reserve(x.parameters.size());
    for (const Value& v : x.parameters) out.parameters.push_back(v.at(rank_, *place));
    out.body = x.kind == NodeKind::choice ? arms(x.body, *place) : list(x.body, *place);
    if (x.kind != NodeKind::event && out.body.empty()) return {};
    if (times_ == Times::keep) out.timing = x.timing;
    return out;
  }

  /// Arms are selected by number: one that isn't there leaves its place empty.
  std::vector<Node> arms(const std::vector<Node>& nodes, uint64_t place) {
    std::vector<Node> out;
    for (const Node& x : nodes) out.push_back(node(x, place).value_or(Node{.kind = NodeKind::group}));
    return out;
  }

  static void redirect(Node& node, const std::vector<uint32_t>& moved) {
    auto follow = [&](Value& v) {
      if (v.form == Form::copy) v.sibling = v.sibling < moved.size() ? moved[v.sibling] : nowhere;
    };
    follow(node.count);
    for (Value& v : node.parameters) follow(v);
  }

  uint32_t rank_;
  Times times_;
};

}  // namespace

std::vector<Node> at_rank(const std::vector<Node>& nodes, const RankSet& around, uint32_t rank, Times times) {
  auto place = place_in(around, rank);
  return place ? Extractor(rank, times).list(nodes, *place) : std::vector<Node>();
}

Process at_rank(const Process& process, uint32_t rank, Times times) {
  Process out{.pid = process.pid, .parent_pid = process.parent_pid, .program = process.program};
  if (!process.ranks.empty()) out.ranks = RankSet::range(rank, 1);
  out.arguments = process.arguments;
  out.directory = process.directory;
  out.start_ns = process.start_ns;
  out.elapsed_ns = process.elapsed_ns;
  out.ending = process.ended_early.contains(rank) ? Ending::early : process.ending;
  if (process.ranks.size() <= 1) {
    out.loss = process.loss;
    out.empty_tests = process.empty_tests;
  }
  for (const RankLoss& lost : process.losses)
    if (lost.rank == rank) out.loss = lost.loss;
  for (const Stream& s : process.streams) {
    auto place = place_in(ranks_of(s, process), rank);
    if (!place) continue;
    Stream& stream = out.streams.emplace_back();
    stream.thread = s.thread;
    stream.layer = s.layer;
    stream.prefix = s.prefix.at(rank, *place);
    stream.nodes = Extractor(rank, times).list(s.nodes, *place);
  }
  return out;
}

Trace without_processes(const Trace& trace) {
  Trace out{.command = trace.command, .host = trace.host, .recorder = trace.recorder};
  out.layers = trace.layers;
  out.notes = trace.notes;
  out.nprocs = trace.nprocs;
  out.templates = trace.templates;
  out.lists = trace.lists;
  out.signatures = trace.signatures;
  return out;
}

Trace at_rank(const Trace& trace, uint32_t rank) {
  Trace out = without_processes(trace);
  for (const Process& process : trace.processes)
    if (process.ranks.contains(rank)) out.processes.push_back(at_rank(process, rank));
  return out;
}

bool is_plain(const std::vector<Node>& nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [](const Node& n) {
    return n.ranks.empty() && n.count.is_plain() &&
           std::all_of(n.parameters.begin(), n.parameters.end(),
                       [](const Value& v) { return v.is_plain(); }) &&
           is_plain(n.body);
  });
}

}  // namespace refrain::trace
