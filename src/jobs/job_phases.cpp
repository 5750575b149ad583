// A trace knows exactly which calls were made and how many bytes they moved, in which loops. Of times it
// keeps, per call of the folded program, a histogram of the gaps before it. So phases are cut in the folded
// program:
//
//   loop i 40                        gaps before the call (4 ranks)
//     open                           160 of 2 s
//     loop j 16
//       pwrite 1 MB                  2560 of 1 ms
//     close                          160 of 1 ms
//
// The threshold is 0.1 s: every gap before `open` is longer, so a cut stands before it; none elsewhere. An
// iteration is one phase: 2 s of compute, and what follows until the next cut, 16 MB from each of 4 ranks.
// The loop becomes 40 times [2.018 s, 64 MB] without having been run.
//
// Had `open` stood before the loop, the long gaps would be among those before `pwrite`: of its 2560 gaps,
// 160, one per entry of loop j. Where the gaps of a call are of both kinds, their number decides:
//   - most of them long: a cut before the call;
//   - within a loop without other cuts, c of them long per entry: c phases of equal size (one: a cut before
//     the loop).
// The histogram doesn't say which ones were long, and how many only by its sums, so phases that were unequal
// come out equal; their sums are right. Nor does it say how long they were one by one: compute times are
// averages.
//
// Compute time is everything between calls that do I/O: gaps, communication, and calls such as open. Calls
// that wait for the disk (fsync) do I/O without moving data: what was written goes there meanwhile. Bytes are
// exact, of all ranks together. Calls behind the last cut of a loop's body and before the first one
// belong to one phase, which a loop's first and last iteration share with what surrounds it; it is counted in
// the last.
#include "jobs/job_phases.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>

#include "api/table.hpp"
#include "jobs/node_totals.hpp"
#include "jobs/phase_sequence.hpp"
#include "measure/access_rule.hpp"
#include "trace/at_rank.hpp"

namespace refrain::jobs {

namespace {

/// How many of the samples are at least `threshold`. If most are, the buckets say so. They are kept in
/// quarters of the samples and say little of a few long ones among many short; those follow from sums, which
/// are exact: n pauses that are x longer than the shortest gap add n x to the sum and n x² to the sum of
/// squares.
double count_above(const Histogram& histogram, uint64_t threshold) {
  auto count = static_cast<double>(histogram.count());
  if (histogram.min_ns() >= threshold) return count;
  if (histogram.max_ns() < threshold) return 0;
  double above = 0;
  for (int b = Histogram::bucket_of(threshold) + 1; b < Histogram::bucket_count; ++b) {
    above += static_cast<double>(histogram.bucket(b));
  }
  if (above >= count / 2) return above;
  auto shortest = static_cast<double>(histogram.min_ns());
  auto sum = static_cast<double>(histogram.sum_ns());
  double excess = sum - count * shortest;
  double squares = histogram.sum_of_squares() - shortest * (2 * sum - count * shortest);
  return squares > 0 ? std::clamp(excess * excess / squares, 1.0, count) : 1;
}

double in_seconds(uint64_t ns) { return static_cast<double>(ns) / 1e9; }

/// Which calls wait until data has reached the disk.
std::vector<bool> calls_that_wait(const std::vector<trace::Signature>& signatures) {
  std::vector<bool> waits;
  for (const trace::Signature& s : signatures)
    waits.push_back(s.error.empty() &&
                    api::traits_of(s.function).has_any({api::Trait::syncs_file, api::Trait::syncs_data}));
  return waits;
}

/// What surrounds a list of nodes.
struct Around {
  const trace::RankSet* ranks = nullptr;
  double size = 1;  ///< ranks that run the list
  double runs = 1;  ///< how often one of them does
};

double size_of(const trace::RankSet& ranks) { return ranks.empty() ? 1 : static_cast<double>(ranks.size()); }

class Cutter {
 public:
  Cutter(const trace::Trace& trace, const TreeTotals& totals, double gap_seconds)
      : rules_(measure::access_rules(trace.signatures)),
        waits_(calls_that_wait(trace.signatures)),
        totals_(totals),
        threshold_ns_(static_cast<uint64_t>(std::max(1.0, gap_seconds * 1e9))) {}

  Sequence list(std::span<const trace::Node> nodes, const Around& around) {
    Sequence sequence;
    for (const trace::Node& node : nodes) {
      const trace::RankSet& ranks = trace::ranks_of(node, *around.ranks);
      one(node, {&ranks, size_of(ranks), around.runs}, sequence);
    }
    return sequence;
  }

  double io_seconds() const { return io_seconds_; }
  double other_seconds() const { return other_seconds_; }
  bool evened() const { return evened_; }
  bool waited() const { return waited_; }

 private:
  void one(const trace::Node& node, const Around& around, Sequence& sequence) {
    switch (node.kind) {
      case trace::NodeKind::event:
        sequence.add(event(node, around));
        return;
      case trace::NodeKind::group:
        sequence.add(list(node.body, around));
        return;
      case trace::NodeKind::choice:
        for (const trace::Node& arm : node.body) repeated({&arm, 1}, around, sequence);
        return;
      case trace::NodeKind::loop:
        repeated(node.body, around, sequence);
        return;
    }
  }

  /// One execution of what surrounds the call, on an average rank; bytes of all ranks.
  Piece event(const trace::Node& node, const Around& around) {
    double executions = around.size * around.runs;
    const NodeTotal& total = totals_.of(node);
    const trace::Timing& timing = node.timing;
    bool waits = waits_[node.signature];
    bool is_io = waits || rules_[node.signature].effect == measure::AccessRule::Effect::data;
    waited_ |= waits;
    double gap = in_seconds(timing.gap.sum_ns());
    double duration = in_seconds(timing.duration.sum_ns());
    (is_io ? io_seconds_ : other_seconds_) += duration;
    other_seconds_ += gap;
    double samples = static_cast<double>(std::max<uint64_t>(1, timing.gap.count()));
    double above = count_above(timing.gap, threshold_ns_);
    return {.is_cut = timing.gap.count() > 0 && above >= samples / 2,
            .long_gaps = above / executions,
            .compute = (gap + (is_io ? 0 : duration)) / executions,
            .bytes = total.bytes / around.runs};
  }

  /// How often one rank runs a body: as often as the node in it that runs most often.
  double runs_of(std::span<const trace::Node> body, const Around& around) const {
    double most = 0;
    for (const trace::Node& node : body) {
      const trace::RankSet& ranks = trace::ranks_of(node, *around.ranks);
      auto timed = static_cast<double>(node.timing.duration.count());
      most = std::max(most, std::max(totals_.of(node).executions, timed) / size_of(ranks));
      if (node.kind == trace::NodeKind::group) {
        most = std::max(most, runs_of(node.body, {&ranks, size_of(ranks), 1}));
      }
    }
    return most;
  }

  void repeated(std::span<const trace::Node> body, const Around& around, Sequence& sequence) {
    double runs = runs_of(body, around);
    if (runs <= 0) return;
    evened_ |= sequence.add_repeated(list(body, {around.ranks, around.size, runs}), runs / around.runs);
  }

  std::vector<measure::AccessRule> rules_;
  std::vector<bool> waits_;  ///< by signature
  const TreeTotals& totals_;
  uint64_t threshold_ns_;
  double io_seconds_ = 0;     ///< of all ranks together
  double other_seconds_ = 0;  ///< likewise
  bool evened_ = false;
  bool waited_ = false;
};

/// The outer stream that moved the most bytes.
struct Largest {
  const trace::Process* process = nullptr;
  const trace::Stream* stream = nullptr;
  TreeTotals totals{};
  double bytes = 0;
  size_t others = 0;  ///< further streams that moved some
};

Largest find_largest(const trace::Trace& trace, const JobOptions& options) {
  Largest largest;
  for (const trace::Process& process : trace.processes) {
    for (const trace::Stream& stream : process.streams) {
      if (!stream.layer.empty()) continue;
      TreeTotals totals = total_nodes(trace, process, stream, {.walked_events = options.walked_events});
      double bytes = 0;
      for (const auto& [node, total] : totals.nodes) bytes += total.bytes;
      if (bytes <= 0) continue;
      largest.others += largest.stream != nullptr;
      if (bytes <= largest.bytes) continue;
      largest = {&process, &stream, std::move(totals), bytes, largest.others};
    }
  }
  return largest;
}

std::vector<std::string> notes_on(const trace::Trace& trace, const Largest& largest, const Cutter& cutter) {
  std::vector<std::string> notes;
  for (const std::string& note : trace.notes)
    if (note.starts_with(trace::Trace::estimates_note)) notes.push_back(note);
  if (cutter.evened()) notes.emplace_back("phases of a loop with irregular pauses are taken to be equal");
  if (largest.totals.sampled) notes.emplace_back("bytes are estimated from some of the ranks");
  if (largest.totals.incomplete) notes.emplace_back("the trace is too long: bytes are missing");
  if (largest.others > 0) {
    notes.push_back(fmt::format("{} other processes or threads that did I/O are left out", largest.others));
  }
  return notes;
}

}  // namespace

Result<TraceJob> job_of(const trace::Trace& trace, const JobOptions& options) {
  Largest largest = find_largest(trace, options);
  if (largest.stream == nullptr)
    return fail(ErrorKind::bad_input, "no process of the trace read or wrote any data");
  const trace::RankSet& ranks = trace::ranks_of(*largest.stream, *largest.process);
  double size = size_of(ranks);
  Cutter cutter(trace, largest.totals, options.gap_seconds);
  Sequence sequence = cutter.list(largest.stream->nodes, {&ranks, size, 1});
  double counted = sequence.total().compute;
  if (counted > 0) sequence.scale_compute(cutter.other_seconds() / size / counted);

  TraceJob made{.ranks = ranks.empty() ? 1 : ranks.size(), .io_seconds = cutter.io_seconds() / size};
  if (made.io_seconds > 0) made.bandwidth = largest.bytes / made.io_seconds;
  made.waited_for_disk = cutter.waited();
  made.notes = notes_on(trace, largest, cutter);
  made.job.name = std::filesystem::path(largest.process->program).filename().string();
  made.job.nodes = static_cast<uint32_t>((made.ranks + options.ranks_per_node - 1) / options.ranks_per_node);
  sequence.append_to(made.job);
  return made;
}

}  // namespace refrain::jobs
