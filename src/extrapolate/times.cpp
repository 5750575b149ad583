// See times.hpp. Models are linear in their factors, so fitting is least squares: with at most three factors,
// the normal equations are solved by elimination. Errors are relative, because long times vary by more than
// short ones do; next to a mean of 1 ms, a time of 0.1 ms and one of nothing count alike.
//
// Example: 40, 21, 10.5 and 4.8 ms at 4, 8, 16 and 32 ranks. Left out in turn and predicted from the other
// three, c/P is off by 4 to 5%, a·P + b by 30% and more, c/P + b by about as much as c/P, with a factor
// more; c/P is taken.
#include "extrapolate/times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

namespace refrain::extrapolate {
namespace {

using trace::Node;
using trace::TimeClass;
using trace::TimeModel;
using trace::TimingLaw;

constexpr double clearly = 0.8;  ///< the error of a better model is at most so much of the simpler one's
constexpr double smallest = 1.0 / 16;  ///< of the mean: shorter times count as if they were so long

using Terms = std::vector<TimeModel::Term>;

/// The simplest first.
const std::vector<Terms>& families() {
  static const std::vector<Terms> all{
      {TimeModel::constant},
      {TimeModel::inverse},
      {TimeModel::constant, TimeModel::linear},
      {TimeModel::constant, TimeModel::inverse},
      {TimeModel::constant, TimeModel::linear, TimeModel::quadratic},
  };
  return all;
}

/// Points with the weights that make their errors relative.
struct Weighted {
  double nprocs, ns, weight;
};

/// Solves the symmetric system by elimination with pivots; nothing if it has no single solution.
template <size_t N>
std::optional<std::array<double, N>> solved(std::array<std::array<double, N + 1>, N> m, size_t n) {
  for (size_t k = 0; k < n; ++k) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; ++i)
      if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
    if (!(std::abs(m[pivot][k]) > 1e-12)) return {};
    std::swap(m[k], m[pivot]);
    for (size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      double by = m[i][k] / m[k][k];
      for (size_t j = k; j <= n; ++j) m[i][j] -= by * m[k][j];
    }
  }
  std::array<double, N> x{};
  for (size_t k = 0; k < n; ++k) x[k] = m[k][n] / m[k][k];
  return x;
}

/// The factors of these terms with the least sum of squared relative errors, leaving out point `without`.
/// Terms are measured by what they are at the largest number of ranks, so that the equations are well
/// conditioned.
std::optional<TimeModel> least_squares(const Terms& terms, const std::vector<Weighted>& points,
                                       size_t without) {
  constexpr size_t most = 3;
  std::array<double, most> scale{};
  for (size_t i = 0; i < terms.size(); ++i)
    for (const Weighted& p : points) scale[i] = std::max(scale[i], TimeModel::basis(terms[i], p.nprocs));
  std::array<std::array<double, most + 1>, most> m{};
  for (size_t k = 0; k < points.size(); ++k) {
    if (k == without) continue;
    std::array<double, most + 1> row{};
    for (size_t i = 0; i < terms.size(); ++i)
      row[i] = TimeModel::basis(terms[i], points[k].nprocs) / scale[i] * points[k].weight;
    double ns = points[k].ns * points[k].weight;
    for (size_t i = 0; i < terms.size(); ++i) {
      for (size_t j = 0; j < terms.size(); ++j) m[i][j] += row[i] * row[j];
      m[i][terms.size()] += row[i] * ns;
    }
  }
  double largest = 0;
  for (size_t i = 0; i < terms.size(); ++i) largest = std::max(largest, m[i][i]);
  if (!(largest > 0)) return {};
  for (auto& row : m)
    for (double& x : row) x /= largest;
  auto x = solved<most>(m, terms.size());
  if (!x) return {};
  TimeModel model;
  for (size_t i = 0; i < terms.size(); ++i) {
    double factor = (*x)[i] / scale[i];
    if (!(std::abs(factor) < 1e30)) return {};
    model.factors[terms[i]] = static_cast<float>(factor);
  }
  return model;
}

/// Root of the mean squared relative error with which points are predicted from the others; nothing if there
/// are too few.
std::optional<double> left_out_error(const Terms& terms, const std::vector<Weighted>& points) {
  if (points.size() < terms.size() + 1) return {};
  double sum = 0;
  for (size_t k = 0; k < points.size(); ++k) {
    std::optional<TimeModel> model = least_squares(terms, points, k);
    if (!model) return {};
    double off = (model->at(points[k].nprocs) - points[k].ns) * points[k].weight;
    sum += off * off;
  }
  return std::sqrt(sum / static_cast<double>(points.size()));
}

double per(uint64_t sum, uint64_t count) { return static_cast<double>(sum) / static_cast<double>(count); }

/// The mean times of an event by class, where it has samples.
void add_points(const trace::Timing& timing, uint32_t nprocs,
                std::array<std::vector<TimePoint>, trace::time_classes>& points) {
  auto p = static_cast<double>(nprocs);
  if (uint64_t n = timing.gap.count(); n > 0) {
    uint64_t gaps = timing.gap.sum_ns(), messages = std::min(gaps, timing.communication.total_ns());
    points[static_cast<size_t>(TimeClass::compute)].push_back({p, per(gaps - messages, n)});
    for (size_t c = 0; c < trace::communication_classes; ++c)
      points[static_cast<size_t>(TimeClass::point_to_point) + c].push_back(
          {p, per(timing.communication.ns[c], n)});
  }
  if (uint64_t n = timing.duration.count(); n > 0)
    points[static_cast<size_t>(TimeClass::call)].push_back({p, per(timing.duration.sum_ns(), n)});
}

/// The trees of `by_run` stand at the same places as `merged`.
void fit_nodes(std::vector<Node>& merged, const std::vector<const std::vector<Node>*>& by_run,
               const std::vector<uint32_t>& sizes) {
  for (size_t i = 0; i < merged.size(); ++i) {
    std::vector<const std::vector<Node>*> bodies;
    std::array<std::vector<TimePoint>, trace::time_classes> points;
    for (size_t run = 0; run < by_run.size(); ++run) {
      const Node& node = (*by_run[run])[i];
      bodies.push_back(&node.body);
      if (merged[i].kind != trace::NodeKind::event || node.timing.duration.count() == 0) continue;
      merged[i].timing = node.timing;
      add_points(node.timing, sizes[run], points);
    }
    fit_nodes(merged[i].body, bodies, sizes);
    if (merged[i].timing.duration.count() == 0) continue;
    TimingLaw law;
    for (size_t c = 0; c < points.size(); ++c) law.models[c] = fit_time(points[c]);
    merged[i].time_law = std::make_shared<const TimingLaw>(law);
  }
}

}  // namespace

TimeModel fit_time(const std::vector<TimePoint>& points) {
  double mean = 0;
  for (const TimePoint& p : points) mean += p.ns / static_cast<double>(points.size());
  if (!(mean > 0)) return {};
  std::vector<Weighted> weighted;
  for (const TimePoint& p : points) weighted.push_back({p.nprocs, p.ns, 1 / std::max(p.ns, mean * smallest)});
  const Terms* best = &families()[0];
  std::optional<double> least = left_out_error(*best, weighted);
  for (const Terms& terms : families()) {
    std::optional<double> error = left_out_error(terms, weighted);
    if (!error || !least || *error >= *least * clearly) continue;
    best = &terms;
    least = error;
  }
  return least_squares(*best, weighted, weighted.size()).value_or(TimeModel());
}

void fit_times(trace::Process& merged, const std::vector<trace::Process>& by_run,
               const std::vector<uint32_t>& sizes) {
  for (size_t s = 0; s < merged.streams.size(); ++s) {
    std::vector<const std::vector<Node>*> trees;
    for (const trace::Process& run : by_run) trees.push_back(&run.streams[s].nodes);
    fit_nodes(merged.streams[s].nodes, trees, sizes);
  }
}

}  // namespace refrain::extrapolate
