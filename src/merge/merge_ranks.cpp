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

uint64_t first_rank(const Process& p) { return p.ranks.empty() ? UINT64_MAX : p.ranks.first(); }

bool has_ranks(const Trace& trace) {
  return std::any_of(trace.processes.begin(), trace.processes.end(),
                     [](const Process& p) { return !p.ranks.empty(); });
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
  a.ranks.unite(b.ranks);
  a.ended_early = a.ending == Ending::early ? RankSet() : early;
}

Stream* find(std::vector<Stream>& streams, const Stream& like) {
  for (Stream& s : streams)
    if (s.thread == like.thread && s.layer == like.layer) return &s;
  return nullptr;
}

void sort_streams(Process& p) {
  auto before = [](const Stream& x, const Stream& y) {
    return std::tie(x.thread, x.layer) < std::tie(y.thread, y.layer);
  };
  if (!std::is_sorted(p.streams.begin(), p.streams.end(), before))
    std::stable_sort(p.streams.begin(), p.streams.end(), before);
}

class ProcessMerger {
 public:
  ProcessMerger(const Trace& tables, const Options& options)
      : shapes_(tables.signatures), nodes_(shapes_, options) {}

  /// To be called when the table of signatures has grown.
  void extend() { shapes_.extend(); }

  /// Makes `a` the process of both and uses `b` up.
  void merge(Process& a, Process&& b) const {
    for (Stream& mine : a.streams) {
      Stream* other = find(b.streams, mine);
      if (other)
        streams(mine, *other, a, b);
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
  void streams(Stream& a, Stream& b, const Process& in_a, const Process& in_b) const {
    Order order(ranks_of(a, in_a), ranks_of(b, in_b));
    join(a.prefix, b.prefix, order);
    a.nodes = nodes_.merge(std::move(a.nodes), std::move(b.nodes), order);
    if (!a.ranks.empty() || !b.ranks.empty()) a.ranks = order.a().united(order.b());
  }

  Shapes shapes_;
  NodeMerger nodes_;
};

/// Processes that become one, arriving in the order of their ranks. They are merged in a binary tree, and a
/// subtree as soon as its processes are there: each step merges neighbours that are as many, so numbers are
/// mostly appended, and what is merged has just been touched.
class Group {
 public:
  /// A rank that ran the program twice has its second process in another group.
  bool has_room_for(const Process& p) const { return disjoint(ranks_, p.ranks); }

  void add(Process p, const ProcessMerger& merger) {
    ranks_.unite(p.ranks);
    subtrees_.push_back({std::move(p), 1});
    while (subtrees_.size() > 1 && subtrees_.end()[-2].processes == subtrees_.back().processes)
      merge_last(merger);
  }

  Process whole(const ProcessMerger& merger) {
    while (subtrees_.size() > 1) merge_last(merger);
    return std::move(subtrees_[0].merged);
  }

 private:
  struct Subtree {
    Process merged;
    size_t processes;
  };

  void merge_last(const ProcessMerger& merger) {
    Subtree &last = subtrees_.back(), &before = subtrees_.end()[-2];
    before.processes += last.processes;
    merger.merge(before.merged, std::move(last.merged));
    subtrees_.pop_back();
  }

  RankSet ranks_;
  std::vector<Subtree> subtrees_;
};

/// Merges what can be among processes that arrive in the order of their ranks.
class RankMerger {
 public:
  RankMerger(const Trace& tables, const Options& options) : merger_(tables, options) {}

  void add(Process p) {
    for (Stream& s : p.streams) normalise(s.nodes);
    merger_.extend();
    Group& group = group_for(p);
    group.add(std::move(p), merger_);
  }

  std::vector<Process> merged() {
    std::vector<Process> all;
    for (Group& group : groups_) all.push_back(group.whole(merger_));
    return all;
  }

 private:
  Group& group_for(const Process& p) {
    if (p.ranks.empty()) return groups_.emplace_back();
    std::string key = key_of(p);
    auto [same, end] = by_key_.equal_range(key);
    for (; same != end; ++same)
      if (groups_[same->second].has_room_for(p)) return groups_[same->second];
    by_key_.emplace(std::move(key), groups_.size());
    return groups_.emplace_back();
  }

  ProcessMerger merger_;
  std::vector<Group> groups_;
  std::multimap<std::string, size_t> by_key_;
};

/// Merges what can be among the processes of one trace.
void merge_processes(Trace& trace, const Options& options) {
  std::stable_sort(trace.processes.begin(), trace.processes.end(),
                   [](const Process& a, const Process& b) { return first_rank(a) < first_rank(b); });
  RankMerger merger(trace, options);
  for (Process& p : trace.processes) merger.add(std::move(p));
  trace.processes = merger.merged();
}

}  // namespace

Trace merge_ranks(std::vector<Trace> parts, const Options& options) {
  if (std::none_of(parts.begin(), parts.end(), has_ranks)) return side_by_side(std::move(parts));
  Trace whole = merge_unfinished(std::move(parts), options);
  finish(whole);
  return whole;
}

Trace merged_ranks(Trace trace, const Options& options) {
  if (!has_ranks(trace)) return trace;
  merge_processes(trace, options);
  finish(trace);
  return trace;
}

Trace merge_unfinished(std::vector<Trace> parts, const Options& options) {
  Trace whole;
  RankMerger merger(whole, options);
  for_each_process(std::move(parts), whole, [&](Process p) { merger.add(std::move(p)); });
  whole.processes = merger.merged();
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
