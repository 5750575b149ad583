// Laws of times become histograms; see estimate_times.hpp. How often an event runs on a rank is
// the product of how often the loops around it turn, on average. A loop that turns i times in iteration i of
// a loop around it, which turns 10 times, does so (0 + 9) / 2 times on average: sums over boxes of indices
// are exact this way, and where trip counts are lists, their mean is.
#include "scale/estimate_times.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "measure/sums.hpp"
#include "trace/at_rank.hpp"
#include "trace/time_law.hpp"
#include "trace/trace.hpp"

namespace refrain::scale {

using namespace trace;

namespace {

constexpr double most_executions = 0x1p60;
constexpr uint64_t most_ranks = 64;  ///< that are looked at where they differ

/// What stands around a node: a loop, or an arm of a choice.
struct Around {
  const Node* loop = nullptr;  ///< null: an arm, which is taken in `share` of the cases
  const std::vector<Node>* siblings = nullptr;
  double share = 1;
};

double mean_of(const Column& column) {
  if (column.size() == 0) return 0;
  std::optional<uint64_t> sum = measure::sum_of(column, column.size());
  return sum ? static_cast<double>(static_cast<int64_t>(*sum)) / static_cast<double>(column.size()) : 0;
}

/// How often something runs on one rank, from the outermost loop inwards.
class Turns {
 public:
  explicit Turns(uint32_t rank) : rank_(rank) {}

  void enter(const Around& around) {
    if (!around.loop) {
      runs_ *= around.share;
      return;
    }
    double turns = std::max(0.0, mean(around.loop->count, around.siblings));
    runs_ = std::min(runs_ * turns, most_executions);
    turns_.push_back(turns);
  }
  double runs() const { return runs_; }

 private:
  double at(const Number& n) const {
    return n.is_constant() && n.constant() == Value::any_slope ? 0 : static_cast<double>(n.at(rank_, 0));
  }

  double mean(const Value& v, const std::vector<Node>* siblings) const {
    double base = at(v.base);
    switch (v.form) {
      case Form::affine:
        return base + slopes(v);
      case Form::counter:
        return base + at(v.step) * std::max(0.0, runs_ - 1) / 2;
      case Form::separable:
        return base + slopes(v) + list(v);
      case Form::power:
        return base + slopes(v) + at(v.step) * mean_power(v);
      case Form::column:
        return base + list(v);
      case Form::by_rank:
        for (const Alternative& a : v.alternatives)
          if (a.ranks.contains(rank_)) return mean(a.value, siblings);
        return 0;
      case Form::copy:
        if (siblings && v.sibling < siblings->size())
          if (const auto& from = (*siblings)[v.sibling].parameters;
              v.parameter < from.size() && from[v.parameter].form != Form::copy)
            return base + mean(from[v.parameter], nullptr);
        return base;
      case Form::running:
        break;
    }
    return base;
  }

  double slopes(const Value& v) const {
    double sum = 0;
    for (size_t d = 0; d < v.slopes.size() && d < turns_.size(); ++d)
      sum += at(v.slopes[d]) * std::max(0.0, turns_[d] - 1) / 2;
    return sum;
  }

  /// Of the powers of the ratio that the turns of its loop have.
  double mean_power(const Value& v) const {
    double turns = v.depth < turns_.size() ? turns_[v.depth] : 0, ratio = static_cast<double>(v.ratio);
    return turns < 1 ? 1 : (std::pow(ratio, std::min(turns, 63.0)) - 1) / (ratio - 1) / turns;
  }

  double list(const Value& v) const {
    if (v.column) return mean_of(*v.column);
    double sum = 0;
    for (const Number& n : v.entries) sum += at(n);
    return v.entries.empty() ? 0 : sum / static_cast<double>(v.entries.size());
  }

  uint32_t rank_;
  double runs_ = 1;
  std::vector<double> turns_;
};

class Estimator {
 public:
  Estimator(uint32_t nprocs, Estimates& estimates) : nprocs_(nprocs), estimates_(estimates) {}

  void list(std::vector<Node>& nodes, const RankSet& ranks) {
    for (Node& node : nodes) {
      const RankSet& own = ranks_of(node, ranks);
      if (node.kind == NodeKind::event) event(node, own);
      if (node.kind == NodeKind::group) list(node.body, own);
      if (node.kind == NodeKind::loop) {
        around_.push_back({&node, &nodes, 1});
        list(node.body, own);
        around_.pop_back();
      }
      if (node.kind == NodeKind::choice) choice(node, own);
    }
  }

  /// What a rank spends in the events so far and between them, on average.
  double spent_ns(uint64_t ranks) const {
    return spent_ns_ / static_cast<double>(std::max<uint64_t>(1, ranks));
  }

  uint64_t ns(const TimeModel& model) {
    double predicted = model.at(nprocs_);
    if (!model.is_zero()) ++estimates_.made;
    if (predicted < 0) ++estimates_.negative;
    return predicted > 0 ? static_cast<uint64_t>(std::min(predicted, most_executions)) : 0;
  }

 private:
  void choice(Node& node, const RankSet& own) {
    measure::Executions once{.count = 1};
    if (node.count.column) once.count = std::max<uint64_t>(1, node.count.column->size());
    std::optional<std::vector<uint64_t>> counts = measure::arm_counts(node, once);
    for (size_t i = 0; i < node.body.size(); ++i) {
      double share = counts ? static_cast<double>((*counts)[i]) / static_cast<double>(once.count)
                            : 1 / static_cast<double>(node.body.size());
      around_.push_back({.share = share});
      std::vector<Node> arm{std::move(node.body[i])};
      list(arm, own);
      node.body[i] = std::move(arm[0]);
      around_.pop_back();
    }
  }

  void event(Node& node, const RankSet& own) {
    if (!node.time_law) return;
    uint64_t runs = executions(own);
    const TimingLaw& law = *node.time_law;
    uint64_t gap = ns(law.of(TimeClass::compute));
    Communication communication;
    for (size_t c = 0; c < communication_classes; ++c) {
      uint64_t each = ns(law.models[static_cast<size_t>(TimeClass::point_to_point) + c]);
      gap += each;
      double all = std::min(static_cast<double>(each) * static_cast<double>(runs), 0x1p62);
      communication.ns[c] = static_cast<uint64_t>(all);
    }
    uint64_t call = ns(law.of(TimeClass::call));
    node.timing.gap = node.timing.gap.rescaled(runs, static_cast<double>(gap));
    node.timing.duration = node.timing.duration.rescaled(runs, static_cast<double>(call));
    spent_ns_ += static_cast<double>(runs) * (static_cast<double>(gap) + static_cast<double>(call));
    node.timing.communication = communication;
    node.time_law.reset();
  }

  uint64_t executions(const RankSet& own) const {
    bool same = std::all_of(around_.begin(), around_.end(), [](const Around& a) {
      return !a.loop || (a.loop->count.is_plain() && a.loop->count.form != Form::copy);
    });
    uint64_t ranks = std::max<uint64_t>(1, own.size()), looked_at = same ? 1 : std::min(ranks, most_ranks);
    double sum = 0;
    for (uint64_t k = 0; k < looked_at; ++k) {
      Turns turns(own.empty() ? 0 : own.at(k * ranks / looked_at));
      for (const Around& a : around_) turns.enter(a);
      sum += turns.runs();
    }
    double all = sum / static_cast<double>(looked_at) * static_cast<double>(ranks);
    return static_cast<uint64_t>(std::llround(std::min(all, most_executions)));
  }

  uint32_t nprocs_;
  Estimates& estimates_;
  std::vector<Around> around_;
  double spent_ns_ = 0;
};

/// A process takes no less than its ranks do on average, whatever a law of its own says: those with few runs
/// to be fitted to may well be negative at many ranks.
uint64_t at_least(uint64_t elapsed_ns, double spent_ns) {
  return std::max(elapsed_ns, static_cast<uint64_t>(std::min(spent_ns, most_executions)));
}

}  // namespace

void estimate_times(Process& process, uint32_t nprocs, Estimates& estimates) {
  Estimator estimator(nprocs, estimates);
  bool estimated = !process.elapsed_law.is_zero();
  if (estimated) process.elapsed_ns = estimator.ns(process.elapsed_law);
  process.elapsed_law = {};
  for (Stream& s : process.streams) {
    estimator.list(s.nodes, ranks_of(s, process));
    if (estimated && s.thread == 0 && s.layer.empty())
      process.elapsed_ns = at_least(process.elapsed_ns, estimator.spent_ns(process.ranks.size()));
  }
}

}  // namespace refrain::scale
