// See merge_ranks.hpp. The trees are merged in merge_nodes.cpp; here is what stands around them.
#include "merge/merge_ranks.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <tuple>

#include "base/crew.hpp"
#include "merge/facts.hpp"
#include "merge/finish.hpp"
#include "merge/join.hpp"
#include "merge/merge_nodes.hpp"
#include "merge/normalize_ranks.hpp"
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

/// Processes with equal keys are merged. The key takes the place of another one, and mostly its memory.
void set_key(std::string& key, const Process& p) {
  key.clear();
  if (p.ending == Ending::replaced) key += 'r';
  auto add = [&key](const std::string& text) {
    key += std::to_string(text.size());
    key += ':';
    key += text;
  };
  add(p.program);
  add(p.directory);
  for (const std::string& argument : p.arguments) add(argument);
}

uint64_t first_rank(const Process& p) { return p.ranks.empty() ? UINT64_MAX : p.ranks.first(); }

bool has_ranks(const Trace& trace) {
  return std::any_of(trace.processes.begin(), trace.processes.end(),
                     [](const Process& p) { return !p.ranks.empty(); });
}

/// Whether two processes can be merged: no rank is in both. Sets too large to be listed stay apart.
bool disjoint(const RankSet& a, const RankSet& b) {
  bool listed = std::max(a.size(), b.size()) <= RankSet::most_listed;
  return listed && are_apart(a, b, RankSet::most_listed);
}

/// All but the streams.
void merge_facts(Process& a, Process& b) {
  RankSet early = early_ranks(a).united(early_ranks(b));
  add_counts(a, b);
  add_heat(a, b);
  a.start_ns = std::min(a.start_ns, b.start_ns);
  a.elapsed_ns = std::max(a.elapsed_ns, b.elapsed_ns);
  a.pid = a.parent_pid = 0;
  if (a.ending == Ending::early) a.ending = b.ending;
  a.ranks.unite(std::move(b.ranks));
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
  ProcessMerger(Shapes shapes, const Options& options)
      : shapes_(std::move(shapes)), nodes_(shapes_, options) {}
  ProcessMerger(const ProcessMerger&) = delete;
  ProcessMerger& operator=(const ProcessMerger&) = delete;

  const Shapes& shapes() const { return shapes_; }

  /// Makes the first of processes that have not been merged yet the process of all, in a binary tree.
  void merge(std::span<Process> processes) const {
    if (processes.size() == 1) {
      for (Stream& s : processes[0].streams) normalize(s.nodes);
      return;
    }
    size_t half = std::bit_ceil(processes.size()) / 2;
    merge(processes.first(half));
    merge(processes.subspan(half));
    merge(processes[0], std::move(processes[half]));
  }

  /// Makes `a` the process of both.
  void merge(Process& a, Process b) const {
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
/// subtree as soon as its processes are there: each step merges neighbors that are as many, so numbers are
/// mostly appended, and what is merged has just been touched. The tree is cut into bunches of leaves, one job
/// each; two subtrees of the same size next to each other are merged by whoever is ready with the second one.
class Group {
 public:
  /// A rank that ran the program twice has its second process in another group.
  bool has_room_for(const Process& p) const { return disjoint(ranks_, p.ranks); }

  void add(Process&& p, Crew& crew, const std::shared_ptr<const ProcessMerger>& merger) {
    ranks_.unite(p.ranks);
    if (bunches_.empty() || bunches_.back().size() == bunch_size) bunches_.emplace_back().reserve(bunch_size);
    std::vector<Process>& bunch = bunches_.back();
    bunch.push_back(std::move(p));
    if (bunch.size() < bunch_size) return;
    size_t number = bunches_.size() - 1;
    {
      std::lock_guard lock(mutex_);
      subtrees_.push_back({&bunch[0], 0});
    }
    crew.post([this, number, &bunch, merger] {
      merger->merge(std::span(bunch));
      climb(number, *merger);
    });
  }

  /// The process of all. To be called when the jobs are done.
  Process whole(const ProcessMerger& merger) {
    std::vector<Process*> all;
    for (const Subtree& tree : subtrees_)
      if (tree.bunches > 0) all.push_back(tree.merged);
    if (bunches_.size() > subtrees_.size()) {
      merger.merge(std::span(bunches_.back()));
      all.push_back(&bunches_.back()[0]);
    }
    for (; all.size() > 1; all.pop_back()) merger.merge(*all.end()[-2], std::move(*all.back()));
    return std::move(*all[0]);
  }

 private:
  static constexpr size_t bunch_size = 16;

  /// Full bunches that are one process now.
  struct Subtree {
    Process* merged;
    size_t bunches;  ///< 0: not ready yet, or being merged, or part of another one
  };

  /// Goes up the tree from a bunch that is ready, as long as the subtree beside it is ready too.
  void climb(size_t number, const ProcessMerger& merger) {
    for (size_t size = 1;; size *= 2) {
      size_t left = number / (2 * size) * (2 * size), right = left + size;
      size_t other = number == left ? right : left;
      std::unique_lock lock(mutex_);
      if (other >= subtrees_.size() || subtrees_[other].bunches != size) {
        subtrees_[number].bunches = size;
        return;
      }
      subtrees_[other].bunches = 0;
      Process &a = *subtrees_[left].merged, &b = *subtrees_[right].merged;
      lock.unlock();
      merger.merge(a, std::move(b));
      number = left;
    }
  }

  RankSet ranks_;
  std::deque<std::vector<Process>> bunches_;  ///< the first process of each becomes that of all in it
  std::mutex mutex_;
  std::vector<Subtree> subtrees_;  ///< by the number of their first bunch; under the mutex while jobs run
};

/// Merges what can be among processes that arrive in the order of their ranks.
class RankMerger {
 public:
  RankMerger(const Trace& tables, const Options& options)
      : tables_(tables), options_(options), crew_(options.threads) {}

  void add(Process&& p) {
    if (!merger_ || merger_->shapes().known() < tables_.signatures.size()) {
      Shapes shapes = merger_ ? merger_->shapes() : Shapes(tables_.signatures);
      shapes.extend();
      merger_ = std::make_shared<const ProcessMerger>(std::move(shapes), options_);
    }
    group_for(p).add(std::move(p), crew_, merger_);
  }

  std::vector<Process> merged() {
    crew_.finish();
    std::vector<Process> all;
    for (Group& group : groups_) all.push_back(group.whole(*merger_));
    return all;
  }

 private:
  Group& group_for(const Process& p) {
    if (p.ranks.empty()) return groups_.emplace_back();
    set_key(key_, p);
    auto [same, end] = by_key_.equal_range(key_);
    for (; same != end; ++same)
      if (same->second->has_room_for(p)) return *same->second;
    Group& added = groups_.emplace_back();
    by_key_.emplace(key_, &added);
    return added;
  }

  const Trace& tables_;
  const Options& options_;
  std::shared_ptr<const ProcessMerger>
      merger_;  ///< for the signatures that there are; jobs may have an older one
  std::deque<Group> groups_;
  std::multimap<std::string, Group*> by_key_;
  std::string key_;  ///< of the last process
  Crew crew_;        ///< last, so that its jobs end before what they use
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
  finish(whole, options.threads);
  return whole;
}

Trace merged_ranks(Trace trace, const Options& options) {
  if (!has_ranks(trace)) return trace;
  merge_processes(trace, options);
  finish(trace, options.threads);
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
