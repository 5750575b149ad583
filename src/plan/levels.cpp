#include "plan/levels.hpp"

#include <algorithm>
#include <numeric>

namespace refrain::plan {
namespace {

using trace::Node;
using trace::NodeKind;
using trace::RankSet;

constexpr uint64_t most_ranks = 1 << 16;

class LevelFinder {
 public:
  LevelFinder(const RankSet& ranks, uint32_t rank, TimeOf time, Levels& out)
      : ranks_(ranks),
        place_(ranks.position(rank).value_or(0)),
        time_(time),
        out_(out),
        done_(ranks.size()) {}

  /// `repeated`: the list is the body of a loop, so work at the end of one iteration counts for the next one.
  void look(const std::vector<Node>& nodes, bool repeated) {
    clear();
    if (repeated) start_behind_last_shared(nodes);
    for (const Node& node : nodes) {
      if (is_own(node)) {
        mark_own(node);
        do_before(node);
      } else if (node.kind == NodeKind::event) {
        fill_up(node);
      } else if (node.kind == NodeKind::loop) {
        look(node.body, true);
        clear();
      }
    }
  }

 private:
  bool is_own(const Node& node) const { return !node.ranks.empty() && node.ranks.size() < done_.size(); }
  void clear() { std::fill(done_.begin(), done_.end(), 0.0); }

  void start_behind_last_shared(const std::vector<Node>& nodes) {
    for (auto node = nodes.rbegin(); node != nodes.rend() && is_own(*node); ++node) do_before(*node);
  }

  void mark_own(const Node& node) {
    if (node.kind == NodeKind::event) out_.own.insert(&node);
    for (const Node& inner : node.body) mark_own(inner);
  }

  double total(const Node& node) const {
    double sum = static_cast<double>(time_(node.timing));
    for (const Node& inner : node.body) sum += total(inner);
    return sum;
  }

  void do_before(const Node& node) {
    double share = total(node) / static_cast<double>(node.ranks.size());
    for (uint32_t rank : node.ranks.expand())
      if (auto place = ranks_.position(rank)) done_[*place] += share;
  }

  /// Finds the level to which all ranks must be filled so that the additions make up the recorded sum, as
  /// water fills a vessel with steps.
  void fill_up(const Node& node) {
    double own = done_[place_], executions = static_cast<double>(node.timing.gap.count());
    std::vector<double> steps = done_;
    clear();
    std::sort(steps.begin(), steps.end());
    if (steps.back() <= 0 || executions == 0) return;
    double filled = static_cast<double>(time_(node.timing)), level = 0;
    for (size_t n = 1; n <= steps.size(); ++n) {
      filled += steps[n - 1];
      level = filled / static_cast<double>(n);
      if (n < steps.size() && level <= steps[n]) break;
    }
    double each = executions / static_cast<double>(steps.size());
    out_.shared[&node] = {level / each, std::max(0.0, level - own) / each};
  }

  const RankSet& ranks_;
  uint64_t place_;
  TimeOf time_;
  Levels& out_;
  std::vector<double> done_;  ///< by each rank since the last call that all made, over all iterations
};

/// The recorded distribution is of ranks that had nothing left to do and of others that had all: it says
/// nothing about how the gaps of one of them vary.
void set_gaps(std::vector<Node>& nodes, const std::vector<Node>& original, const Levels& levels) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (auto found = levels.shared.find(&original[i]); found != levels.shared.end()) {
      Histogram& gap = nodes[i].timing.gap;
      gap = Histogram().rescaled(gap.count(), found->second.own_ns);
    }
    set_gaps(nodes[i].body, original[i].body, levels);
  }
}

}  // namespace

uint64_t gap_ns(const trace::Timing& timing) { return timing.gap.sum_ns(); }

uint64_t computing_ns(const trace::Timing& timing) {
  uint64_t sum = timing.gap.sum_ns();
  return sum - std::min(timing.communication.total_ns(), sum);
}

Levels find_levels(const std::vector<Node>& nodes, const RankSet& ranks, uint32_t rank, TimeOf time) {
  Levels levels;
  if (ranks.law() == nullptr && ranks.size() > 1 && ranks.size() <= most_ranks)
    LevelFinder(ranks, rank, time, levels).look(nodes, false);
  return levels;
}

trace::Process with_times_of(const trace::Process& process, uint32_t rank) {
  trace::Process out = process;
  for (size_t s = 0; s < out.streams.size(); ++s) {
    const trace::Stream& stream = process.streams[s];
    if (!stream.layer.empty()) continue;
    const RankSet& ranks = stream.ranks.empty() ? process.ranks : stream.ranks;
    set_gaps(out.streams[s].nodes, stream.nodes, find_levels(stream.nodes, ranks, rank, gap_ns));
  }
  return out;
}

}  // namespace refrain::plan
