// Ranks that write into one file where neither blocks nor locks of the file system begin. A file that one
// process writes by itself is the page cache's affair. Files of HDF5 have a rule of their own
// (unaligned-objects).
#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace unaligned_accesses_rule {

constexpr int64_t block = 4096;
constexpr uint64_t least_calls = 64;

struct Alignment {
  uint64_t seen = 0, off = 0;
};

Alignment alignment_of(const Call& call) {
  Alignment out;
  if (call.rule.offset == measure::AccessRule::absent) return out;
  for (const Sample& sample : call.samples) {
    ++out.seen;
    if (sample.parameters[call.rule.offset] % block != 0) ++out.off;
  }
  return out;
}

void check(const View& view, Findings& findings) {
  for (const Call& call : view.calls())
    if (view.outer(call) && moves_elements(call)) return;
  for (const File& file : view.files()) {
    if (!view.shared(file) || !api::layer_named(file.layer).is_system) continue;
    uint64_t seen = 0, off = 0;
    Sum sum = sum_of_calls(view, file, [&](const Call& call) {
      if (!call.writes() || call.mean_bytes() < static_cast<uint64_t>(block)) return false;
      Alignment a = alignment_of(call);
      seen += a.seen;
      off += a.off;
      return a.off > 0;
    });
    if (sum.calls < least_calls || off * 2 < seen || !matters(view, sum.time_ns)) continue;
    Finding finding = finding_at(view, *sum.most);
    finding.title = "ranks write to a shared file at unaligned offsets";
    finding.figures = {{"calls", sum.calls},
                       {"unaligned", 100.0 * static_cast<double>(off) / static_cast<double>(seen), "%"},
                       {"mean size", sum.mean_bytes(), "B"}};
    finding.time_ns = sum.time_ns;
    finding.cost =
        "blocks at the edges are read, changed and written again, and ranks wait for each other's locks";
    finding.change =
        "begin each rank's part at a multiple of the file system's block or stripe (4 KiB at least, better 1 "
        "MiB)";
    findings.push_back(std::move(finding));
  }
}

}  // namespace unaligned_accesses_rule
}  // namespace

const Rule unaligned_accesses{"unaligned-accesses", "ranks that write to a shared file at unaligned offsets",
                              unaligned_accesses_rule::check};

}  // namespace refrain::advise
