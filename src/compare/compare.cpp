// Who is compared with whom. Ranks pair by their number, processes that are no ranks by the order in which
// they were started, as far as the traces tell, threads by their number. Of the processes that are no ranks,
// those without calls count only where they order others (trace/process_tree.hpp): `uname`, which a program
// ran, no kernel repeats. The work follows structure, not volume, wherever structure is equal:
//
//   1. Processes that stand for the same ranks and have the same trees are equal for all these ranks, and
//      nothing is run.
//   2. Of the others, each rank is compared in turn, with the trees that are its own. Ranks often repeat each
//      other: a pair of trees that was found equal the long way is remembered, and a later pair of the same
//      trees is equal as well.
//   3. Within two streams, equal nodes are skipped, and only what differs in structure is run; see
//      stream_pair.cpp.
#include "compare/compare.hpp"

#include <algorithm>
#include <map>

#include "base/hash.hpp"
#include "compare/same_tree.hpp"
#include "compare/stream_pair.hpp"
#include "trace/at_rank.hpp"
#include "trace/process_tree.hpp"
#include "trace/text.hpp"

namespace refrain::compare {
namespace {

using trace::Process;
using trace::Trace;

constexpr uint64_t most_ranks = uint64_t{1} << 22;  ///< compared one by one

struct Member {
  uint32_t rank;
  size_t process;
  bool operator<(const Member& other) const {
    return rank != other.rank ? rank < other.rank : process < other.process;
  }
};

/// The streams of one rank.
Streams streams_of(const Process& process, std::optional<uint32_t> rank) {
  return rank ? trace::at_rank(process, *rank).streams : process.streams;
}

/// Pairs of trees that were run and turned out equal, some of them.
class KnownPairs {
 public:
  static constexpr size_t most_known = 64;
  explicit KnownPairs(const Meanings& meanings) : meanings_(meanings) {}

  bool contains(const Streams& here, const Streams& there) const {
    if (known_.empty()) return false;
    auto [begin, end] = known_.equal_range(hash(here, there));
    return std::any_of(begin, end, [&](const auto& entry) {
      return same(Side::here, entry.second.first, here) && same(Side::there, entry.second.second, there);
    });
  }
  void add(Streams here, Streams there) {
    if (known_.size() == most_known) return;
    uint64_t h = hash(here, there);
    known_.emplace(h, std::pair(std::move(here), std::move(there)));
  }

 private:
  uint64_t hash(const Streams& here, const Streams& there) const {
    uint64_t h = here.size();
    for (const auto& s : here) h = hash_combine(h, tree_hash(meanings_, {Side::here, s.nodes}));
    for (const auto& s : there) h = hash_combine(h, tree_hash(meanings_, {Side::there, s.nodes}));
    return h;
  }
  bool same(Side side, const Streams& a, const Streams& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
      return x.thread == y.thread && x.layer == y.layer && x.prefix == y.prefix &&
             same_tree(meanings_, {side, x.nodes}, {side, y.nodes});
    });
  }

  const Meanings& meanings_;
  std::multimap<uint64_t, std::pair<Streams, Streams>> known_;
};

class Comparer {
 public:
  Comparer(const Trace& here, const Trace& there, const Options& options)
      : traces_{&here, &there},
        meanings_(here, there, options.root, options.races),
        streams_(meanings_, options.layers),
        known_(meanings_) {}

  Result<Comparison> run() {
    for (auto step : {&Comparer::sizes, &Comparer::ranks, &Comparer::others}) {
      Result<void> done = (this->*step)();
      if (!done) return tl::unexpected(done.error());
      if (result_.difference) break;
    }
    result_.walked = streams_.walked();
    return std::move(result_);
  }

 private:
  Result<void> sizes() {
    if (traces_[0]->nprocs != traces_[1]->nprocs)
      differ_in_number(Difference::Kind::ranks, traces_[0]->nprocs, traces_[1]->nprocs);
    return {};
  }

  Result<void> ranks() {
    std::array<std::vector<bool>, 2> settled = settle_whole_processes();
    std::array<std::vector<Member>, 2> members;
    for (size_t side : {0, 1}) {
      auto listed = list_ranks(*traces_[side], settled[side]);
      if (!listed) return tl::unexpected(listed.error());
      members[side] = std::move(*listed);
    }
    size_t i = 0, j = 0;
    while ((i < members[0].size() || j < members[1].size()) && !result_.difference) {
      const Member* a = i < members[0].size() ? &members[0][i] : nullptr;
      const Member* b = j < members[1].size() ? &members[1][j] : nullptr;
      bool has_a = a && (!b || a->rank <= b->rank), has_b = b && (!a || b->rank <= a->rank);
      if (!has_a || !has_b) {
        const Member& only = has_a ? *a : *b;
        result_.difference = {.kind = Difference::Kind::rank,
                              .rank = only.rank,
                              .process = only.process,
                              .present = {has_a, has_b}};
        return {};
      }
      auto done = pair(a->process, b->process, a->rank);
      if (!done) return done;
      ++i, ++j;
    }
    return {};
  }

  /// Marks the processes of both sides that are equal for all their ranks.
  std::array<std::vector<bool>, 2> settle_whole_processes() {
    std::array<std::vector<bool>, 2> settled;
    std::multimap<std::string, size_t> by_ranks;
    for (size_t side : {0, 1}) settled[side].resize(traces_[side]->processes.size());
    for (size_t q = 0; q < traces_[1]->processes.size(); ++q)
      by_ranks.emplace(traces_[1]->processes[q].ranks.text(), q);
    for (size_t p = 0; p < traces_[0]->processes.size(); ++p) {
      const Process& process = traces_[0]->processes[p];
      auto found = by_ranks.find(process.ranks.text());
      if (process.ranks.empty() || found == by_ranks.end()) continue;
      if (!streams_.same_trees(process.streams, traces_[1]->processes[found->second].streams)) continue;
      settled[0][p] = settled[1][found->second] = true;
      result_.pairs += process.ranks.size();
      by_ranks.erase(found);
    }
    return settled;
  }

  Result<std::vector<Member>> list_ranks(const Trace& trace, const std::vector<bool>& settled) const {
    std::vector<Member> members;
    for (size_t p = 0; p < trace.processes.size(); ++p) {
      if (settled[p] || trace::is_idle(trace.processes[p])) continue;
      if (trace.processes[p].ranks.size() > most_ranks - members.size())
        return fail(ErrorKind::limit, "too many ranks to be compared one by one");
      for (uint32_t rank : trace.processes[p].ranks.expand()) members.push_back({rank, p});
    }
    std::sort(members.begin(), members.end());
    return members;
  }

  /// Processes that are not part of a parallel job.
  Result<void> others() {
    std::array<std::vector<size_t>, 2> processes;
    std::array<std::vector<trace::ProcessTree::Member>, 2> trees{tree_of(0), tree_of(1)};
    bool by_tree = trees[0].size() > 1 && trees[1].size() > 1;
    for (size_t side : {0, 1})
      for (size_t m = 0; by_tree && m < trees[side].size(); ++m)
        processes[side].push_back(trees[side][m].process);
    for (size_t side : {0, 1})
      for (size_t p = 0; !by_tree && p < traces_[side]->processes.size(); ++p)
        if (const Process& process = traces_[side]->processes[p];
            process.ranks.empty() && !trace::is_idle(process))
          processes[side].push_back(p);
    if (processes[0].size() != processes[1].size()) {
      differ_in_number(Difference::Kind::processes, processes[0].size(), processes[1].size());
      return {};
    }
    for (size_t k = 0; k < processes[0].size() && !result_.difference; ++k)
      if (auto done = pair(processes[0][k], processes[1][k], std::nullopt); !done) return done;
    for (size_t k = 0; by_tree && k < trees[0].size() && !result_.difference; ++k)
      compare_steps(trees[0][k], trees[1][k]);
    return {};
  }

  /// The processes in the order in which they were started, if that is known; none otherwise.
  std::vector<trace::ProcessTree::Member> tree_of(size_t side) const {
    Result<trace::ProcessTree> tree = trace::process_tree(*traces_[side]);
    return tree ? std::move(tree->members) : std::vector<trace::ProcessTree::Member>();
  }

  void compare_steps(const trace::ProcessTree::Member& here, const trace::ProcessTree::Member& there) {
    for (size_t n = 0; n < std::max(here.steps.size(), there.steps.size()); ++n) {
      auto text = [&](const auto& member) {
        return n < member.steps.size() ? trace::step_text(member.steps[n]) : std::string("nothing more");
      };
      if (n < here.steps.size() && n < there.steps.size() && here.steps[n] == there.steps[n]) continue;
      result_.difference = {
          .kind = Difference::Kind::step, .process = here.process, .values = {text(here), text(there)}};
      return;
    }
  }

  Result<void> pair(size_t p, size_t q, std::optional<uint32_t> rank) {
    Streams here = streams_of(traces_[0]->processes[p], rank),
            there = streams_of(traces_[1]->processes[q], rank);
    ++result_.pairs;
    if (known_.contains(here, there)) return {};
    uint64_t walked = streams_.walked();
    auto found = streams_.compare(here, there);
    if (!found) {
      std::string who = rank ? "rank " + std::to_string(*rank) : "process " + std::to_string(p);
      return within(who + " of the " + found.error().where + " trace",
                    {found.error().kind, found.error().message, {}});
    }
    if (!*found) {
      if (streams_.walked() != walked) known_.add(std::move(here), std::move(there));
      return {};
    }
    result_.difference = std::move(**found);
    result_.difference->rank = rank;
    result_.difference->process = p;
    return {};
  }

  void differ_in_number(Difference::Kind kind, uint64_t here, uint64_t there) {
    result_.difference = {.kind = kind, .values = {std::to_string(here), std::to_string(there)}};
  }

  std::array<const Trace*, 2> traces_;
  Meanings meanings_;
  StreamPairs streams_;
  KnownPairs known_;
  Comparison result_;
};

}  // namespace

Result<Comparison> compare(const Trace& here, const Trace& there, const Options& options) {
  return Comparer(here, there, options).run();
}

}  // namespace refrain::compare
