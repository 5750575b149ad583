// Datasets of a file that all ranks opened together, but read or write each for itself: H5FD_MPIO_INDEPENDENT
// is what a transfer property list has unless it is told otherwise.
#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace independent_transfers_rule {

constexpr uint64_t least_calls = 16, enough_bytes = 16 * mib;

void check(const View& view, Findings& findings) {
  if (view.ranks() < 2) return;
  for (const File& file : view.files()) {
    if (file.layer != "hdf5" || !view.shared(file) || !is_parallel(view, file)) continue;
    Sum sum = sum_of_calls(view, file, [&](const Call& call) {
      return view.outer(call) && moves_elements(call) && call.ranks > 1 && !is_collective(view, call);
    });
    if (sum.calls < least_calls || sum.mean_bytes() >= enough_bytes || !matters(view, sum.time_ns)) continue;
    Finding finding = finding_at(view, *sum.most);
    finding.title = "a parallel file is accessed by independent transfers";
    finding.figures = {
        {"ranks", sum.most->ranks}, {"calls", sum.calls}, {"mean size", sum.mean_bytes(), "B"}};
    finding.time_ns = sum.time_ns;
    finding.cost =
        "each rank's pieces go to the file system as they are; nothing is gathered or put in order";
    finding.change =
        "H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE), and the list as the transfer property list of every "
        "rank's "
        "H5Dwrite and H5Dread";
    findings.push_back(std::move(finding));
  }
}

}  // namespace independent_transfers_rule
}  // namespace

const Rule independent_transfers{"independent-transfers",
                                 "parallel HDF5 files accessed by independent transfers",
                                 independent_transfers_rule::check};

}  // namespace refrain::advise
