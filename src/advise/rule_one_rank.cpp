// A parallel job in which one rank moves all data.
#include <algorithm>

#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace one_rank_rule {

constexpr uint64_t least_bytes = 16 * mib;

void check(const View& view, Findings& findings) {
  if (view.ranks() < 2) return;
  uint64_t all = 0, most = 0;
  uint32_t who = 0;
  for (const auto& [rank, bytes] : view.bytes_by_rank()) {
    all += bytes;
    if (bytes > most) who = rank;
    most = std::max(most, bytes);
  }
  if (most < least_bytes || most < all / 10 * 9) return;
  Sum sum = sum_of_calls(
      view, [&](const Call& call) { return view.outer(call) && call.moves_data() && call.bytes > 0; });
  if (sum.slowest == nullptr || !matters(view, sum.time_ns)) return;
  Finding finding = finding_at(view, *sum.slowest);
  finding.title = "one rank moves all data";
  finding.figures = {{"ranks", view.ranks()},
                     {"rank", who},
                     {"its share", 100.0 * static_cast<double>(most) / static_cast<double>(all), "%"},
                     {"bytes", most, "B"}};
  finding.time_ns = sum.time_ns;
  finding.cost = "the bandwidth of one node is all there is, and the other ranks wait for it";
  finding.change =
      "have every rank, or a few per node, access its part: MPI_File_write_at_all, parallel HDF5";
  findings.push_back(std::move(finding));
}

}  // namespace one_rank_rule
}  // namespace

const Rule one_rank{"one-rank", "one rank that moves all data", one_rank_rule::check};

}  // namespace refrain::advise
