// Parallel HDF5 files whose metadata every rank reads or writes for itself.
#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace independent_metadata_rule {

constexpr uint64_t least_calls = 50;  ///< of a rank

void check(const View& view, Findings& findings) {
  if (view.ranks() < 2) return;
  for (const File& file : view.files()) {
    if (file.layer != "hdf5" || !view.shared(file) || !is_parallel(view, file)) continue;
    bool writes = false;
    Sum sum = sum_of_calls(view, file, [&](const Call& call) {
      bool creates = call.is(api::Trait::creates_object);
      bool looks = call.is(api::Trait::opens_object) || call.is(api::Trait::looks_for_object);
      if (!view.outer(call) || call.is(api::Trait::opens_file) || (!creates && !looks)) return false;
      writes |= creates;
      return true;
    });
    if (sum.calls / view.ranks() < least_calls || !matters(view, sum.time_ns)) continue;
    bool reads_alone = !opened_with(view, file, api::Trait::reads_together);
    bool writes_alone = writes && !opened_with(view, file, api::Trait::writes_together);
    if (!reads_alone && !writes_alone) continue;
    Finding finding = finding_at(view, *sum.most);
    finding.file = file.name;
    finding.title = "every rank works on the metadata of a parallel file for itself";
    finding.figures = {
        {"ranks", view.ranks()}, {"objects opened or made", sum.calls}, {"time", sum.time_ns, "ns"}};
    finding.time_ns = sum.time_ns;
    finding.cost = "the same small pieces of the file are read once per rank, or written one by one";
    finding.change = std::string(reads_alone ? "H5Pset_all_coll_metadata_ops(fapl, 1)" : "") +
                     (reads_alone && writes_alone ? " and " : "") +
                     (writes_alone ? "H5Pset_coll_metadata_write(fapl, 1)" : "") +
                     " before the file is opened";
    findings.push_back(std::move(finding));
  }
}

}  // namespace independent_metadata_rule
}  // namespace

const Rule independent_metadata{"independent-metadata",
                                "metadata of parallel HDF5 files that each rank accesses",
                                independent_metadata_rule::check};

}  // namespace refrain::advise
