// Ranks that move much more than others, or take much longer. Time is that of the heat map, which has it by
// rank; ranks that wait in collective calls for others take time as well, so where there are such calls only
// bytes count.
#include <algorithm>

#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace imbalance_rule {

constexpr uint64_t least_bytes = 16 * mib, least_ns = 50'000'000;
constexpr double factor = 2, one_rank_share = 0.9;

/// What ranks have of something.
struct Spread {
  uint64_t most = 0, sum = 0, ranks = 0;
  uint32_t who = 0;
  void add(uint32_t rank, uint64_t value) {
    if (value > most) who = rank;
    most = std::max(most, value);
    sum += value;
    ++ranks;
  }
  double mean() const { return ranks == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(ranks); }
  bool uneven() const {
    return static_cast<double>(most) >= factor * mean() &&
           static_cast<double>(most) < one_rank_share * static_cast<double>(sum);
  }
};

Spread time_by_rank(const View& view) {
  Spread time;
  const trace::HeatMap& heat = view.process().heat;
  if (heat.group_log2 != 0) return time;
  for (const trace::HeatRow& row : heat.rows) {
    uint64_t ns = 0;
    for (const trace::HeatCell& cell : row.cells) ns += cell.time_ns;
    time.add(row.number, ns);
  }
  time.ranks = std::max(time.ranks, view.ranks());
  return time;
}

void report(const View& view, const Spread& spread, bool is_time, Findings& findings) {
  Sum sum = sum_of_calls(view, [&](const Call& call) { return view.outer(call) && call.moves_data(); });
  if (sum.most == nullptr) return;
  Finding finding = finding_at(view, *sum.slowest);
  finding.title =
      is_time ? "some ranks take much longer for I/O than others" : "some ranks move much more than others";
  finding.figures = {{"rank", spread.who},
                     {"its share", spread.most, is_time ? "ns" : "B"},
                     {"mean", spread.mean(), is_time ? "ns" : "B"}};
  finding.time_ns = is_time ? spread.most - static_cast<uint64_t>(spread.mean()) : sum.time_ns;
  finding.cost = "the job goes on when the slowest rank is done";
  finding.change =
      is_time ? "see what this rank does beside the others: refrain info --heat-map, refrain dump --rank"
              : "cut the data into equal parts, or use collective calls, which do so by themselves";
  findings.push_back(std::move(finding));
}

void check(const View& view, Findings& findings) {
  if (view.ranks() < 2) return;
  Spread bytes;
  for (const auto& [rank, moved] : view.bytes_by_rank()) bytes.add(rank, moved);
  if (bytes.uneven() && bytes.most >= least_bytes) return report(view, bytes, false, findings);
  bool waits = false;
  for (const Call& call : view.calls())
    waits |= view.outer(call) &&
             (call.is(api::Trait::moves_together) || (moves_elements(call) && is_collective(view, call)));
  Spread time = time_by_rank(view);
  double lost = static_cast<double>(time.most) - time.mean();
  if (!waits && time.uneven() && lost >= static_cast<double>(least_ns) &&
      lost >= static_cast<double>(view.process().elapsed_ns) / 20)
    report(view, time, true, findings);
}

}  // namespace imbalance_rule
}  // namespace

const Rule imbalance{"imbalance", "ranks that move much more than others, or take much longer",
                     imbalance_rule::check};

}  // namespace refrain::advise
