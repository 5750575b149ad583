// Parallel HDF5 files without H5Pset_alignment, of which it shows below that data begins anywhere.
#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace unaligned_objects_rule {

constexpr int64_t block = 64 * kib;  ///< no stripe of a parallel file system is smaller
constexpr uint64_t least_bytes = 16 * mib, large = 64 * kib;

/// Of large writes below HDF5, those that begin off a block, in percent; less than 0 if none was seen.
/// Offsets of MPI-IO count in a view, which may begin anywhere.
double unaligned_below(const View& view) {
  uint64_t seen = 0, off = 0;
  for (const Call& call : view.calls()) {
    bool below = !view.outer(call) && api::layer_named(view.layer(call)).is_system;
    if (!below || !call.writes() || call.mean_bytes() < large ||
        call.rule.offset == measure::AccessRule::absent)
      continue;
    for (const Sample& sample : call.samples) {
      ++seen;
      off += sample.parameters[call.rule.offset] % block != 0 ? 1 : 0;
    }
  }
  return seen == 0 ? -1 : 100.0 * static_cast<double>(off) / static_cast<double>(seen);
}

void check(const View& view, Findings& findings) {
  if (view.ranks() < 2) return;
  for (const File& file : view.files()) {
    if (file.layer != "hdf5" || !is_parallel(view, file) ||
        opened_with(view, file, api::Trait::sets_alignment))
      continue;
    Sum writes = sum_of_calls(view, file, [&](const Call& call) {
      return view.outer(call) && moves_elements(call) && call.writes();
    });
    double off = unaligned_below(view);
    if (writes.bytes < least_bytes || off < 50 || !matters(view, writes.time_ns)) continue;
    Finding finding = finding_at(view, view.calls()[file.opened.call]);
    finding.file = file.name;
    finding.title = "a parallel HDF5 file has no alignment";
    finding.figures = {{"written", writes.bytes, "B"}, {"writes below that begin off 64 KiB", off, "%"}};
    finding.time_ns = writes.time_ns;
    finding.cost = "each rank's data begins inside a block or stripe that another rank writes, too";
    finding.change =
        "H5Pset_alignment(fapl, 65536, 1048576), or the stripe size of the file system, before H5Fcreate";
    findings.push_back(std::move(finding));
  }
}

}  // namespace unaligned_objects_rule
}  // namespace

const Rule unaligned_objects{"unaligned-objects", "parallel HDF5 files without alignment",
                             unaligned_objects_rule::check};

}  // namespace refrain::advise
