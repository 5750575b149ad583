// See unify.hpp. Before runs are merged, what depends on the rank is written out by place, and what would be
// joined in a way that loses something is made plain: copies become what they copy, slopes that don't matter
// get a value that is known to mean so, lists become the pair [0, number of the list].
#include "extrapolate/unify_runs.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "extrapolate/copies.hpp"
#include "extrapolate/equal_names.hpp"
#include "extrapolate/list_arguments.hpp"
#include "extrapolate/split_loops.hpp"
#include "extrapolate/times.hpp"
#include "merge/merge_ranks.hpp"
#include "merge/normalize_ranks.hpp"
#include "merge/table_references.hpp"
#include "trace/at_rank.hpp"

namespace refrain::extrapolate {
namespace {

using trace::Alternative;
using trace::Column;
using trace::Form;
using trace::Node;
using trace::NodeKind;
using trace::Number;
using trace::RankSet;
using trace::Value;

constexpr uint64_t longest_list = 1 << 16;

/// The run's part of the large job.
class Placer {
 public:
  Placer(const trace::Trace& run, SplitLoops split_loops, Unified& all)
      : run_(run),
        first_(static_cast<uint32_t>(all.places.size())),
        split_loops_(split_loops),
        joined_loops_(all.joined_loops),
        lists_(all.lists) {}

  void stream(trace::Stream& s, const RankSet& around) {
    const RankSet own = s.ranks.empty() ? around : s.ranks;
    merge::normalize(s.nodes);
    number(s.prefix, own);
    list(s.nodes, own, 0);
    move(s.ranks);
  }

  void move(RankSet& set) const {
    std::vector<uint32_t> ranks = set.expand();
    for (uint32_t& r : ranks) r += first_;
    set = RankSet::of(std::move(ranks));
  }

 private:
  void list(std::vector<Node>& nodes, const RankSet& around, size_t loops) {
    resolve_copies(nodes, around);
    auto joined = join_split_loops(nodes, around, run_, loops, split_loops_, lists_);
    for (Node& node : nodes) {
      const RankSet own = node.ranks.empty() ? around : node.ranks;
      std::vector<bool> refers = references(node);
      value(node.count, own, node.kind == NodeKind::choice);  // which phase it is, is no amount
      for (size_t p = 0; p < node.parameters.size(); ++p) value(node.parameters[p], own, refers[p]);
      list(node.body, own, loops + (node.kind == NodeKind::loop ? 1 : 0));
      move(node.ranks);
    }
    for (auto& [i, node] : joined) move(node.ranks), nodes[i] = std::move(node);
    joined_loops_ += joined.size();
  }

  /// Which parameters are numbers of strings and lists.
  std::vector<bool> references(const Node& node) const {
    std::vector<bool> refers(node.parameters.size(), false);
    if (node.kind != NodeKind::event) return refers;
    for (trace::OperandKind kind : {trace::OperandKind::text, trace::OperandKind::long_list})
      trace::for_references(run_.signatures[node.signature], kind, [&](size_t p) { refers[p] = true; });
    return refers;
  }

  void value(Value& v, const RankSet& ranks, bool refers) {
    for (Alternative& a : v.alternatives) {
      value(a.value, a.ranks, refers);
      move(a.ranks);
    }
    number(v.base, ranks);
    number(v.step, ranks);
    for (Number& n : v.slopes) {
      if (n.is_constant() && n.constant() == Value::any_slope) n = Unified::unknown_slope;
      number(n, ranks);
    }
    if (!refers && (v.form == Form::column || v.form == Form::separable)) number_lists(v, ranks);
    for (Number& n : v.entries) number(n, ranks);
  }

  void number_lists(Value& v, const RankSet& ranks) {
    auto pair = [](Number number) {
      std::vector<Number> entries{Number(0)};
      entries.push_back(std::move(number));
      return entries;
    };
    if (v.entries.empty() && (!v.column || v.column->size() > longest_list)) return;
    if (v.entries.empty()) {
      v.entries = pair(lists_.number_of(v.column->expand()));
    } else {
      std::vector<uint32_t> members = ranks.expand();
      std::vector<int64_t> numbers;
      for (size_t k = 0; k < members.size(); ++k) {
        std::vector<int64_t> list;
        for (const Number& n : v.entries) list.push_back(n.at(members[k], k));
        numbers.push_back(lists_.number_of(std::move(list)));
      }
      v.entries = pair(Number(Column::of(numbers)));
    }
    v.column.reset();
  }

  /// An expression becomes the table of its values.
  static void number(Number& n, const RankSet& ranks) {
    if (!n.expression()) return;
    std::vector<uint32_t> members = ranks.expand();
    std::vector<int64_t> values(members.size());
    n.expression()->evaluate(members, values);
    n = Number(Column::of(values));
  }

  const trace::Trace& run_;
  uint32_t first_;
  SplitLoops split_loops_;
  size_t& joined_loops_;
  Lists& lists_;
};

/// The process that all ranks are; others, such as a launcher's, are no part of the job.
Result<trace::Process> job_of(trace::Trace& run) {
  std::string where = "the run of " + std::to_string(run.nprocs) + " ranks";
  trace::Process* job = nullptr;
  for (trace::Process& p : run.processes) {
    if (p.ranks.empty()) continue;
    if (job) return fail(ErrorKind::bad_input, "its ranks didn't all run the same program", where);
    job = &p;
  }
  if (!job || run.nprocs == 0) return fail(ErrorKind::bad_input, "not the trace of a parallel job", where);
  if (job->ranks != RankSet::range(0, run.nprocs))
    return fail(ErrorKind::bad_input, "ranks are missing", where);
  if (job->loss.total() > 0) return fail(ErrorKind::bad_input, "calls were lost when it was recorded", where);
  if (job->ending == trace::Ending::early || !job->ended_early.empty())
    return fail(ErrorKind::bad_input, "ranks ended early", where);
  return std::move(*job);
}

/// Merging adds up the times of all ranks, and with them those of all runs. So the runs are merged once for
/// each of them, with the times of that one only: how trees are aligned doesn't depend on times.
void fit_runs(const std::vector<trace::Trace>& timed, const std::vector<uint32_t>& sizes,
              trace::Process& merged) {
  std::vector<trace::Process> by_run;
  std::vector<TimePoint> elapsed;
  for (size_t k = 0; k < timed.size(); ++k) {
    std::vector<trace::Trace> runs = timed;
    for (size_t other = 0; other < runs.size(); ++other)
      if (other != k) trace::drop_times(runs[other]);
    runs[k].processes[0].heat = {};
    elapsed.push_back({static_cast<double>(sizes[k]), static_cast<double>(runs[k].processes[0].elapsed_ns)});
    by_run.push_back(std::move(merge::merge_unfinished(std::move(runs)).processes[0]));
  }
  fit_times(merged, by_run, sizes);
  merged.elapsed_law = fit_time(elapsed);
}

}  // namespace

int64_t Lists::number_of(std::vector<int64_t> list) {
  auto [known, added] = numbers_.emplace(list, static_cast<int64_t>(lists_.size()));
  if (added) lists_.push_back(std::move(list));
  return known->second;
}

Result<Unified> unify(std::vector<trace::Trace> runs, bool times, SplitLoops split_loops) {
  std::sort(runs.begin(), runs.end(),
            [](const trace::Trace& a, const trace::Trace& b) { return a.nprocs < b.nprocs; });
  Unified out;
  const ListArguments list_arguments(runs);
  for (trace::Trace& run : runs) {
    if (!out.sizes.empty() && out.sizes.back() == run.nprocs)
      return fail(ErrorKind::usage, "two runs have " + std::to_string(run.nprocs) + " ranks");
    auto job = job_of(run);
    if (!job) return tl::unexpected(job.error());
    Placer placer(run, split_loops, out);
    for (trace::Stream& s : job->streams) placer.stream(s, job->ranks);
    placer.move(job->ranks);
    for (trace::Stream& s : job->streams)
      list_arguments.make_alike(s.nodes, s.ranks.empty() ? job->ranks : s.ranks, run, out.lists);
    for (uint32_t rank = 0; rank < run.nprocs; ++rank) out.places.push_back({rank, run.nprocs});
    out.sizes.push_back(run.nprocs);
    run.processes.clear();
    run.processes.push_back(std::move(*job));
  }
  const trace::Process& last = runs.back().processes[0];
  std::string program = last.program, directory = last.directory, command = runs.back().command;
  std::vector<std::string> arguments = last.arguments;
  for (trace::Trace& run : runs) {
    run.command = command;
    run.processes[0].program = program;
    run.processes[0].directory = directory;
    run.processes[0].arguments = arguments;
  }
  std::vector<trace::Trace> timed;
  if (times) timed = runs;
  for (trace::Trace& run : runs) trace::drop_times(run);
  out.trace = merge::merge_unfinished(std::move(runs));
  refer_to_first_names(out.trace);
  if (times) fit_runs(timed, out.sizes, out.trace.processes[0]);
  return out;
}

}  // namespace refrain::extrapolate
