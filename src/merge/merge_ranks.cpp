// See merge_ranks.hpp. The trees are merged in merge_nodes.cpp; here is what stands around them.
#include "merge/merge_ranks.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "merge/facts.hpp"
#include "merge/finish.hpp"
#include "merge/join.hpp"
#include "merge/merge_nodes.hpp"
#include "merge/normalise.hpp"
#include "merge/renumber.hpp"
#include "merge/side_by_side.hpp"
#include "trace/at_rank.hpp"

namespace refrain::merge {
namespace {

using trace::Ending;
using trace::Process;
using trace::RankSet;
using trace::Stream;
using trace::Trace;

/// Processes with equal keys are merged.
std::string key_of(const Process& p) {
  ByteWriter key;
  key.string(p.program);
  key.string(p.directory);
  for (const std::string& argument : p.arguments) key.string(argument);
  key.u8(p.ending == Ending::replaced);
  return {key.bytes().begin(), key.bytes().end()};
}

/// Whether two processes can be merged: no rank is in both. Sets too large to be listed stay apart.
bool disjoint(const RankSet& a, const RankSet& b) {
  if (std::max(a.size(), b.size()) > RankSet::most_listed) return false;
  if (a.last() < b.first() || b.last() < a.first()) return true;
  std::vector<uint32_t> ranks = b.expand();
  return std::none_of(ranks.begin(), ranks.end(), [&](uint32_t rank) { return a.contains(rank); });
}

/// All but the streams.
void merge_facts(Process& a, const Process& b) {
  RankSet early = early_ranks(a).united(early_ranks(b));
  add_counts(a, b);
  a.start_ns = std::min(a.start_ns, b.start_ns);
  a.elapsed_ns = std::max(a.elapsed_ns, b.elapsed_ns);
  a.pid = a.parent_pid = 0;
  if (a.ending == Ending::early) a.ending = b.ending;
  a.ranks = a.ranks.united(b.ranks);
  a.ended_early = a.ending == Ending::early ? RankSet() : early;
}

Stream* find(std::vector<Stream>& streams, const Stream& like) {
  for (Stream& s : streams)
    if (s.thread == like.thread && s.layer == like.layer) return &s;
  return nullptr;
}

void sort_streams(Process& p) {
  std::stable_sort(p.streams.begin(), p.streams.end(), [](const Stream& x, const Stream& y) {
    return std::tie(x.thread, x.layer) < std::tie(y.thread, y.layer);
  });
}

class ProcessMerger {
 public:
  ProcessMerger(const Trace& tables, const Options& options)
      : shapes_(tables.signatures), nodes_(shapes_, options) {}

  void merge(Process& a, Process b) const {
    for (Stream& mine : a.streams) {
      Stream* other = find(b.streams, mine);
      if (other)
        streams(mine, std::move(*other), a, b);
      else if (mine.ranks.empty())
        mine.ranks = a.ranks;
    }
    for (Stream& other : b.streams) {
      if (find(a.streams, other)) continue;
      if (other.ranks.empty()) other.ranks = b.ranks;
      a.streams.push_back(std::move(other));
    }
    merge_facts(a, b);
    sort_streams(a);
  }

 private:
  void streams(Stream& a, Stream b, const Process& in_a, const Process& in_b) const {
    const RankSet a_ranks = ranks_of(a, in_a), b_ranks = ranks_of(b, in_b);
    Order order(a_ranks, b_ranks);
    join(a.prefix, b.prefix, order);
    a.nodes = nodes_.merge(std::move(a.nodes), std::move(b.nodes), order);
    bool everyone = a.ranks.empty() && b.ranks.empty();
    a.ranks = everyone ? RankSet() : a_ranks.united(b_ranks);
  }

  Shapes shapes_;
  NodeMerger nodes_;
};

/// In order of their ranks, in a tree: each step merges neighbours, so numbers are mostly appended.
Process merged(std::vector<Process> processes, const ProcessMerger& merger) {
  std::sort(processes.begin(), processes.end(),
            [](const Process& a, const Process& b) { return a.ranks.first() < b.ranks.first(); });
  for (size_t step = 1; step < processes.size(); step *= 2)
    for (size_t i = 0; i + step < processes.size(); i += 2 * step)
      merger.merge(processes[i], std::move(processes[i + step]));
  return std::move(processes[0]);
}

/// Processes that become one. A rank that ran the program twice has its second process in another group.
struct Group {
  RankSet ranks;
  std::vector<Process> processes;
};

/// Merges what can be among the processes of one trace.
void merge_processes(Trace& trace, const Options& options) {
  ProcessMerger merger(trace, options);
  std::vector<Group> groups;
  std::multimap<std::string, size_t> by_key;
  for (Process& p : trace.processes) {
    for (Stream& s : p.streams) normalise(s.nodes);
    auto [same, end] = by_key.equal_range(p.ranks.empty() ? std::string() : key_of(p));
    while (same != end && !disjoint(groups[same->second].ranks, p.ranks)) ++same;
    size_t group = same == end ? groups.size() : same->second;
    if (group == groups.size()) groups.emplace_back();
    if (same == end && !p.ranks.empty()) by_key.emplace(key_of(p), group);
    groups[group].ranks = groups[group].ranks.united(p.ranks);
    groups[group].processes.push_back(std::move(p));
  }
  trace.processes.clear();
  for (Group& group : groups) trace.processes.push_back(merged(std::move(group.processes), merger));
}

}  // namespace

Trace merge_ranks(std::vector<Trace> parts, const Options& options) {
  return merged_ranks(side_by_side(std::move(parts)), options);
}

Trace merged_ranks(Trace trace, const Options& options) {
  bool any = std::any_of(trace.processes.begin(), trace.processes.end(),
                         [](const Process& p) { return !p.ranks.empty(); });
  if (!any) return trace;
  merge_processes(trace, options);
  finish(trace);
  return trace;
}

Trace merge_unfinished(std::vector<Trace> parts, const Options& options) {
  Trace whole = side_by_side(std::move(parts));
  merge_processes(whole, options);
  return whole;
}

Trace merge_two(Trace a, Trace b, const Options& options) {
  take_head(a, b);
  move_into(a, b);
  std::move(b.processes.begin(), b.processes.end(), std::back_inserter(a.processes));
  merge_processes(a, options);
  return a;
}

}  // namespace refrain::merge
