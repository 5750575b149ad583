// Data sieving: to write pieces with gaps between them, MPI-IO reads what lies around, changes it and writes
// it all. Shows as reads below of a file that the program itself only writes.
#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace sieving_rule {

constexpr uint64_t least_bytes = 64 * kib;

const File* file_below(const View& view, const File& file) {
  for (const File& other : view.files())
    if (other.layer == "posix" && other.name == file.name) return &other;
  return nullptr;
}

void check(const View& view, Findings& findings) {
  for (const File& file : view.files()) {
    if (file.layer != "mpiio") continue;
    const File* below = file_below(view, file);
    if (below == nullptr) continue;
    auto all = [&](const Call& call, bool writes) { return call.moves_data() && call.writes() == writes; };
    Sum writes = sum_of_calls(view, file, [&](const Call& call) { return all(call, true); });
    Sum reads = sum_of_calls(view, file, [&](const Call& call) { return all(call, false); });
    Sum read_below = sum_of_calls(view, *below, [&](const Call& call) { return all(call, false); });
    if (writes.calls == 0 || reads.calls > 0 || read_below.bytes < least_bytes ||
        read_below.bytes < writes.bytes / 10 || !matters(view, writes.time_ns))
      continue;
    Finding finding = finding_at(view, *writes.most);
    finding.title = "writes read the file first (data sieving)";
    finding.figures = {{"written by the program", writes.bytes, "B"},
                       {"read below", read_below.bytes, "B"},
                       {"reads below", read_below.calls}};
    finding.time_ns = writes.time_ns;
    finding.cost = "what lies between the pieces is read and written with them, under a lock";
    finding.change = "write collectively (MPI_File_write_all), or hint romio_ds_write=disable";
    findings.push_back(std::move(finding));
  }
}

}  // namespace sieving_rule
}  // namespace

const Rule sieving{"data-sieving", "writes for which MPI-IO reads the file first", sieving_rule::check};

}  // namespace refrain::advise
